import BenchCore
import Commit
import Foundation
import Testing

@Suite("Contenders of one process")
struct RenderThreadTests {
  @Test("draw what each draws alone, in whatever order they are asked on the thread that they share")
  func pictures() throws {
    let stage = try LibraryStage(
      scenes: BenchProgram.top.appending(path: "bench/scenes").path, shape: OutputShape(width: 160, height: 90))
    defer { stage.close() }
    let keys = [1, 9, 16].map { CellKey(suite: .portalGrid, strategy: .portal, n: $0) }
    var alone: [[[UInt8]]] = []
    for key in keys {
      let contender = try stage.contender(key)
      alone.append(try (0..<4).map { try contender.picture(frame: $0).pixels })
    }
    let contenders = try keys.map { try stage.contender($0) }
    var random = SplitMix64(seed: 5)
    for _ in 0..<60 {
      let (index, frame) = (random.below(3), random.below(4))
      // What is asked for next may have been drawn before, so that nothing is drawn for it and it is only read.
      if random.below(2) == 0 { _ = try contenders[index].draw(frame: frame) }
      if random.below(3) == 0 { _ = try contenders[random.below(3)].draw(frame: random.below(4)) }
      #expect(try contenders[index].picture(frame: frame).pixels == alone[index][frame])
    }
  }

  @Test("the fastest processor records frames; of equals the last, since devices are served on the first")
  func processor() {
    #expect(ProcessorPin.best(of: [0, 1, 2, 3], speed: { _ in 0 }) == 3)
    #expect(ProcessorPin.best(of: [0, 1, 2, 3], speed: { [1024, 1024, 446, 446][$0] }) == 1)
    #expect(ProcessorPin.best(of: [2]) == 2)
    #expect(ProcessorPin.best(of: []) == nil)
  }
}

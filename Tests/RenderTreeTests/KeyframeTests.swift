import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Key frames")
struct KeyframeTests {
  private func show(_ keyframes: Keyframes, at times: [Double]) throws -> [Double] {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10))
    try tree.add(
      1, "zPosition", .keyframes(keyframes),
      AnimationTiming(duration: 1, fillMode: .forwards, isRemovedOnCompletion: false))
    return times.map { time in
      tree.advance(to: time)
      for case .zPosition(let z) in tree.presentation(of: tree.id(1)) ?? [] { return z }
      return .nan
    }
  }

  private func values(_ numbers: Double...) -> [AnimationValue] { numbers.map { .number($0) } }

  @Test("straight from one to the next, evenly or by key times")
  func linear() throws {
    var keyframes = Keyframes(values(0, 10, 30))
    #expect(try show(keyframes, at: [0, 0.25, 0.5, 0.75, 1]) == [0, 5, 10, 20, 30])
    keyframes.keyTimes = [0, 0.8, 1]
    #expect(try show(keyframes, at: [0.4, 0.8, 1]) == [5, 10, 30])
    keyframes.keyTimes = [0, 0, 1]
    #expect(try show(keyframes, at: [0, 0.5]) == [10, 20])
  }

  @Test("one after the other, each for its time")
  func discrete() throws {
    var keyframes = Keyframes(values(1, 2, 3, 4), calculationMode: .discrete)
    #expect(try show(keyframes, at: [0, 0.24, 0.25, 0.6, 0.99, 1]) == [1, 1, 2, 3, 4, 4])
    keyframes.keyTimes = [0, 0.1, 0.2, 0.9, 1]
    #expect(try show(keyframes, at: [0.05, 0.1, 0.5, 0.95]) == [1, 2, 3, 4])
  }

  @Test("at one speed, whatever the key times say")
  func paced() throws {
    let keyframes = Keyframes(values(0, 10, 40), keyTimes: [0, 0.9, 1], calculationMode: .paced)
    #expect(try show(keyframes, at: [0, 0.125, 0.25, 0.5, 1]) == [0, 5, 10, 20, 40])
  }

  @Test("a smooth curve goes through every value, straight where they lie straight")
  func cubic() throws {
    let straight = Keyframes(values(0, 10, 20, 30), calculationMode: .cubic)
    let shown = try show(straight, at: [0, 1.0 / 3, 0.5, 1])
    #expect(zip(shown, [0, 10, 15, 30]).allSatisfy { abs($0 - $1) < 1e-12 })
    let bent = Keyframes(values(0, 10, 0), calculationMode: .cubic)
    let curve = try show(bent, at: [0.25, 0.5, 0.75])
    // Slope 5 a step at the ends, none at the top.
    #expect(curve == [6.25 - 0.625, 10, 6.25 - 0.625].map { $0 })
  }

  @Test("each step has its own timing function")
  func functions() throws {
    let keyframes = Keyframes(values(0, 10, 20), functions: [.easeIn, .linear])
    let shown = try show(keyframes, at: [0.25, 0.75])
    #expect(shown == [10 * TimingFunction.easeIn.progress(at: 0.5), 15])
  }
}

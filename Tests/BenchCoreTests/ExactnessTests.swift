import BenchCore
import Commit
import Foundation
import JSON
import Testing

/// On the real renderer: what must be the same each time, on every machine.
@Suite("What is exact")
struct ExactnessTests {
  private static let scenes = FactorTests.scenes

  private static func folder() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "porthole-exact-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  @Test("counters are the same on every repeat")
  func counters() throws {
    for bar in try CounterTrials(scenes: Self.scenes, repeats: 2).bars() { #expect(bar.holds, "\(bar.line)") }
  }

  @Test("the same cell draws the same picture and counts the same, whenever it is made")
  func pictures() throws {
    let stage = try LibraryStage(scenes: Self.scenes, shape: OutputShape(width: 320, height: 180))
    defer { stage.close() }
    let key = CellKey(suite: .portalGrid, strategy: .portal, n: 16)
    var hashes: Set<String> = []
    var counts: Set<FrameCount> = []
    for _ in 0..<3 {
      let contender = try stage.contender(key)
      hashes.insert(SHA256.hex(try contender.picture(frame: 11).pixels))
      var count: FrameCount?
      for frame in 0..<4 { count = try contender.draw(frame: frame).count }
      counts.insert(try #require(count))
    }
    #expect(hashes.count == 1 && counts.count == 1)
  }

  @Test("the pixels of a frame's passes are those that it counts, and portals cover no more than their passes")
  func tables() throws {
    let folder = try Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    let code = BenchTool(arguments: [
      "run", "nesting,damage", "--rounds", "1", "--size", "640x360", "--scenes", Self.scenes, "--quiet", "--out",
      folder.path(percentEncoded: false),
    ]).run()
    #expect(code == 0)
    let document = try JSONParser.parse([UInt8](try Data(contentsOf: folder.appending(path: "run.json"))))
    func number(_ key: String, _ node: Int32) throws -> Int {
      let child = try #require(document.member(key, of: node))
      guard case .number(let value) = document[child].value else { return -1 }
      return Int(value)
    }
    let cells = document.children(of: try #require(document.member("cells", of: 0)))
    #expect(cells.count == 12)
    for cell in cells {
      let attribution = try #require(document.member("attribution", of: cell))
      let passes = document.children(of: try #require(document.member("passes", of: attribution)))
      let pixels = try passes.reduce(0) { $0 + (try number("pixels", $1)) }
      #expect(try pixels == number("shaded_pixels", attribution))
    }
  }

  @Test("what a first frame takes is told apart, and no time that counts has any of it")
  func cold() throws {
    let stage = FakeStage()
    var options = FakeRun.options
    options.counts = [16]
    options.suites = [.portalGrid]
    options.strategies = [.portal]
    stage.firstFrameMilliseconds = 300
    let result = FakeRun.result(stage, options)
    let cell = try #require(result.cells.first)
    #expect(try #require(cell.coldMilliseconds) > 250)
    #expect(cell.warmupFrames > 1)
    #expect(cell.wallFrames.allSatisfy { $0 < 10 })
  }

  @Test("half a thousandth more instructions pass a gate of a thousandth, and two thousandths do not")
  func tightGate() throws {
    let text = Self.environment
    func result(_ factor: Double) throws -> InstructionResult {
      let counts = try [16, 32].map { n in
        try InstructionCount(
          n: n, frames: [4, 12], totals: [700_000_000, 700_000_000 + UInt64(8 * 1_250_000 * Double(n) * factor)])
      }
      return try InstructionResult(counts, environment: text)
    }
    let base = try result(1)
    #expect(try result(1.0005).compared(with: base, tolerance: 0.001).exit.code == .ok)
    #expect(try result(1.002).compared(with: base, tolerance: 0.001).exit.code == .regression)
  }

  private static var environment: String {
    RunEnvironment(
      host: HostDescription(cpu: "C", cores: 2, kernel: "Linux"),
      gpu: GPUDescription(
        vendor: "Mesa", renderer: "llvmpipe (LLVM 15.0.6, 256 bits)", version: "OpenGL ES 3.2 Mesa 22.3.6",
        isSoftware: true),
      timer: TimerVerdict(isPresent: false, isValid: false, reason: "none"),
      pins: [
        RunEnvironment.Pin(name: "MESA_SHADER_CACHE_DISABLE", value: "true"),
        RunEnvironment.Pin(name: "LP_NUM_THREADS", value: "0"),
        RunEnvironment.Pin(name: "LP_NATIVE_VECTOR_WIDTH", value: "256"),
      ]
    ).jsonText
  }
}

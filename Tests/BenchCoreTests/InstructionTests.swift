import BenchCore
import Foundation
import JSON
import Testing

@Suite("Instructions of a frame")
struct InstructionTests {
  private static func environment(
    _ pins: [String: String?] = [:], renderer: String = "llvmpipe (LLVM 15.0.6, 256 bits)", libc: String = "glibc 2.36",
    isSoftware: Bool = true
  ) -> String {
    let plain: [String: String?] = [
      "LP_NATIVE_VECTOR_WIDTH": "256", "LP_NUM_THREADS": "0", "MESA_SHADER_CACHE_DISABLE": "true",
    ]
    let environment = RunEnvironment(
      host: HostDescription(cpu: "C", cores: 2, kernel: "K", libc: libc),
      gpu: GPUDescription(
        vendor: "Mesa", renderer: renderer, version: "OpenGL ES 3.2 Mesa 22.3.6", isSoftware: isSoftware),
      timer: TimerVerdict(isPresent: false, isValid: false, reason: "not asked"),
      pins: plain.merging(pins) { $1 }.sorted { $0.key < $1.key }.map {
        RunEnvironment.Pin(name: $0.key, value: $0.value)
      })
    return environment.jsonText
  }

  /// The counts that BENCHMARK.md's experiment E7 gives for N = 16, and others for N = 32.
  private static func counts(grown factor: Double = 1) throws -> [InstructionCount] {
    [
      try InstructionCount(
        n: 16, frames: [20, 40], totals: [726_935_401, 726_935_401 + UInt64(403_153_440 * factor)]),
      try InstructionCount(
        n: 32, frames: [20, 40], totals: [900_000_000, 900_000_000 + UInt64(758_022_980 * factor)]),
    ]
  }

  @Test("what starting takes cancels, and a portal's instructions are the difference of two N")
  func arithmetic() throws {
    let counts = try Self.counts()
    // (1130088844 - 726935401) / 20 is 20157672.15; here rounded to a frame's whole.
    #expect((counts[0].perFrame - 20_157_672).magnitude < 1)
    #expect((counts[1].perFrame - 37_901_149).magnitude < 1)
    let slope = try #require(InstructionCount.slope(counts))
    #expect((slope - 1_108_967.3).magnitude < 1)
    #expect(InstructionCount.slope([counts[0]]) == nil)
  }

  @Test("a longer run that took no more instructions is no count")
  func noCount() {
    for totals in [[5, 5], [5, 4], [0, 4], [5]] as [[UInt64]] {
      #expect(throws: BenchError.self) { try InstructionCount(n: 1, frames: [4, 12], totals: totals) }
    }
    #expect(throws: BenchError.self) { try InstructionCount(n: 1, frames: [12, 4], totals: [1, 2]) }
  }

  @Test("what is not pinned is refused with 5, and the variable is named")
  func unpinned() throws {
    for name in InstructionPins.names {
      do throws(BenchError) {
        _ = try InstructionResult([], environment: Self.environment([name: nil]))
        Issue.record("\(name) was not missed")
      } catch {
        #expect(error.code == .environment && error.description.contains(name))
      }
    }
    for wrong in [["LP_NUM_THREADS": "2"], ["LP_NATIVE_VECTOR_WIDTH": "128"]] {
      #expect(throws: BenchError.self) { try InstructionResult([], environment: Self.environment(wrong)) }
    }
    #expect(throws: Never.self) { try InstructionResult([], environment: Self.environment()) }
    #expect(throws: BenchError.self) { try InstructionResult([], environment: "nonsense") }
  }

  @Test("a result reads back as what was written, and a changed one does not")
  func roundTrip() throws {
    let result = try InstructionResult(try Self.counts(), environment: Self.environment())
    let text = result.json.text
    let back = try InstructionResult([UInt8](text.utf8), name: "i.json")
    #expect(back.counts == result.counts && back.json.text == text)
    #expect(text.contains("\"per_portal\": 110896"))
    for (part, other) in [
      ("256 bits", "512 bits"), ("\"totals\": [7", "\"totals\": [-7"), ("porthole-bench/instructions", "x"),
    ] {
      let changed = text.replacing(part, with: other)
      #expect(changed != text)
      #expect(throws: BenchError.self, "\(part)") { try InstructionResult([UInt8](changed.utf8), name: "i.json") }
    }
    for length in stride(from: 0, to: text.utf8.count - 2, by: 131) {
      #expect(throws: BenchError.self) { try InstructionResult(Array(text.utf8.prefix(length)), name: "i.json") }
    }
  }

  @Test("half a per cent more is a regression each time, twenty millionths are none, and fewer are no harm")
  func regression() throws {
    let base = try InstructionResult(try Self.counts(), environment: Self.environment())
    func exit(_ factor: Double) throws -> BenchCore.ExitStatus.Code {
      try InstructionResult(try Self.counts(grown: factor), environment: Self.environment())
        .compared(with: base, tolerance: 0.0049).exit.code
    }
    for _ in 0..<100 { #expect(try exit(1.005) == .regression) }
    #expect(try exit(1.00002) == .ok)
    #expect(try exit(0.9) == .ok)
  }

  @Test("counts of another width of vectors, driver or C library are refused with 5, and the field is named")
  func otherMachine() throws {
    let base = try InstructionResult(try Self.counts(), environment: Self.environment())
    for (field, text) in [
      (
        "gpu.simd_bits",
        Self.environment(["LP_NATIVE_VECTOR_WIDTH": "128"], renderer: "llvmpipe (LLVM 15.0.6, 128 bits)")
      ),
      ("gpu.llvm", Self.environment(renderer: "llvmpipe (LLVM 16.0.0, 256 bits)")),
      ("host.libc", Self.environment(libc: "glibc 2.41")),
    ] {
      let other = try InstructionResult(try Self.counts(grown: 2), environment: text)
      let comparison = other.compared(with: base, tolerance: 0.005)
      #expect(comparison.exit.code == .environment)
      #expect(comparison.exit.reasons.contains { $0.contains(field) }, "\(comparison.exit.reasons)")
    }
  }

  @Test("the program that is counted is this one but for the names of its debugging information")
  func plain() throws {
    let file = [UInt8](try Data(contentsOf: URL(filePath: "/proc/self/exe")))
    let plain = try #require(PlainProgram.bytes(file))
    #expect(plain.count == file.count)
    let changed = file.indices.filter { file[$0] != plain[$0] }
    #expect(!changed.isEmpty && changed.count < 200)
    // Twice the same, and nothing else than a program is taken for one.
    #expect(PlainProgram.bytes(plain) == plain)
    #expect(PlainProgram.bytes([UInt8]("#!/bin/sh".utf8)) == nil && PlainProgram.bytes([]) == nil)
    for length in [64, 200, 4096] { _ = PlainProgram.bytes(Array(file.prefix(length))) }
    var wild = Array(file.prefix(4096))
    for index in 0x28..<0x40 { wild[index] = 0xFF }
    #expect(PlainProgram.bytes(wild) == nil)
  }

  @Test("a point of the baseline that was not counted is never green")
  func gone() throws {
    let base = try InstructionResult(try Self.counts(), environment: Self.environment())
    let less = try InstructionResult([try Self.counts()[0]], environment: Self.environment())
    let exit = less.compared(with: base, tolerance: 0.005).exit
    #expect(exit.code == .invalid && exit.reasons.contains { $0.contains("n=32") })
    let empty = try InstructionResult([], environment: Self.environment())
    #expect(less.compared(with: empty, tolerance: 0.005).exit.code == .invalid)
  }

  @Test(
    "what makes no sense is a usage error that names the option",
    arguments: [
      ["--n", "0"], ["--frames", "4"], ["--frames", "4,5,6"], ["--vector-width", "100"], ["--tolerance", "x"],
      ["--what"],
    ])
  func usage(arguments: [String]) {
    do {
      _ = try Command.parse(["counters", "--instructions"] + arguments)
      Issue.record("accepted: \(arguments)")
    } catch {
      #expect(error.code == .usage && error.description.contains(arguments[0]))
    }
  }
}

/// What `porthole-bench counters --instructions` was asked for.
public struct InstructionOptions: Sendable, Hashable {
  public var counts = [16, 32]
  /// Of the shorter and of the longer run.
  public var frames = [4, 12]
  public var vectorBits = 256
  /// The variables of this process, instead of those that make instructions countable.
  public var keepsPins = false
  /// A result that these counts are held against.
  public var baseline: String?
  /// By how much a frame's instructions may grow, as a part of themselves.
  public var tolerance = 0.005
  public var common = MeasureOptions()

  public init() { common.shape = OutputShape(width: 640, height: 360) }

  public init(_ arguments: [String]) throws(BenchError) {
    self.init()
    let shape = common.shape
    let reader = try OptionReader(
      arguments, command: "counters --instructions",
      flags: MeasureOptions.flags.union(["--instructions", "--keep-pins"]),
      values: MeasureOptions.values.subtracting(["--seed", "--deadline"]).union([
        "--n", "--frames", "--vector-width", "--check", "--tolerance",
      ]))
    try reader.refuseWords()
    common = try MeasureOptions(reader)
    if reader.text("--size") == nil { (common.shape.width, common.shape.height) = (shape.width, shape.height) }
    if let text = reader.text("--n") { counts = try Self.list("--n", text, 1...4096) }
    if let text = reader.text("--frames") {
      frames = try Self.list("--frames", text, 1...10_000)
      guard frames.count == 2 else {
        throw BenchError(.usage, "--frames takes two numbers, as in 4,12, but got \"\(text)\".")
      }
    }
    if let bits = try reader.whole("--vector-width", 128...512) {
      guard [128, 256, 512].contains(bits) else {
        throw BenchError(.usage, "--vector-width takes 128, 256 or 512, but got \"\(bits)\".")
      }
      vectorBits = bits
    }
    keepsPins = reader.has("--keep-pins")
    baseline = reader.text("--check")
    tolerance = (try reader.number("--tolerance", 0...100, unit: "per cent") ?? tolerance * 100) / 100
  }

  private static func list(_ name: String, _ text: String, _ range: ClosedRange<Int>) throws(BenchError) -> [Int] {
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard !numbers.isEmpty, numbers.allSatisfy(range.contains) else {
      throw BenchError(
        .usage, "\(name) takes numbers from \(range.lowerBound) to \(range.upperBound), but got \"\(text)\".")
    }
    return Set(numbers).sorted()
  }
}

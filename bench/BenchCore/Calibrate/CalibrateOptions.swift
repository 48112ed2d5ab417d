/// What `porthole-bench calibrate` was asked for.
public struct CalibrateOptions: Sendable, Hashable {
  /// Numbers of portals, a cell each.
  public var counts = [16, 64, 256]
  /// For all cells together.
  public var seconds = 30.0
  public var thresholds = Thresholds()
  public var common = MeasureOptions()

  public init() {}

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "calibrate", flags: MeasureOptions.flags,
      values: MeasureOptions.values.union(["--n", "--seconds", "--budget", "--margin", "--tolerance"]))
    try reader.refuseWords()
    common = try MeasureOptions(reader)
    if let text = reader.text("--n") {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard numbers.allSatisfy({ (1...ScaleOptions.largestCount).contains($0) }), numbers.count <= 16 else {
        throw BenchError(.usage, "--n takes up to 16 numbers from 1 to 65536, as in 16,256, but got \"\(text)\".")
      }
      counts = Set(numbers).sorted()
    }
    seconds = try reader.number("--seconds", 1...86_400, unit: "seconds") ?? seconds
    seconds = try reader.number("--budget", 1...86_400, unit: "seconds") ?? seconds
    thresholds = try Thresholds(reader)
  }
}

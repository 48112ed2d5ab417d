/// What `porthole-bench ab` was asked for.
public struct ArmOptions: Sendable, Hashable {
  public var a: ArmSpec
  public var b: ArmSpec
  public var seconds = 20.0
  public var rounds: Int?
  public var thresholds = Thresholds()
  /// Nil: what is best on this machine.
  public var metric: Metric?
  public var common = MeasureOptions()

  public init(a: ArmSpec, b: ArmSpec) { (self.a, self.b) = (a, b) }

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "ab", flags: MeasureOptions.flags,
      values: MeasureOptions.values.union([
        "--a", "--b", "--seconds", "--budget", "--rounds", "--margin", "--tolerance", "--metric",
      ]))
    try reader.refuseWords()
    guard let a = reader.text("--a"), let b = reader.text("--b") else {
      throw BenchError(.usage, "ab takes two arms: --a n=16 --b n=32, --a blur=off --b blur=on.")
    }
    self.init(a: try ArmSpec(a, option: "--a"), b: try ArmSpec(b, option: "--b"))
    common = try MeasureOptions(reader)
    seconds = try reader.number("--seconds", 1...86_400, unit: "seconds") ?? seconds
    seconds = try reader.number("--budget", 1...86_400, unit: "seconds") ?? seconds
    if let deadline = common.deadlineSeconds { seconds = min(seconds, max(1, deadline * 0.85)) }
    rounds = try reader.whole("--rounds", 6...100_000)
    metric = try reader.choice("--metric", Metric.self)
    thresholds = try Thresholds(reader)
  }
}

extension Thresholds {
  /// Of `--margin` and `--tolerance`, in per cent.
  init(_ reader: OptionReader) throws(BenchError) {
    self.init()
    if let margin = try reader.number("--margin", 0...1000, unit: "per cent") { self.margin = margin / 100 }
    if let tolerance = try reader.number("--tolerance", 0...1000, unit: "per cent") { self.tolerance = tolerance / 100 }
    guard tolerance >= margin else {
      throw BenchError(.usage, "--tolerance must not be smaller than --margin.")
    }
  }
}

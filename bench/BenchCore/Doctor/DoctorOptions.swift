/// What `porthole-bench doctor` was asked for.
public struct DoctorOptions: Sendable, Hashable {
  public var common = MeasureOptions()
  /// For the measuring of noise and overheads.
  public var seconds = 10.0
  /// Portals of the scene that is drawn meanwhile.
  public var count = 16
  public var requiresTimer = false

  public init() {}

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "doctor", flags: MeasureOptions.flags.union(["--require-timer"]),
      values: MeasureOptions.values.subtracting(["--out", "--deadline"]).union(["--seconds", "--n"]))
    try reader.refuseWords()
    common = try MeasureOptions(reader)
    seconds = try reader.number("--seconds", 1...3600, unit: "seconds") ?? seconds
    count = try reader.whole("--n", 1...ScaleOptions.largestCount) ?? count
    requiresTimer = reader.has("--require-timer")
  }
}

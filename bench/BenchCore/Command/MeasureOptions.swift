/// What every command that measures can be asked for.
public struct MeasureOptions: Sendable, Hashable {
  public var outputFolder = "out/bench"
  /// Nil: looked for as `bench/scenes` beside and above the working folder and the program.
  public var scenesFolder: String?
  public var seed: UInt64 = 1
  public var shape = OutputShape()
  /// Refuse a software renderer.
  public var requiresHardware = false
  /// Be done by then, in seconds from the start, with what there is.
  public var deadlineSeconds: Double?
  public var watch = Watch()
  public var isStrict = false
  public var isQuiet = false
  public var printsJSON = false

  public static let flags = Watch.flags.union(["--require-hardware", "--strict", "--quiet", "--json", "--no-color"])
  public static let values = Watch.values.union(["--out", "--scenes", "--seed", "--size", "--scale", "--deadline"])

  public init() {}

  public init(_ reader: OptionReader) throws(BenchError) {
    outputFolder = reader.text("--out") ?? outputFolder
    scenesFolder = reader.text("--scenes")
    seed = try reader.seed()
    shape = try reader.shape()
    requiresHardware = reader.has("--require-hardware")
    deadlineSeconds = try reader.number("--deadline", 1...86_400, unit: "seconds")
    watch = try Watch(reader)
    (isStrict, isQuiet, printsJSON) = (reader.has("--strict"), reader.has("--quiet"), reader.has("--json"))
  }
}

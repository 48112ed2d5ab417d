/// What a measuring process has of the one that looks after it: whether there is one, and where earlier processes of the
/// same run were lost.
public struct Watch: Sendable, Hashable {
  /// Another process looks after this one.
  public var isKept = false
  /// By place, how the process that was there ended.
  public var lost: [String: String] = [:]

  public static let flags: Set<String> = ["--supervised", "--color"]
  public static let values: Set<String> = ["--lost"]

  public init() {}

  public init(_ reader: OptionReader) throws(BenchError) {
    isKept = reader.has("--supervised")
    for loss in reader.all("--lost") { try add(loss) }
  }

  /// `PLACE=REASON`. A place may hold such signs too, a reason none.
  public mutating func add(_ loss: String) throws(BenchError) {
    guard let sign = loss.lastIndex(of: "=") else { throw BenchError(.usage, "--lost takes PLACE=REASON.") }
    lost[String(loss[..<sign])] = String(loss[loss.index(after: sign)...])
  }

  /// Says where this process is now, so that it is known should it be lost there.
  public func tell(_ place: String) {
    guard isKept else { return }
    print(Supervisor.mark + place)
    // Where nobody listens any more nobody wants the result either.
    if !StandardOutput.flush() { StandardOutput.end() }
  }

  /// As `tell`. Throws where an earlier process was lost at that place.
  public func enter(_ place: String) throws(BenchError) {
    if let reason = lost[place] { throw BenchError(.crashed, reason) }
    tell(place)
  }
}

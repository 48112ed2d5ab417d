/// One kind of evidence of a gate: what it found, and whether that decides.
public struct GateTier: Sendable {
  public enum Name: String, Sendable, CaseIterable {
    /// Counters and pictures: the same on every machine.
    case exact
    case instructions
    /// Ratios of times, by whatever clock is best.
    case time
    /// The same by a GPU timer that was proven.
    case gpu
    case history
    /// The curve of cost.
    case report
  }

  public var name: Name
  public var isBlocking: Bool
  public var rows: [GateRow] = []
  /// What would fail the run, if it decides.
  public var found: [(code: ExitStatus.Code, reason: String)] = []
  public var notes: [String] = []
  public var seconds = 0.0

  public init(_ name: Name, isBlocking: Bool) { (self.name, self.isBlocking) = (name, isBlocking) }

  /// Of this tier by itself.
  public var exit: ExitStatus { ExitStatus(found) }

  /// `exact: nothing is worse, 180 numbers (3.2 s)`
  public var line: String {
    let headline = StepSummary.headline(GateReport(title: name.rawValue, rows: rows, exit: exit))
    let decides = isBlocking || exit.code == .ok ? "" : " (advisory)"
    return "\(name.rawValue): \(headline)\(decides); \(NumberText.grouped(rows.count)) "
      + "number\(rows.count == 1 ? "" : "s"), \(NumberText.fixed(seconds, 1)) s"
  }

  /// A number that fails the run, if this tier decides.
  public mutating func add(_ code: ExitStatus.Code, _ reason: String, id: String, metric: String) {
    found.append((code, reason))
    let state: GateRow.State =
      switch code {
      case .regression: .failed
      case .inconclusive: .unclear
      case .improvement: .improved
      case .environment, .baseline: .refused
      default: .invalid
      }
    rows.append(GateRow(id: id, metric: metric, state: state, sentence: reason))
  }
}

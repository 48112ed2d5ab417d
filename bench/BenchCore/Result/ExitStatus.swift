/// What a command ends with, and every reason for it.
public struct ExitStatus: Sendable, Hashable {
  public enum Code: Int32, Sendable, CaseIterable {
    case ok = 0
    /// The tool could not do its work.
    case toolError = 1
    /// Something costs more than it did.
    case regression = 2
    /// A picture was wrong, or a measurement is missing or none: never green.
    case invalid = 3
    /// Nothing can be said, and `--strict` was asked for.
    case inconclusive = 4
    /// The two sides, or this machine, can't give what was asked for.
    case environment = 5
    /// Something costs surely less, nobody has blessed that, and `--strict-improvement` was asked for.
    case improvement = 6
    /// There is no baseline, or it is too old.
    case baseline = 7
    case usage = 64

    /// Which of several codes a command ends with: the lowest rank.
    var rank: Int {
      switch self {
      case .usage: 0
      case .toolError: 1
      case .invalid: 2
      case .environment: 3
      case .baseline: 4
      case .regression: 5
      case .improvement: 6
      case .inconclusive: 7
      case .ok: 8
      }
    }
  }

  public var code: Code
  public var reasons: [String]

  public init(code: Code = .ok, reasons: [String] = []) {
    self.code = code
    self.reasons = reasons
  }

  /// The code that takes precedence, and the reasons of all, those of the code first.
  public init(_ found: [(code: Code, reason: String)]) {
    code = found.map(\.code).min { $0.rank < $1.rank } ?? .ok
    reasons = Code.allCases.sorted { $0.rank < $1.rank }.flatMap { code in
      found.filter { $0.code == code }.map(\.reason)
    }
  }
}

extension BenchError {
  /// What a command ends with that this ended.
  var exitCode: ExitStatus.Code {
    switch code {
    case .usage: .usage
    case .environment: .environment
    case .baseline: .baseline
    case .crashed: .invalid
    case .renderer, .scene, .report: .toolError
    }
  }
}

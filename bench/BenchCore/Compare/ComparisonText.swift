/// A comparison as a person reads it.
public enum ComparisonText {
  /// Why a cell has its verdict, in a few words.
  static func reason(_ cell: CellComparison) -> String {
    switch cell.change {
    case .counter(let base, let head): "\(NumberText.grouped(base)) became \(NumberText.grouped(head))"
    case .time(let ratio, _, let detectable):
      EstimateText.ratio(ratio) + (cell.note.map { "; \($0)" } ?? "; sees +\(percent(detectable)) %")
    case .none: cell.note ?? cell.verdict.rawValue
    }
  }

  static func percent(_ share: Double) -> String { NumberText.significant(share * 100, 2) }

  /// What is worth a line: all times, and of the counters those that moved.
  public static func lines(_ comparison: ResultComparison) -> [String] {
    var lines = comparison.notes
    let shown = comparison.cells.filter { cell in
      if case .time = cell.change { return true }
      return cell.verdict != .pass
    }
    let width = shown.map(\.id.count).max() ?? 0
    for cell in shown.sorted(by: isWorse) {
      let advisory = cell.isAdvisory ? " (advisory)" : ""
      lines.append(
        "  " + PointTable.padEnd(word(cell.verdict) + advisory, 13) + " " + PointTable.padEnd(cell.id, width) + "  "
          + PointTable.padEnd(cell.metric, 14) + " " + reason(cell))
    }
    return lines
  }

  /// One sentence: how many of what.
  public static func summary(_ comparison: ResultComparison) -> String {
    let counts = Verdict.allCases.compactMap { verdict -> String? in
      let count = comparison.cells.count { $0.verdict == verdict }
      return count > 0 ? "\(NumberText.grouped(count)) \(word(verdict).lowercased())" : nil
    }
    let thresholds = comparison.thresholds
    return counts.joined(separator: ", ")
      + "; a time fails when it is surely more than \(percent(thresholds.margin)) % worse and passes when it is surely"
      + " less than \(percent(thresholds.tolerance)) % worse."
  }

  private static func word(_ verdict: Verdict) -> String {
    switch verdict {
    case .regressed: "REGRESSED"
    case .improved: "improved"
    case .pass: "pass"
    case .inconclusive: "inconclusive"
    case .new: "new"
    case .missing: "MISSING"
    case .refused: "refused"
    }
  }

  /// The worst first; among equals, as they stand.
  private static func isWorse(_ a: CellComparison, _ b: CellComparison) -> Bool { rank(a.verdict) < rank(b.verdict) }

  private static func rank(_ verdict: Verdict) -> Int {
    let order: [Verdict] = [.missing, .regressed, .refused, .inconclusive, .improved, .new, .pass]
    return order.firstIndex(of: verdict) ?? order.count
  }
}

/// What portals can be asked for beside their number, to see whether the two together cost more than each alone.
public enum Factor: String, Sendable, CaseIterable {
  /// A Gaussian blur of each portal, eight output points a level.
  case blur
  /// Per cent by which portals are see-through.
  case opacity
  /// Points of a corner's radius that each portal is clipped to.
  case rounded
  /// Per cent by which portals are larger than their place, and so lie over their neighbours.
  case overlap
}

/// A factor at one of its levels; level 0 is the sweep without it.
public struct FactorLevel: Sendable, Hashable {
  public var factor: Factor
  /// From 1 to 100.
  public var level: Int

  public init(_ factor: Factor, _ level: Int) { (self.factor, self.level) = (factor, level) }

  /// `blur=1`. Nil for what is none.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false)
    guard parts.count == 2, let factor = Factor(rawValue: String(parts[0])), let level = Int(parts[1]),
      (1...100).contains(level)
    else { return nil }
    self.init(factor, level)
  }

  public var name: String { "\(factor.rawValue)=\(level)" }

  /// Of `blur=0,1`: the levels but 0, which must be among them. Throws a sentence that says what is expected.
  static func list(_ text: String) throws(BenchError) -> [FactorLevel] {
    let parts = text.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    let levels = (parts.last ?? "").split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? -1 }
    guard parts.count == 2, let factor = Factor(rawValue: parts[0]), levels.count > 1, levels.contains(0),
      levels.allSatisfy({ (0...100).contains($0) })
    else {
      let names = Factor.allCases.map(\.rawValue).joined(separator: ", ")
      throw BenchError(
        .usage,
        "--factor takes one of \(names) with levels from 0 to 100, 0 among them, as in blur=0,1, but got \"\(text)\".")
    }
    return Set(levels).subtracting([0]).sorted().map { FactorLevel(factor, $0) }
  }
}

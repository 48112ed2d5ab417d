/// When a comparison may be looked at before it is done: at a quarter, a half and all of its rounds, with O'Brien and
/// Fleming's shares of the chance of a false alarm (Lan and DeMets's spending): hardly any early, nearly all at the end.
public struct SequentialLooks: Sendable, Hashable {
  /// Parts of the planned rounds, rising to 1.
  public var parts: [Double]
  /// What each look may use of the chance; their sum is the whole.
  public var levels: [Double]

  /// - Parameter alpha: of all looks together, one-sided.
  public init(alpha: Double, parts: [Double] = [0.25, 0.5, 1]) {
    self.parts = parts
    var spent = 0.0
    levels = parts.map { part in
      let all = Self.spent(alpha, at: part)
      defer { spent = all }
      return max(0, all - spent)
    }
  }

  /// How much of `alpha` may have been used when so much of the information is in: `2 − 2·Φ(z(1 − α/2) / √t)`.
  public static func spent(_ alpha: Double, at part: Double) -> Double {
    guard part > 0, let z = Normal.quantile(1 - alpha / 2) else { return 0 }
    return 2 * Normal.lowerTail(-z / min(1, part).squareRoot())
  }
}

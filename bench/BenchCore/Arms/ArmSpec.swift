/// What an arm of an in-process comparison draws: a point of `scale`'s suites or of `run`'s.
public enum ArmSpec: Sendable, Hashable {
  case cell(CellKey)
  case feature(FeatureKey)

  /// `n=64,strategy=duplicate`, `effect=blur`, `blur=on`, `nesting=3`. Throws a sentence that says what is known.
  public init(_ text: String, option: String) throws(BenchError) {
    var key = CellKey(suite: .portalGrid, strategy: .portal, n: 16)
    var feature: FeatureKey?
    var namesCell = false
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard words.count == 2, !words[1].isEmpty else { throw Self.failure(option, String(part)) }
      if let found = Self.feature(words[0], words[1]) {
        guard feature == nil else { throw Self.failure(option, text) }
        feature = found
        continue
      }
      namesCell = true
      switch words[0] {
      case "n":
        guard let n = Int(words[1]), n > 0, n <= ScaleOptions.largestCount else {
          throw Self.failure(option, String(part))
        }
        key.n = n
      case "suite":
        guard let suite = Suite(rawValue: words[1]) else { throw Self.failure(option, String(part)) }
        key.suite = suite
      case "strategy":
        guard let strategy = Strategy(rawValue: words[1]) else { throw Self.failure(option, String(part)) }
        key.strategy = strategy
      default: throw Self.failure(option, String(part))
      }
    }
    guard let feature else {
      self = .cell(key)
      return
    }
    guard !namesCell else { throw Self.failure(option, text) }
    self = .feature(feature)
  }

  /// `effect=blur` and `blur=on` are one; a suite's name stands for its parameter.
  private static func feature(_ name: String, _ value: String) -> FeatureKey? {
    if name == "effect" {
      return FeatureEffect(rawValue: value).map { FeatureKey(suite: .effects, value: $0.rawValue) }
    }
    if let effect = FeatureEffect(rawValue: name) {
      return ["on", "off"].contains(value)
        ? FeatureKey(suite: .effects, value: value == "on" ? effect.rawValue : FeatureEffect.none.rawValue) : nil
    }
    guard let suite = FeatureSuite(rawValue: name), suite.values.contains(value) else { return nil }
    return FeatureKey(suite: suite, value: value)
  }

  private static func failure(_ option: String, _ text: String) -> BenchError {
    BenchError(
      .usage,
      "\(option) takes n=, suite= and strategy= with commas between; or effect=NAME, an effect's name =on or =off; or "
        + "area=, sources=, nesting=, damage= or video= with a value that list --json names; but got \"\(text)\".")
  }

  public var id: String {
    switch self {
    case .cell(let key): "\(key.suite.rawValue)/strategy=\(key.strategy.rawValue)/n=\(key.n)"
    case .feature(let key): key.id
    }
  }

  /// Whether its frames differ.
  var moves: Bool {
    if case .feature(let key) = self { !(key.suite == .damage && key.value == "0") } else { true }
  }
}

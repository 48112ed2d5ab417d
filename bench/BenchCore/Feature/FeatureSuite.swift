/// A suite that looks at one thing that portals are asked for, over a few values of one parameter.
public enum FeatureSuite: String, Sendable, CaseIterable {
  case area, sources, nesting, damage, effects, video

  /// One line for a person.
  public var summary: String {
    switch self {
    case .area: "few big portals to many small ones, between pixels, the same pixels in all"
    case .sources: "N animated sources, one portal of each"
    case .nesting: "portals of portals, two in each, 1 to 8 deep"
    case .damage: "0, 1, 10 and 100 % of a source changes, shown by 1,024 portals"
    case .effects: "what can be done to portals: rounded, see-through, blurred, glass, strips, a lens"
    case .video: "1 to 256 portals of a surface that gets a new buffer in each frame"
    }
  }

  /// What its points differ in.
  public var parameter: String {
    switch self {
    case .area, .video: "portals"
    case .sources: "sources"
    case .nesting: "depth"
    case .damage: "percent"
    case .effects: "effect"
    }
  }

  var keys: [FeatureKey] { values.map { FeatureKey(suite: self, value: $0) } }

  /// The points, in order.
  public var values: [String] {
    switch self {
    case .area: ["1", "4", "16", "64", "256", "1024"]
    case .sources: ["1", "4", "16", "64", "256"]
    case .nesting: ["1", "2", "3", "4", "5", "6", "7", "8"]
    case .damage: ["0", "1", "10", "100"]
    case .effects: FeatureEffect.allCases.map(\.rawValue)
    case .video: ["1", "4", "16", "64", "256"]
    }
  }
}

/// The points of the suite `effects`.
public enum FeatureEffect: String, Sendable, CaseIterable {
  case none, rounded, opacity, blur, backdrop
  case backdropGroup = "backdrop-group"
  case strips, lens
}

/// One point of a feature suite.
public struct FeatureKey: Sendable, Hashable {
  public var suite: FeatureSuite
  public var value: String

  public init(suite: FeatureSuite, value: String) {
    self.suite = suite
    self.value = value
  }

  /// `nesting/depth=3`
  public var id: String { "\(suite.rawValue)/\(suite.parameter)=\(value)" }
}

/// A value that takes the place of one property of a layer in a portal's source, in that portal alone.
public struct PortalOverride: Sendable, Hashable {
  /// One step from a layer to another.
  public enum Step: Sendable, Hashable {
    /// The first sublayer of that name.
    case sublayer(String)
    case mask
  }

  /// How deep a path may lead.
  public static let depthLimit = 64
  /// How many overrides one portal may have.
  public static let countLimit = 1024

  /// From the source to the layer; empty for the source itself. One that leads nowhere does nothing.
  public var path: [Step]
  public var property: PropertyChange

  public init(path: [Step] = [], _ property: PropertyChange) {
    self.path = path
    self.property = property
  }

  /// - Parameter path: as in Core Animation's key paths, `sublayers.card.sublayers.shadow` or `mask`; empty for the source.
  ///   Nil for any other word.
  public init?(_ path: String, _ property: PropertyChange) {
    guard let steps = Self.steps(path) else { return nil }
    self.init(path: steps, property)
  }

  /// The steps that a key path names; nil for what is none.
  public static func steps(_ path: String) -> [Step]? {
    var steps: [Step] = []
    var words = path.split(separator: ".", omittingEmptySubsequences: false)[...]
    if path.isEmpty { return [] }
    while let word = words.popFirst() {
      if word == "mask" {
        steps.append(.mask)
      } else if word == "sublayers", let name = words.popFirst(), !name.isEmpty {
        steps.append(.sublayer(String(name)))
      } else {
        return nil
      }
    }
    return steps
  }

  /// The path as a key path.
  public var keyPath: String {
    path.map { step in
      switch step {
      case .sublayer(let name): "sublayers.\(name)"
      case .mask: "mask"
      }
    }.joined(separator: ".")
  }

  /// Whether the property can be overridden: how a layer looks and lies can, but not what it is secured by, named or holds.
  public var isAllowed: Bool {
    switch property {
    case .name, .isSecure, .mask, .contents, .contentsFrame, .overrides, .sourceLayer, .hidesSourceLayer,
      .hidesSourceLayerInOtherPortals, .matchesPosition, .matchesTransform, .matchesOpacity, .sourceLayerOpacityScale,
      .sourceRect, .recursion, .sampling, .sourceLifetime, .forwardsHitTestingToSource, .allowsHitTesting:
      false
    default: true
    }
  }
}

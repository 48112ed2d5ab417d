/// What the N portals are for.
public enum Suite: String, Sendable, CaseIterable {
  /// Each of N portals shows the whole source, scaled to its cell of a grid of ⌈√N⌉ columns.
  case portalGrid = "portal-grid"
  /// Each of N portals is a hole of 64 × 64 points in the wall, onto a hidden source as large as the window.
  case portalWindow = "portal-window"

  /// One line for a person.
  public var summary: String {
    switch self {
    case .portalGrid: "N portals of one animated source, each scaled to its cell of a ceil(sqrt N)-column grid"
    case .portalWindow: "N holes of 64 x 64 pt (matchesPosition) onto a full-window source (hidesSourceLayer)"
    }
  }
}

/// A way to show one animated source N times.
public enum Strategy: String, Sendable, CaseIterable {
  /// The source drawn once; N portal layers sample it.
  case portal
  /// N copies of the source's subtree in the tree, all animated.
  case duplicate
  /// The source drawn, read back to memory and uploaded again as contents of N layers.
  case snapshot
  /// The source drawn once, and N textured quads in one instanced draw call with nothing around them: what the machine
  /// itself takes.
  case floor

  /// One line for a person.
  public var summary: String {
    switch self {
    case .portal: "the source is drawn once, N portal layers show it"
    case .duplicate: "N copies of the source subtree in the tree, all animated"
    case .snapshot: "the source is drawn, read back to memory and uploaded again as contents of N layers"
    case .floor: "the source is drawn once, then N textured quads in one instanced draw call, nothing around them"
    }
  }
}

/// One point of a sweep.
public struct CellKey: Sendable, Hashable {
  public var suite: Suite
  public var strategy: Strategy
  public var n: Int
  /// Nil for plain portals.
  public var factor: FactorLevel?

  public init(suite: Suite, strategy: Strategy, n: Int, factor: FactorLevel? = nil) {
    self.suite = suite
    self.strategy = strategy
    self.n = n
    self.factor = factor
  }
}

/// The output's size, in points, and its pixels per point.
public struct OutputShape: Sendable, Hashable {
  public var width: Int
  public var height: Int
  public var scale: Double

  public init(width: Int = 1280, height: Int = 720, scale: Double = 1) {
    self.width = width
    self.height = height
    self.scale = scale
  }
}

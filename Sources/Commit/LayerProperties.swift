import Geometry

/// What a layer draws by itself. Kinds beyond these arrive with the properties that they need.
public enum LayerKind: UInt8, Sendable {
  case layer
  case gradient
  case portal
  /// Its sublayers share one space with its siblings, sorted by depth; it draws nothing itself.
  case transform
  /// Draws what lies behind it, filtered, below all else that it draws.
  case backdrop
  case replicator
}

/// Where `contents` lies in the bounds (`CALayerContentsGravity`). `top` is small y.
public enum ContentsGravity: String, Sendable, CaseIterable {
  case resize, resizeAspect, resizeAspectFill
  case center, top, bottom, left, right, topLeft, topRight, bottomLeft, bottomRight
}

/// How contents are sampled when shown larger than they are (`CALayerContentsFilter`).
public enum MagnificationFilter: String, Sendable, CaseIterable {
  case linear, nearest
}

/// How contents are sampled when shown smaller than they are (`CALayerContentsFilter`).
public enum MinificationFilter: String, Sendable, CaseIterable {
  /// Bilinearly in one mip level: the one whose texels are just no larger than a pixel.
  case linear
  /// The one texel at the pixel's centre, of the picture as it is.
  case nearest
  /// Between that level and the next, by how far the picture's scale lies between theirs.
  case trilinear
}

/// Edges of a layer, in its own space; `minY` is the top (`CAEdgeAntialiasingMask`).
public struct EdgeMask: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let left = EdgeMask(rawValue: 1)
  public static let right = EdgeMask(rawValue: 2)
  public static let top = EdgeMask(rawValue: 4)
  public static let bottom = EdgeMask(rawValue: 8)
  public static let all: EdgeMask = [.left, .right, .top, .bottom]
}

/// How a gradient's colours lie in the bounds (`CAGradientLayerType`).
public enum GradientType: String, Sendable, CaseIterable {
  /// Along the line from `start` to `end`. Lines of equal colour stand upright on it in points.
  case axial
  /// From the middle `start` outwards; `end` is a corner of the box around the ellipse of the last colour.
  case radial
  /// Around `start`, clockwise from the direction of `end` in points.
  case conic
}

/// Colours between two points in unit coordinates of the bounds. Where the points are one, or an ellipse has no width or
/// height, all is of the last colour.
public struct Gradient: Sendable, Hashable {
  public struct Stop: Sendable, Hashable {
    public var location: Double
    public var color: Color

    public init(location: Double, color: Color) {
      self.location = location
      self.color = color
    }
  }

  public var type: GradientType
  public var start: Point
  public var end: Point
  /// By rising location, from 0 at `start` to 1 at `end`, or beyond.
  public var stops: [Stop]

  public init(
    type: GradientType = .axial, start: Point = Point(0.5, 0), end: Point = Point(0.5, 1), stops: [Stop]
  ) {
    self.type = type
    self.start = start
    self.end = end
    self.stops = stops
  }

  /// Moves each location that falls back to where the one before it lies.
  public mutating func settleLocations() {
    guard var least = stops.first?.location else { return }
    for index in stops.indices {
      if stops[index].location < least { stops[index].location = least } else { least = stops[index].location }
    }
  }
}

/// What a portal does where it would show itself.
public enum PortalRecursion: Sendable, Hashable {
  /// Shows nothing at the second level.
  case none
  /// Shows `levels` levels; `depth(1)` is `none`.
  case depth(Int)
  /// The second level shows what the source's bounds showed in the frame before.
  case previousFrame
}

/// How a portal samples its source's texture.
public enum PortalSampling: String, Sendable, CaseIterable {
  /// Nearest where the mapping is one to one on the pixel grid, else linear with mip levels.
  case automatic
  case nearest
  case linear
}

/// Whether a portal keeps its source alive.
public enum SourceLifetime: String, Sendable, CaseIterable {
  /// A removed source leaves the portal empty from the next frame.
  case weak
  case retained
}

import Geometry

/// What of a path that crosses itself is inside (`CAShapeLayerFillRule`).
public enum FillRule: String, Sendable, CaseIterable {
  case nonZero
  case evenOdd
}

/// How a line ends (`CAShapeLayerLineCap`).
public enum LineCap: String, Sendable, CaseIterable {
  case butt, round, square
}

/// How two lines meet (`CAShapeLayerLineJoin`).
public enum LineJoin: String, Sendable, CaseIterable {
  case miter, round, bevel
}

/// How a path is filled and stroked. Lengths are in points.
public struct ShapeStyle: Sendable, Hashable {
  /// Nil fills nothing.
  public var fillColor: Color? = .black
  public var fillRule = FillRule.nonZero
  /// Nil strokes nothing.
  public var strokeColor: Color?
  public var lineWidth = 1.0
  public var lineCap = LineCap.butt
  public var lineJoin = LineJoin.miter
  /// How long a mitre may be, in line widths; one that would be longer is bevelled.
  public var miterLimit = 10.0
  /// Lengths of dashes and gaps in turn; empty for none.
  public var lineDashPattern: [Double] = []
  public var lineDashPhase = 0.0
  /// The part of the path that is stroked, in shares of its length.
  public var strokeStart = 0.0
  public var strokeEnd = 1.0

  public init() {}

  public var isFinite: Bool {
    (fillColor?.isFinite ?? true) && (strokeColor?.isFinite ?? true) && lineWidth.isFinite && miterLimit.isFinite
      && lineDashPhase.isFinite && lineDashPattern.allSatisfy(\.isFinite) && strokeStart.isFinite && strokeEnd.isFinite
  }

  /// How far the stroke may reach beyond the path.
  var reach: Double {
    guard strokeColor != nil, lineWidth > 0 else { return 0 }
    let join = lineJoin == .miter ? max(1, miterLimit) : 1
    return lineWidth / 2 * max(join, lineCap == .square ? 2.0.squareRoot() : 1)
  }

  /// Those that cairo takes: none below 0, and not all 0.
  var dashes: [Double] {
    let lengths = lineDashPattern.map { max(0, $0) }
    return lengths.contains { $0 > 0 } ? lengths : []
  }
}

/// A projective transform of the plane: what is left of a `Transform3D` once a layer is flattened, since
/// z is zero before it and dropped after it. Rows as in `Transform3D`: `(x, y, 1) · H = (x', y', w')`, and
/// the point is `(x'/w', y'/w')`. Where `w' ≤ 0` a point lies behind the eye.
@frozen
public struct Homography: Sendable, Hashable {
  // The names are Transform3D's, less the third row and column.
  public var m11: Double, m12: Double, m14: Double
  public var m21: Double, m22: Double, m24: Double
  public var m41: Double, m42: Double, m44: Double

  @inlinable
  public init(
    m11: Double = 1, m12: Double = 0, m14: Double = 0,
    m21: Double = 0, m22: Double = 1, m24: Double = 0,
    m41: Double = 0, m42: Double = 0, m44: Double = 1
  ) {
    self.m11 = m11
    self.m12 = m12
    self.m14 = m14
    self.m21 = m21
    self.m22 = m22
    self.m24 = m24
    self.m41 = m41
    self.m42 = m42
    self.m44 = m44
  }

  /// Flattens: takes z as zero before and drops it after.
  @inlinable
  public init(_ t: Transform3D) {
    self.init(
      m11: t.m11, m12: t.m12, m14: t.m14, m21: t.m21, m22: t.m22, m24: t.m24, m41: t.m41, m42: t.m42, m44: t.m44)
  }

  public static let identity = Homography()

  @inlinable
  public static func translation(x: Double, y: Double) -> Homography { Homography(m41: x, m42: y) }

  @inlinable
  public static func scale(x: Double, y: Double) -> Homography { Homography(m11: x, m22: y) }

  /// `a` first, then `b`.
  @inlinable
  public static func * (a: Homography, b: Homography) -> Homography {
    Homography(
      m11: a.m11 * b.m11 + a.m12 * b.m21 + a.m14 * b.m41,
      m12: a.m11 * b.m12 + a.m12 * b.m22 + a.m14 * b.m42,
      m14: a.m11 * b.m14 + a.m12 * b.m24 + a.m14 * b.m44,
      m21: a.m21 * b.m11 + a.m22 * b.m21 + a.m24 * b.m41,
      m22: a.m21 * b.m12 + a.m22 * b.m22 + a.m24 * b.m42,
      m24: a.m21 * b.m14 + a.m22 * b.m24 + a.m24 * b.m44,
      m41: a.m41 * b.m11 + a.m42 * b.m21 + a.m44 * b.m41,
      m42: a.m41 * b.m12 + a.m42 * b.m22 + a.m44 * b.m42,
      m44: a.m41 * b.m14 + a.m42 * b.m24 + a.m44 * b.m44)
  }

  /// The point's image before division: `(x', y', w')`.
  @inlinable
  public func project(_ p: Point) -> (x: Double, y: Double, w: Double) {
    (p.x * m11 + p.y * m21 + m41, p.x * m12 + p.y * m22 + m42, p.x * m14 + p.y * m24 + m44)
  }

  /// The point's image, or nil where it lies in or behind the eye's plane.
  @inlinable
  public func apply(_ p: Point) -> Point? {
    let q = project(p)
    guard q.w > 0 else { return nil }
    return q.w == 1 ? Point(x: q.x, y: q.y) : Point(x: q.x / q.w, y: q.y / q.w)
  }

  @inlinable public var determinant: Double {
    m11 * (m22 * m44 - m24 * m42) - m12 * (m21 * m44 - m24 * m41) + m14 * (m21 * m42 - m22 * m41)
  }

  /// Nil where the plane is seen edge on or collapses. A translation is undone exactly.
  @inlinable public var inverse: Homography? {
    if isTranslation { return Homography(m41: -m41, m42: -m42) }
    let d = determinant
    guard d.isFinite, d != 0 else { return nil }
    let r = 1 / d
    let result = Homography(
      m11: (m22 * m44 - m24 * m42) * r, m12: (m14 * m42 - m12 * m44) * r, m14: (m12 * m24 - m14 * m22) * r,
      m21: (m24 * m41 - m21 * m44) * r, m22: (m11 * m44 - m14 * m41) * r, m24: (m14 * m21 - m11 * m24) * r,
      m41: (m21 * m42 - m22 * m41) * r, m42: (m12 * m41 - m11 * m42) * r, m44: (m11 * m22 - m12 * m21) * r)
    return result.isFinite ? result : nil
  }

  @inlinable public var isFinite: Bool {
    m11.isFinite && m12.isFinite && m14.isFinite && m21.isFinite && m22.isFinite && m24.isFinite && m41.isFinite
      && m42.isFinite && m44.isFinite
  }

  /// Keeps parallel lines parallel.
  @inlinable public var isAffine: Bool { m14 == 0 && m24 == 0 && m44 == 1 }

  /// Keeps rectangles upright: scales, mirrors and moves only.
  @inlinable public var isScaleAndTranslation: Bool { isAffine && m12 == 0 && m21 == 0 }

  @inlinable public var isTranslation: Bool { isScaleAndTranslation && m11 == 1 && m22 == 1 }

  /// Moved by `(dx, dy)` afterwards.
  @inlinable
  public func translated(x dx: Double, y dy: Double) -> Homography {
    var h = self
    h.m11 += m14 * dx
    h.m12 += m14 * dy
    h.m21 += m24 * dx
    h.m22 += m24 * dy
    h.m41 += m44 * dx
    h.m42 += m44 * dy
    return h
  }
}

/// A projective transform of space, in Core Animation's convention (`CATransform3D`): points are rows,
/// `p' = p · M`, so `a * b` applies `a` first. `m41 m42 m43` translate; `m34` is perspective, the
/// negative inverse of the eye's distance. Angles, where they occur, are radians and turn clockwise on a
/// y-down screen. This convention is stated here and nowhere else.
@frozen
public struct Transform3D: Sendable, Hashable {
  public var m11: Double, m12: Double, m13: Double, m14: Double
  public var m21: Double, m22: Double, m23: Double, m24: Double
  public var m31: Double, m32: Double, m33: Double, m34: Double
  public var m41: Double, m42: Double, m43: Double, m44: Double

  @inlinable
  public init(
    m11: Double = 1, m12: Double = 0, m13: Double = 0, m14: Double = 0,
    m21: Double = 0, m22: Double = 1, m23: Double = 0, m24: Double = 0,
    m31: Double = 0, m32: Double = 0, m33: Double = 1, m34: Double = 0,
    m41: Double = 0, m42: Double = 0, m43: Double = 0, m44: Double = 1
  ) {
    self.m11 = m11
    self.m12 = m12
    self.m13 = m13
    self.m14 = m14
    self.m21 = m21
    self.m22 = m22
    self.m23 = m23
    self.m24 = m24
    self.m31 = m31
    self.m32 = m32
    self.m33 = m33
    self.m34 = m34
    self.m41 = m41
    self.m42 = m42
    self.m43 = m43
    self.m44 = m44
  }

  /// The sixteen numbers in the order m11, m12 … m44. Nil unless there are sixteen.
  public init?(_ m: [Double]) {
    guard m.count == 16 else { return nil }
    self.init(
      m11: m[0], m12: m[1], m13: m[2], m14: m[3], m21: m[4], m22: m[5], m23: m[6], m24: m[7],
      m31: m[8], m32: m[9], m33: m[10], m34: m[11], m41: m[12], m42: m[13], m43: m[14], m44: m[15])
  }

  public static let identity = Transform3D()

  @inlinable
  public static func translation(x: Double, y: Double, z: Double = 0) -> Transform3D {
    Transform3D(m41: x, m42: y, m43: z)
  }

  @inlinable
  public static func scale(x: Double, y: Double, z: Double = 1) -> Transform3D {
    Transform3D(m11: x, m22: y, m33: z)
  }

  /// A turn about the axis (x, y, z), which need not have length one. An axis of no length turns nothing.
  public static func rotation(angle: Double, x: Double, y: Double, z: Double) -> Transform3D {
    let length = (x * x + y * y + z * z).squareRoot()
    guard length > 0 else { return .identity }
    let (x, y, z) = (x / length, y / length, z / length)
    let (s, c) = (sine(angle), cosine(angle))
    let t = 1 - c
    return Transform3D(
      m11: t * x * x + c, m12: t * x * y + s * z, m13: t * x * z - s * y,
      m21: t * x * y - s * z, m22: t * y * y + c, m23: t * y * z + s * x,
      m31: t * x * z + s * y, m32: t * y * z - s * x, m33: t * z * z + c)
  }

  /// A turn in the plane.
  public static func rotation(angle: Double) -> Transform3D {
    let (s, c) = (sine(angle), cosine(angle))
    return Transform3D(m11: c, m12: s, m21: -s, m22: c)
  }

  /// A view from `distance` points before the plane.
  @inlinable
  public static func perspective(distance: Double) -> Transform3D { Transform3D(m34: -1 / distance) }

  /// `a` first, then `b`.
  @inlinable
  public static func * (a: Transform3D, b: Transform3D) -> Transform3D {
    Transform3D(
      m11: a.m11 * b.m11 + a.m12 * b.m21 + a.m13 * b.m31 + a.m14 * b.m41,
      m12: a.m11 * b.m12 + a.m12 * b.m22 + a.m13 * b.m32 + a.m14 * b.m42,
      m13: a.m11 * b.m13 + a.m12 * b.m23 + a.m13 * b.m33 + a.m14 * b.m43,
      m14: a.m11 * b.m14 + a.m12 * b.m24 + a.m13 * b.m34 + a.m14 * b.m44,
      m21: a.m21 * b.m11 + a.m22 * b.m21 + a.m23 * b.m31 + a.m24 * b.m41,
      m22: a.m21 * b.m12 + a.m22 * b.m22 + a.m23 * b.m32 + a.m24 * b.m42,
      m23: a.m21 * b.m13 + a.m22 * b.m23 + a.m23 * b.m33 + a.m24 * b.m43,
      m24: a.m21 * b.m14 + a.m22 * b.m24 + a.m23 * b.m34 + a.m24 * b.m44,
      m31: a.m31 * b.m11 + a.m32 * b.m21 + a.m33 * b.m31 + a.m34 * b.m41,
      m32: a.m31 * b.m12 + a.m32 * b.m22 + a.m33 * b.m32 + a.m34 * b.m42,
      m33: a.m31 * b.m13 + a.m32 * b.m23 + a.m33 * b.m33 + a.m34 * b.m43,
      m34: a.m31 * b.m14 + a.m32 * b.m24 + a.m33 * b.m34 + a.m34 * b.m44,
      m41: a.m41 * b.m11 + a.m42 * b.m21 + a.m43 * b.m31 + a.m44 * b.m41,
      m42: a.m41 * b.m12 + a.m42 * b.m22 + a.m43 * b.m32 + a.m44 * b.m42,
      m43: a.m41 * b.m13 + a.m42 * b.m23 + a.m43 * b.m33 + a.m44 * b.m43,
      m44: a.m41 * b.m14 + a.m42 * b.m24 + a.m43 * b.m34 + a.m44 * b.m44)
  }

  @inlinable public var isIdentity: Bool { self == .identity }

  /// The sixteen numbers in the order m11, m12 … m44.
  public var elements: [Double] {
    [m11, m12, m13, m14, m21, m22, m23, m24, m31, m32, m33, m34, m41, m42, m43, m44]
  }

  public var isFinite: Bool {
    m11.isFinite && m12.isFinite && m13.isFinite && m14.isFinite && m21.isFinite && m22.isFinite && m23.isFinite
      && m24.isFinite && m31.isFinite && m32.isFinite && m33.isFinite && m34.isFinite && m41.isFinite && m42.isFinite
      && m43.isFinite && m44.isFinite
  }

  /// Whether it keeps the plane z = 0 in itself and parallel lines parallel.
  @inlinable public var isAffine2D: Bool {
    m13 == 0 && m14 == 0 && m23 == 0 && m24 == 0 && m43 == 0 && m44 == 1
  }

  public var determinant: Double {
    let a = m33 * m44 - m34 * m43
    let b = m32 * m44 - m34 * m42
    let c = m32 * m43 - m33 * m42
    let d = m31 * m44 - m34 * m41
    let e = m31 * m43 - m33 * m41
    let f = m31 * m42 - m32 * m41
    return m11 * (m22 * a - m23 * b + m24 * c) - m12 * (m21 * a - m23 * d + m24 * e)
      + m13 * (m21 * b - m22 * d + m24 * f) - m14 * (m21 * c - m22 * e + m23 * f)
  }

  /// Whether a plane so placed shows its back to the viewer: it was turned in space, not merely mirrored
  /// in its plane. A mirrored picture is no back.
  public var showsBack: Bool { Homography(self).determinant * determinant < 0 }
}

/// A turn in space: four numbers of length one. It and its negative are the same turn.
public struct Quaternion: Sendable, Hashable {
  public var x: Double
  public var y: Double
  public var z: Double
  public var w: Double

  public init(x: Double, y: Double, z: Double, w: Double) {
    self.x = x
    self.y = y
    self.z = z
    self.w = w
  }

  public static let identity = Quaternion(x: 0, y: 0, z: 0, w: 1)

  /// A turn by the length of `turn`, in radians, about it, as `Transform3D.rotation` turns.
  public init(turn: SIMD3<Double>) {
    let angle = turn.length
    guard angle > 0 else {
      self = .identity
      return
    }
    let axis = turn * (sine(angle / 2) / angle)
    self.init(x: axis.x, y: axis.y, z: axis.z, w: cosine(angle / 2))
  }

  /// Axis times angle, of the two ways round the shorter.
  public var turn: SIMD3<Double> {
    let axis = SIMD3(x, y, z)
    let length = axis.length
    guard length > 0 else { return .zero }
    return axis * ((w < 0 ? -2 : 2) * angle(x: w.magnitude, y: length) / length)
  }

  /// The turn whose matrix has these rows: each of length one, upright on the others, right-handed.
  init(rows a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    // From the largest of the four, so that nothing small is divided by.
    let (xx, yy) = (1 + a.x - b.y - c.z, 1 - a.x + b.y - c.z)
    let (zz, ww) = (1 - a.x - b.y + c.z, 1 + a.x + b.y + c.z)
    let root = max(xx, yy, zz, ww).squareRoot()
    let (half, k) = (root / 2, 0.5 / root)
    if ww >= max(xx, yy, zz) {
      self.init(x: (b.z - c.y) * k, y: (c.x - a.z) * k, z: (a.y - b.x) * k, w: half)
    } else if xx >= max(yy, zz) {
      self.init(x: half, y: (a.y + b.x) * k, z: (c.x + a.z) * k, w: (b.z - c.y) * k)
    } else if yy >= zz {
      self.init(x: (a.y + b.x) * k, y: half, z: (b.z + c.y) * k, w: (c.x - a.z) * k)
    } else {
      self.init(x: (c.x + a.z) * k, y: (b.z + c.y) * k, z: half, w: (a.y - b.x) * k)
    }
  }

  /// The rows of its matrix.
  var rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>) {
    (
      SIMD3(1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)),
      SIMD3(2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)),
      SIMD3(2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y))
    )
  }

  /// The turn `a`, then `b`.
  public static func * (a: Quaternion, b: Quaternion) -> Quaternion {
    Quaternion(
      x: b.w * a.x + b.x * a.w + b.y * a.z - b.z * a.y,
      y: b.w * a.y - b.x * a.z + b.y * a.w + b.z * a.x,
      z: b.w * a.z + b.x * a.y - b.y * a.x + b.z * a.w,
      w: b.w * a.w - b.x * a.x - b.y * a.y - b.z * a.z)
  }

  /// The turn back.
  public var inverse: Quaternion { Quaternion(x: -x, y: -y, z: -z, w: w) }

  /// The turn that is `progress` of the shorter way from this one to `other`; beyond 0 and 1 it goes on.
  public func interpolated(to other: Quaternion, _ progress: Double) -> Quaternion {
    self * Quaternion(turn: (inverse * other).turn * progress)
  }
}

/// Turns about the axes of x, then y, then z, in radians.
extension Quaternion {
  public init(angles: SIMD3<Double>) {
    self =
      Quaternion(turn: SIMD3(angles.x, 0, 0)) * Quaternion(turn: SIMD3(0, angles.y, 0))
      * Quaternion(turn: SIMD3(0, 0, angles.z))
  }

  /// With a y from -π/2 to π/2.
  public var angles: SIMD3<Double> {
    let (a, b, c) = rows
    let y = .pi / 2 - arccosine(-a.z)
    // Turned a quarter about y, the two other axes are one.
    guard a.z.magnitude < 1 - 1e-12 else { return SIMD3(0, y, angle(x: b.y, y: -b.x)) }
    return SIMD3(angle(x: c.z, y: b.z), y, angle(x: a.x, y: a.y))
  }
}

extension SIMD3<Double> {
  var length: Double { dot(self).squareRoot() }

  func dot(_ other: SIMD3<Double>) -> Double { x * other.x + y * other.y + z * other.z }

  func cross(_ other: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }
}

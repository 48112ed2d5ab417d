/// A transform taken apart into what can be mixed, in the order in which it applies: scale, skew, rotation, translation,
/// perspective.
public struct TransformDecomposition: Sendable, Hashable {
  public var scale: SIMD3<Double>
  /// How far the y axis leans to x, z to x, z to y, each in shares of its own scale.
  public var skew: SIMD3<Double>
  public var rotation: Quaternion
  public var translation: SIMD3<Double>
  /// The last column after all else: x, y, z, w.
  public var perspective: SIMD4<Double>
  /// The transform has no rotation of its own, since at most one axis is left of it.
  public var isRotationFree: Bool

  /// Nil for a transform that can't be taken apart: one that has perspective and flattens, or puts the origin behind the eye.
  public init?(_ t: Transform3D) {
    guard t.m44 != 0 else { return nil }
    let k = 1 / t.m44
    translation = SIMD3(t.m41, t.m42, t.m43) * k
    let rows = (SIMD3(t.m11, t.m12, t.m13) * k, SIMD3(t.m21, t.m22, t.m23) * k, SIMD3(t.m31, t.m32, t.m33) * k)
    let column = SIMD3(t.m14, t.m24, t.m34) * k
    perspective = SIMD4(0, 0, 0, 1)
    if column != .zero {
      guard let solved = Self.solve(rows, column) else { return nil }
      perspective = SIMD4(solved, 1 - translation.dot(solved))
    }
    // What is as good as nothing beside the largest row has no direction.
    let nothing = max(rows.0.length, rows.1.length, rows.2.length) * 1e-12
    func unit(_ row: SIMD3<Double>) -> (length: Double, unit: SIMD3<Double>?) {
      let length = row.length
      return length > nothing ? (length, row / length) : (0, nil)
    }
    scale = .zero
    skew = .zero
    let x = unit(rows.0)
    scale.x = x.length
    skew.x = x.unit.map { $0.dot(rows.1) } ?? 0
    let y = unit(rows.1 - (x.unit ?? .zero) * skew.x)
    scale.y = y.length
    skew.y = x.unit.map { $0.dot(rows.2) } ?? 0
    skew.z = y.unit.map { $0.dot(rows.2) } ?? 0
    let z = unit(rows.2 - (x.unit ?? .zero) * skew.y - (y.unit ?? .zero) * skew.z)
    scale.z = z.length
    skew.x = scale.y > 0 ? skew.x / scale.y : 0
    skew.y = scale.z > 0 ? skew.y / scale.z : 0
    skew.z = scale.z > 0 ? skew.z / scale.z : 0
    rotation = .identity
    isRotationFree = true
    guard var axes = Self.complete(x.unit, y.unit, z.unit) else { return }
    if axes.0.dot(axes.1.cross(axes.2)) < 0 {
      axes = (axes.0 * -1, axes.1 * -1, axes.2 * -1)
      scale *= -1
    }
    rotation = Quaternion(rows: axes.0, axes.1, axes.2)
    isRotationFree = false
  }

  /// The transform again.
  public var transform: Transform3D {
    let (x, y, z) = rotation.rows
    let a = x * scale.x
    let b = (x * skew.x + y) * scale.y
    let c = (x * skew.y + y * skew.z + z) * scale.z
    let p = SIMD3(perspective.x, perspective.y, perspective.z)
    return Transform3D(
      m11: a.x, m12: a.y, m13: a.z, m14: a.dot(p), m21: b.x, m22: b.y, m23: b.z, m24: b.dot(p),
      m31: c.x, m32: c.y, m33: c.z, m34: c.dot(p),
      m41: translation.x, m42: translation.y, m43: translation.z, m44: translation.dot(p) + perspective.w)
  }

  /// What lies `progress` of the way to `other`; beyond 0 and 1 it goes on. Turns take the shorter way.
  public func interpolated(to other: TransformDecomposition, _ progress: Double) -> TransformDecomposition {
    var result = self
    result.scale += (other.scale - scale) * progress
    result.skew += (other.skew - skew) * progress
    result.translation += (other.translation - translation) * progress
    result.perspective += (other.perspective - perspective) * progress
    if isRotationFree {
      result.rotation = other.rotation
    } else if !other.isRotationFree {
      result.rotation = rotation.interpolated(to: other.rotation, progress)
    }
    result.isRotationFree = isRotationFree && other.isRotationFree
    return result
  }

  /// The three upright units of which one may be missing; nil if more are.
  private static func complete(
    _ x: SIMD3<Double>?, _ y: SIMD3<Double>?, _ z: SIMD3<Double>?
  ) -> (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)? {
    switch (x, y, z) {
    case (let x?, let y?, let z?): (x, y, z)
    case (nil, let y?, let z?): (y.cross(z), y, z)
    case (let x?, nil, let z?): (x, z.cross(x), z)
    case (let x?, let y?, nil): (x, y, x.cross(y))
    default: nil
    }
  }

  /// The p for which each row times p is the column's number; nil where the rows lie in a plane.
  private static func solve(
    _ rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>), _ column: SIMD3<Double>
  ) -> SIMD3<Double>? {
    let bc = rows.1.cross(rows.2)
    let determinant = rows.0.dot(bc)
    guard determinant != 0 else { return nil }
    let ca = rows.2.cross(rows.0)
    let ab = rows.0.cross(rows.1)
    let solved = (bc * column.x + ca * column.y + ab * column.z) / determinant
    return solved.x.isFinite && solved.y.isFinite && solved.z.isFinite ? solved : nil
  }
}

/// How it moves: sixteen numbers a second, in the order scale, skew, turn, translation, perspective.
extension TransformDecomposition {
  /// What leads from this one to `other`.
  public func way(to other: TransformDecomposition) -> [Double] {
    let (scale, skew) = (other.scale - scale, other.skew - skew)
    let (translation, perspective) = (other.translation - translation, other.perspective - perspective)
    let turn = isRotationFree || other.isRotationFree ? .zero : (rotation.inverse * other.rotation).turn
    return [
      scale.x, scale.y, scale.z, skew.x, skew.y, skew.z, turn.x, turn.y, turn.z, translation.x, translation.y,
      translation.z, perspective.x, perspective.y, perspective.z, perspective.w,
    ]
  }

  /// Goes such a way `share` times.
  public mutating func move(by way: [Double], _ share: Double) {
    guard way.count == 16 else { return }
    scale += SIMD3(way[0], way[1], way[2]) * share
    skew += SIMD3(way[3], way[4], way[5]) * share
    if !isRotationFree { rotation = rotation * Quaternion(turn: SIMD3(way[6], way[7], way[8]) * share) }
    translation += SIMD3(way[9], way[10], way[11]) * share
    perspective += SIMD4(way[12], way[13], way[14], way[15]) * share
  }
}

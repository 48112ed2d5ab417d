/// A transform of the plane taken apart, so that a turn or a mirroring stays in the plane.
struct PlaneDecomposition {
  /// Either may be negative: the picture is mirrored along that axis.
  var scale: SIMD2<Double>
  /// How far the y axis leans to x, in shares of its own scale.
  var skew: Double
  /// In radians; nil where nothing is left to be turned.
  var angle: Double?
  var translation: SIMD2<Double>

  /// Nil for a transform that leaves the plane.
  init?(_ t: Transform3D) {
    guard t.isAffine2D, t.m31 == 0, t.m32 == 0, t.m33 == 1, t.m34 == 0 else { return nil }
    translation = SIMD2(t.m41, t.m42)
    let (x, y) = (SIMD2(t.m11, t.m12), SIMD2(t.m21, t.m22))
    let (lengthX, lengthY) = (length(x.x, x.y), length(y.x, y.y))
    let nothing = max(lengthX, lengthY) * 1e-12
    skew = 0
    if lengthX > nothing {
      let unit = x / lengthX
      let upright = y.y * unit.x - y.x * unit.y
      scale = SIMD2(lengthX, upright.magnitude > nothing ? upright : 0)
      if scale.y != 0 { skew = (y.x * unit.x + y.y * unit.y) / scale.y }
      angle = Geometry.angle(x: unit.x, y: unit.y)
    } else if lengthY > 0 {
      scale = SIMD2(0, lengthY)
      angle = Geometry.angle(x: y.y, y: -y.x)
    } else {
      scale = .zero
    }
  }

  var transform: Transform3D {
    let turn = angle ?? 0
    let (s, c) = (sine(turn), cosine(turn))
    return Transform3D(
      m11: scale.x * c, m12: scale.x * s, m21: scale.y * (skew * c - s), m22: scale.y * (skew * s + c),
      m41: translation.x, m42: translation.y)
  }

  private var isMirrored: Bool { scale.x * scale.y < 0 }

  /// The same transform, mirrored along the other axis and turned by a half.
  private var other: PlaneDecomposition {
    var copy = self
    copy.scale *= -1
    copy.angle = angle.map { $0 + .pi }
    return copy
  }

  func interpolated(to end: PlaneDecomposition, _ progress: Double) -> PlaneDecomposition {
    var (start, end) = (self, end)
    // Of the two axes along which the mirrored one may be mirrored, the one with the shorter turn.
    if start.isMirrored != end.isMirrored {
      let way = Self.way(from: start.angle, to: end.angle).magnitude
      if way > .pi / 2 {
        if start.isMirrored { start = start.other } else { end = end.other }
      }
    }
    var result = start
    result.scale += (end.scale - start.scale) * progress
    result.skew += (end.skew - start.skew) * progress
    result.translation += (end.translation - start.translation) * progress
    result.angle = start.angle.map { $0 + Self.way(from: $0, to: end.angle) * progress } ?? end.angle
    return result
  }

  /// The shorter way, from -π to π; none where either is not turned at all.
  private static func way(from a: Double?, to b: Double?) -> Double {
    guard let a, let b else { return 0 }
    let way = (b - a).remainder(dividingBy: 2 * .pi)
    return way
  }
}

extension Transform3D {
  /// What lies `progress` of the way to `other`, by what they are made of: translation, scale, skew, rotation the shorter
  /// way, perspective. Beyond 0 and 1 it goes on. What can't be taken apart changes over at the half.
  public func interpolated(to other: Transform3D, _ progress: Double) -> Transform3D {
    if progress == 0 || self == other { return self }
    if progress == 1 { return other }
    if let start = PlaneDecomposition(self), let end = PlaneDecomposition(other) {
      return start.interpolated(to: end, progress).transform
    }
    guard let start = TransformDecomposition(self), let end = TransformDecomposition(other) else {
      return progress < 0.5 ? self : other
    }
    return start.interpolated(to: end, progress).transform
  }
}

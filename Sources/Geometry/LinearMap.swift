/// The linear part of a map of the plane: (1, 0) goes to (a, b), (0, 1) to (c, d).
public struct LinearMap: Sendable, Hashable {
  public var a: Double, b: Double, c: Double, d: Double

  public init(a: Double, b: Double, c: Double, d: Double) {
    self.a = a
    self.b = b
    self.c = c
    self.d = d
  }

  /// How much it stretches in the directions in which it stretches most and least.
  public var singularValues: (largest: Double, smallest: Double) {
    // The map as a turn with one scale, and a mirrored one: of a mere turn the latter is nothing, to the last bit. No two
    // squares are taken from each other, so a turn isn't half of a number's digits larger or smaller than one.
    let largest = (length(a + d, b - c) + length(a - d, b + c)) / 2
    return (largest, largest > 0 ? (a * d - b * c).magnitude / largest : 0)
  }
}

extension Homography {
  /// The linear part of the map about `p`; nil where that is not in view.
  public func scales(at p: Point) -> LinearMap? {
    let q = project(p)
    guard q.w > 0 else { return nil }
    if isAffine { return LinearMap(a: m11, b: m12, c: m21, d: m22) }
    let (x, y) = (q.x / q.w, q.y / q.w)
    return LinearMap(
      a: (m11 - x * m14) / q.w, b: (m12 - y * m14) / q.w, c: (m21 - x * m24) / q.w, d: (m22 - y * m24) / q.w)
  }
}

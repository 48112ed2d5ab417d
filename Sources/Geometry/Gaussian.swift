/// A gaussian in the plane, by its covariance: what a blur of a layer is in the pixels that show it. Cut off at three
/// standard deviations.
public struct Gaussian: Sendable, Hashable {
  public var xx: Double
  public var xy: Double
  public var yy: Double

  public init(xx: Double, xy: Double = 0, yy: Double) {
    self.xx = xx
    self.xy = xy
    self.yy = yy
  }

  /// A round gaussian of this standard deviation in the space before `map`, seen after it.
  public init(radius: Double, under map: LinearMap) {
    let variance = radius * radius
    xx = variance * (map.a * map.a + map.c * map.c)
    xy = variance * (map.a * map.b + map.c * map.d)
    yy = variance * (map.b * map.b + map.d * map.d)
    // What rounding leaves of a quarter turn's.
    if xy.magnitude <= 1e-9 * (xx + yy) { xy = 0 }
  }

  /// How far it reaches to either side, in whole pixels.
  public var reach: (x: Int32, y: Int32) { (Self.reach(xx), Self.reach(yy)) }

  /// Whether it is large enough to show.
  public var isVisible: Bool { xx.isFinite && yy.isFinite && max(xx, yy) > 1e-4 }

  /// The smaller of its standard deviations along its own axes.
  public var smallestDeviation: Double {
    let (half, difference) = ((xx + yy) / 2, (xx - yy) / 2)
    return max(0, half - (difference * difference + xy * xy).squareRoot()).squareRoot()
  }

  /// Both, one after the other.
  public static func + (a: Gaussian, b: Gaussian) -> Gaussian {
    Gaussian(xx: a.xx + b.xx, xy: a.xy + b.xy, yy: a.yy + b.yy)
  }

  /// Seen with pixels `x` and `y` times as small.
  public func scaled(x: Double, y: Double) -> Gaussian { Gaussian(xx: xx * x * x, xy: xy * x * y, yy: yy * y * y) }

  /// Far enough for any picture, and so little that sums of it stay in range.
  private static let longestReach = 1e6

  private static func reach(_ variance: Double) -> Int32 {
    let reach = (3 * max(0, variance).squareRoot() - 1e-6).rounded(.up)
    return reach.isFinite ? Int32(min(longestReach, max(0, reach))) : Int32(longestReach)
  }
}

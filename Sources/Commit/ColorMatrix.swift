import Geometry

/// A linear map of encoded colours with straight alpha: four rows of five numbers, as in CSS and SVG. After it, what leaves
/// 0…1 is clamped; in an extended working space only alpha is.
public struct ColorMatrix: Sendable, Hashable {
  // What a whole of each component adds to the result, and what is added to any colour.
  public var red: SIMD4<Float>
  public var green: SIMD4<Float>
  public var blue: SIMD4<Float>
  public var alpha: SIMD4<Float>
  public var constant: SIMD4<Float>

  public init(
    red: SIMD4<Float>, green: SIMD4<Float>, blue: SIMD4<Float>, alpha: SIMD4<Float>, constant: SIMD4<Float> = .zero
  ) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
    self.constant = constant
  }

  public static let identity = ColorMatrix(
    red: SIMD4(1, 0, 0, 0), green: SIMD4(0, 1, 0, 0), blue: SIMD4(0, 0, 1, 0), alpha: SIMD4(0, 0, 0, 1))

  /// From twenty numbers, row by row: the rows are the results red, green, blue, alpha; the columns are what red, green,
  /// blue and alpha add to them, and a constant. Nil for another count.
  public init?(rows: [Double]) {
    guard rows.count == 20 else { return nil }
    func column(_ index: Int) -> SIMD4<Float> {
      SIMD4(Float(rows[index]), Float(rows[index + 5]), Float(rows[index + 10]), Float(rows[index + 15]))
    }
    self.init(red: column(0), green: column(1), blue: column(2), alpha: column(3), constant: column(4))
  }

  /// The colour that it makes of a colour with straight alpha, not clamped.
  @inlinable
  public func apply(_ color: SIMD4<Float>) -> SIMD4<Float> {
    red * color.x + green * color.y + blue * color.z + alpha * color.w + constant
  }

  /// This map and then `next`, as one, without the clamping between.
  public func followed(by next: ColorMatrix) -> ColorMatrix {
    func linear(_ column: SIMD4<Float>) -> SIMD4<Float> { next.apply(column) - next.constant }
    return ColorMatrix(
      red: linear(red), green: linear(green), blue: linear(blue), alpha: linear(alpha),
      constant: next.apply(constant))
  }

  /// Whether no colour leaves 0…1, so that there is nothing to clamp after it.
  public var staysInRange: Bool {
    var (low, high) = (constant, constant)
    for column in [red, green, blue, alpha] {
      low += column.replacing(with: 0, where: column .> 0)
      high += column.replacing(with: 0, where: column .< 0)
    }
    return low.min() >= -1e-6 && high.max() <= 1 + 1e-6
  }

  /// Whether it holds no colour to the range of this space: what comes out is no further from 0 than what goes in, or than 1,
  /// and alpha stays within 0…1 whatever the colour.
  public func clampsNothing(in space: WorkingSpace) -> Bool {
    guard space.isExtended else { return staysInRange }
    let limit: Float = 1 + 1e-6
    let sums = [red, green, blue, alpha, constant].reduce(SIMD4<Float>.zero) { sum, column in
      sum + column.replacing(with: -column, where: column .< 0)
    }
    return sums.max() <= limit && red.w == 0 && green.w == 0 && blue.w == 0 && constant.w >= 0
      && alpha.w + constant.w >= 0 && alpha.w + constant.w <= limit
  }

  public var isFinite: Bool {
    [red, green, blue, alpha, constant].allSatisfy { column in (0..<4).allSatisfy { column[$0].isFinite } }
  }
}

/// Where a series of runs changed for good: E-divisive, which asks of each place how far what comes before lies from what comes
/// after by all pairwise distances (Matteson and James), and of the best place whether Welch's t agrees. No draw of chance
/// is in it: the same series gives the same places.
public enum ChangePoints {
  public struct Point: Sendable, Hashable {
    /// Of the first run that is different.
    public var index: Int
    /// Means of the stretches on either side.
    public var before: Double
    public var after: Double
    public var p: Double
  }

  /// Shorter stretches say nothing.
  public static let shortest = 4

  /// In order. Empty for a series with a number that is none.
  /// - Complexity: O(n² · points)
  public static func find(_ series: [Double], alpha: Double = 0.001) -> [Point] {
    guard series.allSatisfy(\.isFinite) else { return [] }
    var edges = [0, series.count]
    while true {
      var best: (index: Int, p: Double)?
      for (start, end) in zip(edges, edges.dropFirst()) {
        guard let split = split(Array(series[start..<end])) else { continue }
        let p = welch(Array(series[start..<start + split.index]), Array(series[start + split.index..<end]))
        if let p, p < alpha, p < best?.p ?? 1 { best = (start + split.index, p) }
      }
      guard let best else { break }
      edges = (edges + [best.index]).sorted()
    }
    return edges.dropFirst().dropLast().enumerated().compactMap { place, index in
      let (left, right) = (Array(series[edges[place]..<index]), Array(series[index..<edges[place + 2]]))
      guard let p = welch(left, right) else { return nil }
      return Point(index: index, before: mean(left), after: mean(right), p: p)
    }
  }

  /// The place where what comes before and after lie furthest apart, and how far. Nil where there is no room.
  public static func split(_ series: [Double]) -> (index: Int, distance: Double)? {
    var best: (index: Int, distance: Double)?
    for index in stride(from: shortest, through: series.count - shortest, by: 1) {
      let distance = energy(Array(series[..<index]), Array(series[index...]))
      if distance > best?.distance ?? -.infinity { best = (index, distance) }
    }
    return best
  }

  /// The scaled distance of two samples: `mn/(m+n) · (2·E|X−Y| − E|X−X′| − E|Y−Y′|)`.
  public static func energy(_ a: [Double], _ b: [Double]) -> Double {
    func within(_ values: [Double]) -> Double {
      guard values.count > 1 else { return 0 }
      var sum = 0.0
      for i in values.indices { for j in values.indices where j > i { sum += (values[i] - values[j]).magnitude } }
      return sum * 2 / Double(values.count * (values.count - 1))
    }
    var between = 0.0
    for x in a { for y in b { between += (x - y).magnitude } }
    let (m, n) = (Double(a.count), Double(b.count))
    guard m > 0, n > 0 else { return 0 }
    return m * n / (m + n) * (2 * between / (m * n) - within(a) - within(b))
  }

  /// Two-sided, of two samples of their own spreads. Nil where neither has any.
  public static func welch(_ a: [Double], _ b: [Double]) -> Double? {
    guard a.count > 1, b.count > 1 else { return nil }
    let (x, y) = (variance(a) / Double(a.count), variance(b) / Double(b.count))
    let difference = (mean(a) - mean(b)).magnitude
    guard x + y > 0 else { return difference > 0 ? 0 : 1 }
    let freedom = (x + y) * (x + y) / (x * x / Double(a.count - 1) + y * y / Double(b.count - 1))
    return Student.upperTail(difference / (x + y).squareRoot(), freedom: freedom).map { $0 * 2 }
  }

  private static func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }

  private static func variance(_ values: [Double]) -> Double {
    let middle = mean(values)
    return values.reduce(0) { $0 + ($1 - middle) * ($1 - middle) } / Double(values.count - 1)
  }
}

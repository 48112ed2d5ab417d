/// Where a series of runs changed for good. The places come from E-divisive's distance (Matteson and James): how far what
/// comes before lies from what comes after, by all pairwise distances. Whether a place is one, Welch's t says. As in Hunter
/// (arXiv 2301.03034), places are first sought generously, the series being divided again and again; then the weakest is
/// taken away until each that is left is surely a change. No draw of chance is in it: the same series gives the same places.
public enum ChangePoints {
  public struct Point: Sendable, Hashable {
    /// Of the first run that is different.
    public var index: Int
    /// Means of the stretches on either side.
    public var before: Double
    public var after: Double
    /// Welch's, times the places of the series: a place is the best of all of them (Bonferroni).
    public var p: Double
  }

  /// Shorter stretches say nothing.
  public static let shortest = 4
  /// At this level a place is worth a look, by itself.
  public static let generous = 0.01

  /// In order. Empty for a series with a number that is none.
  /// - Complexity: O(n²) for each place that is looked at.
  public static func find(_ series: [Double], alpha: Double = 0.001) -> [Point] {
    guard series.allSatisfy(\.isFinite) else { return [] }
    var edges = [0] + candidates(series) + [series.count]
    while true {
      settle(&edges, series)
      let points = points(edges, series)
      guard let weakest = points.indices.max(by: { points[$0].p < points[$1].p }) else { return [] }
      if points[weakest].p < alpha { return points }
      edges.remove(at: weakest + 1)
    }
  }

  /// Each stretch divided at its best place, while that is worth a look.
  private static func candidates(_ series: [Double]) -> [Int] {
    var found: [Int] = []
    var stretches = [0..<series.count]
    while let stretch = stretches.popLast() {
      let values = Array(series[stretch])
      guard let split = split(values),
        let p = welch(Array(values[..<split.index]), Array(values[split.index...])), p < generous
      else { continue }
      let place = stretch.lowerBound + split.index
      found.append(place)
      stretches += [stretch.lowerBound..<place, place..<stretch.upperBound]
    }
    return found.sorted()
  }

  /// Moves each place to the best between its neighbours, which were not known when it was found.
  private static func settle(_ edges: inout [Int], _ series: [Double]) {
    // Each move makes the stretches differ more, so this ends; the limit is for numbers that rounding lets go in circles.
    for _ in 0..<16 {
      let before = edges
      for place in edges.indices.dropFirst().dropLast() {
        let (start, end) = (edges[place - 1], edges[place + 1])
        if let split = split(Array(series[start..<end])) { edges[place] = start + split.index }
      }
      if edges == before { return }
    }
  }

  private static func points(_ edges: [Int], _ series: [Double]) -> [Point] {
    edges.indices.dropFirst().dropLast().map { place in
      let left = Array(series[edges[place - 1]..<edges[place]])
      let right = Array(series[edges[place]..<edges[place + 1]])
      let p = min(1, (welch(left, right) ?? 1) * Double(series.count))
      return Point(index: edges[place], before: mean(left), after: mean(right), p: p)
    }
  }

  /// The place where what comes before and after lie furthest apart, and how far. Nil where there is no room.
  public static func split(_ series: [Double]) -> (index: Int, distance: Double)? {
    guard series.count >= 2 * shortest else { return nil }
    // Sums of the distances within what comes before and within what comes after, as one value after the other changes sides.
    var (before, after) = (0.0, 0.0)
    for i in series.indices { after += distances(of: i, to: i + 1..<series.count, series) }
    let all = after
    var best: (index: Int, distance: Double)?
    for index in 1...(series.count - shortest) {
      before += distances(of: index - 1, to: 0..<index - 1, series)
      after -= distances(of: index - 1, to: index..<series.count, series)
      guard index >= shortest else { continue }
      let distance = scaled(
        between: all - before - after, before: before, after: after, counts: (index, series.count - index))
      if distance > best?.distance ?? -.infinity { best = (index, distance) }
    }
    return best
  }

  /// The scaled distance of two samples: `mn/(m+n) · (2·E|X−Y| − E|X−X′| − E|Y−Y′|)`.
  public static func energy(_ a: [Double], _ b: [Double]) -> Double {
    func within(_ values: [Double]) -> Double {
      values.indices.reduce(0) { $0 + distances(of: $1, to: $1 + 1..<values.count, values) }
    }
    let both = a + b
    let between = a.indices.reduce(0) { $0 + distances(of: $1, to: a.count..<both.count, both) }
    return scaled(between: between, before: within(a), after: within(b), counts: (a.count, b.count))
  }

  private static func distances(of index: Int, to others: Range<Int>, _ series: [Double]) -> Double {
    others.reduce(0) { $0 + (series[index] - series[$1]).magnitude }
  }

  /// Of sums of distances, those within a sample of each pair once.
  private static func scaled(between: Double, before: Double, after: Double, counts: (Int, Int)) -> Double {
    let (m, n) = (Double(counts.0), Double(counts.1))
    guard m > 0, n > 0 else { return 0 }
    let withinBefore = m > 1 ? 2 * before / (m * (m - 1)) : 0
    let withinAfter = n > 1 ? 2 * after / (n * (n - 1)) : 0
    return m * n / (m + n) * (2 * between / (m * n) - withinBefore - withinAfter)
  }

  /// Two-sided, of two samples of their own spreads. Nil where either has but one number.
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

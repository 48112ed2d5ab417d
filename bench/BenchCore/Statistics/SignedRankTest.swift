/// Wilcoxon's signed-rank test: whether paired differences lie above a number for a reason.
public enum SignedRankTest {
  /// The chance of a rank sum as large, if the values lay around `center` (or below) by chance. Exact up to 50 values
  /// without ties, by the normal distribution with the ties' correction beyond. Values that equal `center` do not count.
  /// Nil where none is left, or one is no number.
  /// - Complexity: O(n log n), exact O(n³)
  public static func upperTail(_ values: [Double], above center: Double = 0) -> Double? {
    guard values.allSatisfy(\.isFinite), center.isFinite else { return nil }
    let differences = values.map { $0 - center }.filter { $0 != 0 }
    guard !differences.isEmpty else { return nil }
    let order = differences.indices.sorted { differences[$0].magnitude < differences[$1].magnitude }
    var ranks = [Double](repeating: 0, count: differences.count)
    var (tieSum, start) = (0.0, 0)
    while start < order.count {
      var end = start + 1
      while end < order.count, differences[order[end]].magnitude == differences[order[start]].magnitude { end += 1 }
      // Those of one size share the middle of their ranks.
      for place in start..<end { ranks[order[place]] = Double(start + 1 + end) / 2 }
      let count = Double(end - start)
      tieSum += count * count * count - count
      start = end
    }
    let sum = zip(differences, ranks).reduce(0) { $0 + ($1.0 > 0 ? $1.1 : 0) }
    if differences.count <= 50, tieSum == 0 { return exactUpperTail(Int(sum), count: differences.count) }
    let n = Double(differences.count)
    let variance = n * (n + 1) * (2 * n + 1) / 24 - tieSum / 48
    guard variance > 0 else { return nil }
    return Normal.lowerTail(-(sum - n * (n + 1) / 4) / variance.squareRoot())
  }

  private static func exactUpperTail(_ sum: Int, count: Int) -> Double {
    var chances = [1.0]
    for rank in stride(from: 1, through: count, by: 1) {
      var next = chances + [Double](repeating: 0, count: rank)
      for (index, chance) in chances.enumerated() { next[index + rank] += chance }
      chances = next.map { $0 / 2 }
    }
    return min(1, chances[max(0, min(sum, chances.count))...].reduce(0, +))
  }
}

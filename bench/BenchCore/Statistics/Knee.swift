/// Where cost begins to grow faster: `cost(N) = fixed + slope · N + more · max(0, N − knee)`. A cache that is full, a
/// batch that splits, a texture that spills show as such a bend.
public struct Knee: Sendable, Hashable {
  /// One of the N that were measured; the bend lies there or between it and a neighbour.
  public var n: Int
  public var fixed: Double
  public var slopeBefore: Double
  public var slopeAfter: Double
  /// By how much the bent line is to be preferred to the straight one: the difference of Bayes's information criterion.
  public var evidence: Double

  /// Less is not worth a name: the line's own lack of fit tells of it.
  static let leastBend = 1.2
  static let leastEvidence = 10.0

  /// `rounds` holds, for each N, the cost in each round, all N in the same rounds. Nil without five N and four rounds;
  /// where the straight line is as good; and where the rounds of one half don't confirm what those of the other show.
  /// - Complexity: O(N²) fits
  public init?(rounds: [(n: Int, costs: [Double])]) {
    let cells = rounds.sorted { $0.n < $1.n }
    let count = cells.map(\.costs.count).min() ?? 0
    guard cells.count >= 5, count >= 4 else { return nil }
    let all = Half(cells, Array(0..<count))
    guard let noise = Self.noise(cells, all.means, count), let straight = all.miss(bentAt: nil) else { return nil }
    var best: (bend: Bend, miss: Double)?
    // Two cells at least on each side, else a single wild one is a bend.
    for place in cells.indices.dropFirst().dropLast(2) {
      guard let bend = all.fit(bentAt: cells[place].n), let miss = all.miss(bentAt: cells[place].n) else { continue }
      if bend.more > 0, miss < best?.miss ?? .infinity { best = (bend, miss) }
    }
    guard let best else { return nil }
    // Two more numbers, the bend and its place, are what the criterion asks to be paid for.
    let penalty = 2 * naturalLogarithm(Double(cells.count * count))
    let evidence = (straight - best.miss) * Double(count) / (noise * noise) - penalty
    let after = best.bend.slope + best.bend.more
    guard evidence > Self.leastEvidence, best.bend.slope > 0, after >= Self.leastBend * best.bend.slope else {
      return nil
    }
    let halves = [0, 1].map { part in Half(cells, (0..<count).filter { $0 % 2 == part }) }
    guard Self.confirmed(halves[0], halves[1], at: best.bend.n), Self.confirmed(halves[1], halves[0], at: best.bend.n)
    else { return nil }
    n = best.bend.n
    fixed = best.bend.fixed
    slopeBefore = best.bend.slope
    slopeAfter = after
    self.evidence = evidence
  }

  /// Of the N within, the one where a bent line is better than a bent line anywhere else, however little there is to say for
  /// it: where more points would tell most. Nil without four N or a round of all of them.
  public static func likeliest(_ rounds: [(n: Int, costs: [Double])]) -> Int? {
    let cells = rounds.sorted { $0.n < $1.n }
    let count = cells.map(\.costs.count).min() ?? 0
    guard cells.count >= 4, count > 0 else { return nil }
    let all = Half(cells, Array(0..<count))
    let within = cells.dropFirst().dropLast().map(\.n)
    let misses = within.compactMap { n in all.miss(bentAt: n).map { (n: n, miss: $0) } }
    return misses.min { $0.miss < $1.miss }?.n
  }

  /// The relative deviation of one cost in one round, once what slowed the whole round is taken away.
  private static func noise(_ cells: [(n: Int, costs: [Double])], _ means: [Double], _ count: Int) -> Double? {
    var sum = 0.0
    for round in 0..<count {
      var misses: [Double] = []
      for (cell, mean) in zip(cells, means) { misses.append(cell.costs[round] / mean - 1) }
      let shared = misses.reduce(0, +) / Double(misses.count)
      for miss in misses { sum += (miss - shared) * (miss - shared) }
    }
    let freedom = Double((count - 1) * (cells.count - 1))
    let noise = (sum / freedom).squareRoot()
    return noise > 0 && noise.isFinite ? noise : nil
  }

  /// Whether the bend that one half of the rounds gives fits the other half better than its straight line does.
  private static func confirmed(_ half: Half, _ other: Half, at n: Int) -> Bool {
    guard let bend = half.fit(bentAt: n), let straight = half.fit(bentAt: nil) else { return false }
    return other.miss(of: bend) < other.miss(of: straight)
  }
}

/// A line with a bend, or with none.
private struct Bend {
  var fixed: Double
  var slope: Double
  var more: Double
  var n: Int

  func cost(at x: Double) -> Double { fixed + slope * x + more * max(0, x - Double(n)) }
}

/// The mean cost at each N over some of the rounds.
private struct Half {
  var counts: [Int]
  var means: [Double]

  init(_ cells: [(n: Int, costs: [Double])], _ rounds: [Int]) {
    counts = cells.map(\.n)
    means = cells.map { cell in rounds.reduce(0) { $0 + cell.costs[$1] } / Double(rounds.count) }
  }

  /// Least squares of the relative misses, by the normal equations of two or three unknowns.
  func fit(bentAt n: Int?) -> Bend? {
    var matrix = [[Double]](repeating: [0, 0, 0], count: 3)
    var right = [0.0, 0.0, 0.0]
    for (count, mean) in zip(counts, means) {
      guard mean > 0, mean.isFinite else { return nil }
      let x = Double(count)
      let row = [1 / mean, x / mean, n.map { max(0, x - Double($0)) / mean } ?? 0]
      for i in 0..<3 {
        for j in 0..<3 { matrix[i][j] += row[i] * row[j] }
        right[i] += row[i]
      }
    }
    if n == nil { matrix[2][2] = 1 }
    guard let solution = Self.solve(matrix, right) else { return nil }
    return Bend(fixed: solution[0], slope: solution[1], more: solution[2], n: n ?? 0)
  }

  func miss(of bend: Bend) -> Double {
    zip(counts, means).reduce(0) { sum, cell in
      let miss = bend.cost(at: Double(cell.0)) / cell.1 - 1
      return sum + miss * miss
    }
  }

  func miss(bentAt n: Int?) -> Double? { fit(bentAt: n).map { miss(of: $0) } }

  /// Gauss's elimination with pivots. Nil where the unknowns are not independent.
  private static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double]? {
    var rows = zip(matrix, right).map { $0.0 + [$0.1] }
    for column in 0..<3 {
      guard let pivot = (column..<3).max(by: { rows[$0][column].magnitude < rows[$1][column].magnitude }),
        rows[pivot][column].magnitude > 1e-300
      else { return nil }
      rows.swapAt(column, pivot)
      for row in 0..<3 where row != column {
        let factor = rows[row][column] / rows[column][column]
        for entry in column..<4 { rows[row][entry] -= factor * rows[column][entry] }
      }
    }
    let solution = (0..<3).map { rows[$0][3] / rows[$0][$0] }
    return solution.allSatisfy(\.isFinite) ? solution : nil
  }
}

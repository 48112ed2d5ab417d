/// Whether the pass that became dearer is the one that is named first (bar B9).
public struct PassTrials {
  private let trials: Int
  private let seed: UInt64

  public init(trials: Int, seed: UInt64) { (self.trials, self.seed) = (trials, seed) }

  public func bars() -> [SelftestBar] {
    var chance = Gaussian(seed: seed &+ 9)
    var first = 0
    for _ in 0..<trials {
      // A frame of some passes, from a twentieth of a millisecond to five.
      let costs = (0..<(4 + Int(chance.uniform() * 12))).map { _ in 0.05 * exponential(chance.uniform() * 4.6) }
      let dearer = Int(chance.uniform() * Double(costs.count))
      // The two runs were not made in the same hour.
      let hour = exponential(0.1 * chance.next())
      var grown = costs
      grown[dearer] *= 1.2
      let base = Self.parts(costs, &chance)
      let head = Self.parts(grown.map { $0 * hour }, &chance)
      if PartMovement.rank(base, head).movements.first?.name == base[dearer].name { first += 1 }
    }
    return [
      SelftestBar(
        "B9", "a pass that costs 20 % more is named first", 100 * Double(first) / Double(max(1, trials)),
        in: .atLeast(95), note: "\(first) of \(trials), each of \(FeatureRunner.fewestPartFrames) frames")
    ]
  }

  private static func parts(_ costs: [Double], _ chance: inout Gaussian) -> [PartTime] {
    var frames = [[Double]](repeating: [], count: costs.count)
    for _ in 0..<FeatureRunner.fewestPartFrames {
      let mood = 0.05 * chance.next()
      for (index, cost) in costs.enumerated() { frames[index].append(cost * exponential(mood + 0.08 * chance.next())) }
    }
    return frames.enumerated().map { index, times in
      let middle = Quantile.median(times) ?? .nan
      let spread = (Quantile.medianDeviation(times) ?? .nan) / middle
      return PartTime(name: "pass \(index)", milliseconds: middle, spread: spread, frames: times.count)
    }
  }
}

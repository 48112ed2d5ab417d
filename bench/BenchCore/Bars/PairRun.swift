/// Two ways to draw the same, held against each other in every round.
struct ContenderPair {
  var name: String
  var limit: Double
  var first: any Contender
  var second: any Contender
  var note = ""
}

/// Times pairs in interleaved rounds: in each, every pair once, in random order, and of each pair the two side by side.
struct PairRun {
  let clock: any BenchClock
  let console: Console
  let rounds: Int

  /// Frames of a round: as many as take this long, at most eight.
  private static let blockSeconds = 0.03

  func bars(_ pairs: [ContenderPair], random: inout SplitMix64) throws(BenchError) -> [Bar] {
    var frames = [Int](repeating: 0, count: pairs.count * 2)
    var blocks = [Int](repeating: 1, count: pairs.count * 2)
    for index in pairs.indices {
      for side in 0..<2 {
        let contender = side == 0 ? pairs[index].first : pairs[index].second
        var seconds = 0.0
        for _ in 0..<4 {
          let begin = clock.monotonicNanoseconds
          _ = try contender.draw(frame: frames[index * 2 + side])
          seconds = Double(clock.monotonicNanoseconds - begin) / 1e9
          frames[index * 2 + side] += 1
        }
        blocks[index * 2 + side] = max(1, min(8, Int(Self.blockSeconds / max(1e-6, seconds))))
      }
    }
    var costs = [[Double]](repeating: [], count: pairs.count * 2)
    for round in 0..<rounds {
      console.progress("bars: round \(round + 1) of \(rounds)")
      var order = Array(pairs.indices)
      random.shuffle(&order)
      for index in order {
        var sides = [0, 1]
        random.shuffle(&sides)
        for side in sides {
          let contender = side == 0 ? pairs[index].first : pairs[index].second
          let place = index * 2 + side
          // One that does not count: it finds the caches full of another.
          for number in 0...blocks[place] {
            let begin = clock.cpuNanoseconds
            _ = try contender.draw(frame: frames[place])
            frames[place] += 1
            if number == 0 { continue }
            let used = Double(clock.cpuNanoseconds - begin) / 1e6
            if number == 1 { costs[place].append(used) } else { costs[place][costs[place].count - 1] += used }
          }
          costs[place][costs[place].count - 1] /= Double(blocks[place])
        }
      }
    }
    console.progress(nil)
    return pairs.indices.map { index in
      let pair = pairs[index]
      let ratio = PairedRatio.estimate(costs[index * 2], costs[index * 2 + 1])
      func middle(_ values: [Double]) -> String { NumberText.significant(Quantile.median(values) ?? .nan, 3) }
      return Bar(
        pair.name, ratio?.value, limit: pair.limit, interval: ratio?.interval,
        note: "\(middle(costs[index * 2])) ms over \(middle(costs[index * 2 + 1])) ms"
          + (pair.note.isEmpty ? "" : "; \(pair.note)"))
    }
  }
}

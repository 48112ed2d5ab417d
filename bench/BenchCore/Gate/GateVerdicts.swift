/// What counted frames do against a baseline and limits.
public enum GateVerdicts {
  /// `read` gives the baseline of a path.
  public static func judge(
    _ entries: [CounterBaseline.Entry], of exact: GateConfig.Exact, into tier: inout GateTier, today: String,
    read: (String) throws(BenchError) -> CounterBaseline
  ) {
    if let path = exact.baseline {
      do throws(BenchError) {
        let base = try read(path)
        if let sentence = base.staleness(on: today, maximumAge: exact.maximumAge, name: path) {
          throw BenchError(.baseline, sentence)
        }
        let verdict = base.judge(
          entries, budget: exact.growth, isStrict: exact.isStrictAboutImprovement, advisory: exact.advisory)
        tier.rows += verdict.rows
        tier.found += verdict.found
      } catch {
        tier.add(error.code == .baseline ? .baseline : .toolError, error.description, id: "exact", metric: "baseline")
      }
    }
    for limit in exact.limits { judge(limit, entries, into: &tier) }
  }

  private static func judge(
    _ limit: GateConfig.Limit, _ entries: [CounterBaseline.Entry], into tier: inout GateTier
  ) {
    let held = entries.filter { $0.counter == limit.counter && limit.matches($0.id) }
    // A limit that nothing is held to would be green for ever.
    guard !held.isEmpty else {
      tier.add(
        .invalid, "the limit of \(limit.place) is of \(limit.counter) in \(limit.cell), and no such thing was counted",
        id: limit.cell, metric: limit.counter)
      return
    }
    for entry in held {
      let sentence = "\(NumberText.grouped(entry.value)); at most \(NumberText.grouped(limit.most)) is allowed"
      guard entry.value > limit.most else {
        tier.rows.append(GateRow(id: entry.id, metric: entry.counter + " limit", state: .passed, sentence: sentence))
        continue
      }
      tier.add(.regression, "\(entry.name): \(sentence)", id: entry.id, metric: entry.counter + " limit")
    }
  }
}

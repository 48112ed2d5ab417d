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

  /// What a count of instructions printed, and ended with.
  public static func judge(instructions lines: [String], _ code: ExitStatus.Code, into tier: inout GateTier) {
    let metric = "instructions_per_frame"
    func id(_ line: String) -> String { String(line.prefix { $0 != ":" }) }
    var reasons = lines.filter { $0.hasPrefix("FAILS: ") }.map { String($0.dropFirst(7)) }
    for line in lines where line.contains(" became ") && !line.hasPrefix("FAILS: ") && !reasons.contains(line) {
      tier.rows.append(GateRow(id: id(line), metric: metric, state: .passed, sentence: line))
    }
    // A count that says nothing is none.
    let isSilent = code == .ok && tier.rows.isEmpty
    guard code != .ok || isSilent else { return }
    if reasons.isEmpty { reasons = [lines.last ?? "it ended with code \(code.rawValue) and no number"] }
    for reason in reasons { tier.add(isSilent ? .invalid : code, reason, id: id(reason), metric: metric) }
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

/// The first lines of a run: what runs on what.
enum Heading {
  static func lines(_ result: BenchmarkResult) -> [String] {
    let environment = result.environment
    let shape = result.shape
    var lines = [
      "porthole-bench \(result.tool.version) (\(result.tool.build) build), seed \(result.seed), "
        + "\(shape.width)x\(shape.height) pt at \(NumberText.shortest(shape.scale))x",
      "\(environment.renderer)\(environment.isSoftware ? " (the GPU is the CPU)" : ""), \(environment.glVersion)",
      "\(environment.cpu), \(environment.cores) cores, \(environment.kernel)",
    ]
    let pins = environment.pins.compactMap { pin in pin.value.map { "\(pin.name)=\($0)" } }
    if !pins.isEmpty { lines.append(pins.joined(separator: " ")) }
    return lines + result.notes
  }
}

/// The last lines of a run: ratios, and the summary in plain words.
public enum Closing {
  /// The portal's cost in terms of the others', at each N.
  public static func ratios(_ result: BenchmarkResult) -> [String] {
    let others: [Strategy] = [.floor, .duplicate, .snapshot]
    return result.suites.flatMap { suite -> [String] in
      let cells = result.ratios.filter { $0.suite == suite && $0.metric == result.leadingMetric }
      guard !cells.isEmpty else { return [] }
      let shown = others.filter { other in cells.contains { $0.denominator == other } }
      let head = shown.map { PointTable.pad("portal / \($0.rawValue)", 29) }.joined()
      let title = "\(suite.rawValue), ratio of \(Summary.name(result.leadingMetric)) (95 % interval)"
      let rows = Array(Set(cells.map(\.n))).sorted().map { n in
        "  " + PointTable.pad("N = \(n)", 10)
          + shown.map { other in
            let cell = cells.first { $0.n == n && $0.denominator == other }
            return PointTable.pad(cell.map { EstimateText.ratio($0.ratio) } ?? "-", 29)
          }.joined()
      }
      return ["", title, "  " + PointTable.pad("", 10) + head] + rows
    }
  }
}

/// A suite's table, and where the time of its last point goes.
enum FeatureTable {
  static func lines(_ cells: [FeatureCell]) -> [String] {
    guard let suite = cells.first?.key.suite else { return [] }
    func pad(_ text: String, _ width: Int) -> String { PointTable.pad(text, width) }
    var lines = [
      "  " + PointTable.padEnd(suite.parameter, 15) + pad("CPU ms", 8) + pad("wall ms", 9)
        + FeatureCell.stages.map { pad($0, 9) }.joined() + pad("passes", 8) + pad("batches", 9) + pad("quads", 8)
        + pad("Mpx", 8)
    ]
    for cell in cells {
      let name = "  " + PointTable.padEnd(cell.key.value, 15)
      guard cell.status == .ok else {
        lines.append("\(name)\(cell.status.rawValue): \(cell.reason ?? "")")
        continue
      }
      let times = [cell.cpu, cell.wall].map { $0.map { NumberText.significant($0, 3) } ?? "-" }
      let count = cell.counters
      lines.append(
        name + pad(times[0], 8) + pad(times[1], 9)
          + cell.stageMedians.map { pad(NumberText.significant($0, 2), 9) }.joined()
          + pad("\(count?.passes ?? 0)", 8) + pad("\(count?.batches ?? 0)", 9) + pad("\(count?.quads ?? 0)", 8)
          + pad(NumberText.fixed(Double(count?.shadedPixels ?? 0) / 1e6, 2), 8))
    }
    if let last = cells.last(where: { $0.status == .ok && $0.attribution?.passes.isEmpty == false }),
      let attribution = last.attribution
    {
      lines += ["", "  where the frame of \(last.key.id) goes, in ms:"] + self.lines(attribution)
    }
    return lines
  }

  static func lines(_ attribution: Attribution) -> [String] {
    func row(_ name: String, _ milliseconds: Double, _ note: String = "") -> String {
      let share = attribution.frameMilliseconds > 0 ? milliseconds / attribution.frameMilliseconds * 100 : 0
      return "    " + PointTable.padEnd(name, 36) + PointTable.pad(NumberText.significant(milliseconds, 3), 9)
        + PointTable.pad(NumberText.fixed(share, 1), 7) + " %  \(note)"
    }
    var lines: [String] = []
    for index in FeatureCell.stages.indices where !FeatureCell.stagesOfGL.contains(index) {
      lines.append(row(FeatureCell.stages[index], attribution.stages[index]))
    }
    let shown = 8
    for pass in attribution.passes.sorted(by: { $0.milliseconds > $1.milliseconds }).prefix(shown) {
      lines.append(
        row("pass \(pass.name)", pass.milliseconds, "portals \(NumberText.significant(pass.portalMilliseconds, 3))"))
    }
    if attribution.passes.count > shown {
      let rest = attribution.passes.sorted { $0.milliseconds > $1.milliseconds }.dropFirst(shown)
      lines.append(row("\(rest.count) other passes", rest.reduce(0) { $0 + $1.milliseconds }))
    }
    lines.append(row("sum", attribution.frameMilliseconds))
    if let rest = attribution.unattributed, rest.magnitude > 0.05 {
      lines.append("    unattributed: \(NumberText.significant(rest * 100, 2)) % of GL's time is in no pass")
    }
    for source in attribution.sources.prefix(4) {
      let drawing = NumberText.significant(source.drawingMilliseconds, 3)
      let showing = NumberText.significant(source.showingMilliseconds, 3)
      lines.append("    source \(source.name): drawn in \(drawing), shown in \(showing)")
    }
    if let dearest = attribution.portals.first {
      let mean = attribution.portals.reduce(0) { $0 + $1.milliseconds } / Double(attribution.portals.count)
      lines.append(
        "    \(attribution.portals.count) showings: \(NumberText.significant(mean * 1000, 3)) µs each, the dearest "
          + "\(NumberText.significant(dearest.milliseconds * 1000, 3)) µs (\(dearest.name))")
    }
    return lines
  }
}

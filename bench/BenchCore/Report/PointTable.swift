/// Lines that a run prints as it goes.
enum PointTable {
  /// When a cell has drawn its first frames: counters are exact already, the time is a first look.
  static func first(_ cell: Cell, seconds: Double) -> String {
    let count = cell.counters.map { counts($0) } ?? ""
    return "  \(label(cell))  first look \(pad(NumberText.significant(seconds * 1000, 3), 8)) ms   \(count)"
  }

  static func skipped(_ cell: Cell) -> String { "  \(label(cell))  skipped: \(cell.reason ?? "")" }

  static func pictures(_ checks: [PictureCheck]) -> [String] {
    guard !checks.isEmpty else { return [] }
    let failed = checks.filter { !$0.passed }
    if failed.isEmpty {
      let names = Strategy.allCases.filter { strategy in checks.contains { $0.strategy == strategy } }
      let skipped = Set(checks.filter { $0.note.contains("not compared") }.map(\.strategy))
      let notes = names.filter(skipped.contains).map {
        "; \($0.rawValue) is not compared, since copies lie between pixels"
      }
      let compared = names.filter { !skipped.contains($0) }.map(\.rawValue).joined(separator: ", ")
      return ["  pictures of \(compared) at N = \(checks[0].n): they agree, and move" + notes.joined()]
    }
    return failed.map { "  WRONG PICTURE: \($0.strategy.rawValue) at N = \($0.n), frame \($0.frame): \($0.note)" }
  }

  /// The table of a suite that is done.
  static func lines(_ cells: [Cell], rounds: Int) -> [String] {
    let hasGPU = cells.contains { $0.rounds.contains { $0.gpuMilliseconds != nil } }
    var lines = [
      "  \(padEnd("strategy", 10))\(pad("N", 6))\(pad("CPU ms", 10))" + (hasGPU ? pad("GPU ms", 10) : "")
        + "\(pad("wall p50", 10))\(pad("p95", 9))\(pad("passes", 8))\(pad("batches", 9))\(pad("quads", 8))"
        + "\(pad("layers", 9))\(pad("shaded Mpx", 12))   (\(rounds) rounds)"
    ]
    for cell in cells where cell.status != .skipped {
      guard cell.status == .ok else {
        lines.append("  \(label(cell))  \(cell.status.rawValue): \(cell.reason ?? "")")
        continue
      }
      let walls = cell.wallFrames
      let gpu = hasGPU ? pad(number(Quantile.median(cell.values(.gpu))), 10) : ""
      let times =
        pad(number(Quantile.median(cell.values(.cpu))), 10) + gpu + pad(number(Quantile.median(walls)), 10)
        + pad(number(Quantile.of(walls, 0.95)), 9)
      let count = cell.counters
      let exact =
        pad(count.map { "\($0.passes)" } ?? "-", 8) + pad(count.map { "\($0.batches)" } ?? "-", 9)
        + pad(count.map { "\($0.quads)" } ?? "-", 8) + pad(count.map { "\($0.layersVisited)" } ?? "-", 9)
        + pad(count.map { NumberText.fixed(Double($0.shadedPixels) / 1e6, 2) } ?? "-", 12)
      lines.append("  \(label(cell))\(times)\(exact)")
    }
    return lines
  }

  private static func number(_ value: Double?) -> String { value.map { NumberText.significant($0, 3) } ?? "-" }

  private static func label(_ cell: Cell) -> String {
    padEnd(cell.key.strategy.rawValue, 10) + pad("\(cell.key.n)", 6)
  }

  private static func counts(_ count: FrameCount) -> String {
    "\(count.passes) passes, \(count.batches) batches, \(NumberText.grouped(count.quads)) quads, "
      + "\(NumberText.grouped(count.layersVisited)) layers, "
      + "\(NumberText.fixed(Double(count.shadedPixels) / 1e6, 2)) Mpx shaded"
  }

  static func pad(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  static func padEnd(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}

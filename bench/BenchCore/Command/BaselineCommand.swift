import Foundation

extension BenchTool {
  func baseline(_ options: BaselineOptions) throws(BenchError) -> Int32 {
    let today = String(Date.now.ISO8601Format().prefix(10))
    switch options.action {
    case .save:
      guard !FileManager.default.fileExists(atPath: options.file) else {
        throw BenchError(.report, "\(options.file) is there already; bless changes a baseline, and asks for a reason.")
      }
      try save(
        options,
        CounterBaseline(entries: try count(options), created: today, commit: Self.commit(), reason: options.reason))
    case .bless:
      let (first, second) = (try count(options), try count(options))
      guard first == second else {
        throw BenchError(.report, "two runs disagree on what frames do: nothing that could be blessed.")
      }
      var base = CounterBaseline(entries: first, created: today, commit: Self.commit(), reason: options.reason)
      if let old = try? read(options.file) { base.renames = old.renames }
      try save(options, base)
    case .show:
      let base = try read(options.file)
      for (name, value) in [("created", base.created), ("commit", base.commit), ("reason", base.reason)] {
        print("\(PointTable.padEnd(name, 10))\(value ?? "unknown")")
      }
      print("\(PointTable.padEnd("age", 10))\(base.age(on: today).map { "\($0) days" } ?? "unknown")")
      print("\(PointTable.padEnd("counters", 10))\(base.entries.count) of \(Set(base.entries.map(\.id)).count) cells")
    case .expire: try requireFresh(try read(options.file), options, today)
    case .check:
      let base = try read(options.file)
      try requireFresh(base, options, today)
      let report = base.check(
        try count(options), budget: options.budget, isStrictAboutImprovement: options.isStrictAboutImprovement)
      for row in GateRow.ranked(report.rows) where row.state != .passed || row.sentence.hasPrefix("new") {
        print("\(PointTable.padEnd(row.word, 12)) \(row.id) \(row.metric): \(row.sentence)")
      }
      if report.exit.code == .ok { print("\(report.rows.count) counters are within \(options.file)") }
      if !options.formats.isEmpty {
        let folder = try ReportFolder(options.outputFolder)
        for format in options.formats { _ = try folder.write(format.text(of: report) ?? "", format.fileName) }
      }
      return report.exit.code.rawValue
    }
    return ExitStatus.Code.ok.rawValue
  }

  private func count(_ options: BaselineOptions) throws(BenchError) -> [CounterBaseline.Entry] {
    guard let path = options.config else {
      return try CounterBaseline.entries(try CounterLedger(scenes: try SceneFolder.find(options.scenesFolder)).lines())
    }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchError(.usage, "\(path) can't be read.")
    }
    let config = try GateConfig(
      [UInt8](data), name: path, folder: URL(filePath: path).deletingLastPathComponent().relativePath)
    let count = try GateLedger(
      config: config, scenesFolder: config.exact.suites.isEmpty ? nil : try SceneFolder.find(options.scenesFolder)
    ).count()
    if let fault = count.faults.first { throw BenchError(.report, "\(fault.id): \(fault.sentence)") }
    return count.entries
  }

  private func read(_ path: String) throws(BenchError) -> CounterBaseline {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw BenchError(.baseline, "the baseline \(path) can't be read; baseline save makes one.")
    }
    return try CounterBaseline(text, name: path)
  }

  private func requireFresh(
    _ base: CounterBaseline, _ options: BaselineOptions, _ today: String
  ) throws(BenchError) {
    if let sentence = base.staleness(on: today, maximumAge: options.maximumAge, name: options.file) {
      throw BenchError(.baseline, sentence)
    }
  }

  private func save(_ options: BaselineOptions, _ base: CounterBaseline) throws(BenchError) {
    do {
      try Data(base.text.utf8).write(to: URL(filePath: options.file), options: .atomic)
    } catch {
      throw BenchError(.report, "\(options.file) can't be written; is there room, and may you write there?")
    }
    print("\(base.entries.count) counters are in \(options.file)")
  }

  /// Of the folder that it was started in; nil outside of a repository.
  static func commit() -> String? {
    guard let child = try? ChildProcess("/usr/bin/env", ["git", "rev-parse", "HEAD"], silencesErrors: true),
      let lines = child.readAll(within: 10), child.end() == .exit(0)
    else { return nil }
    return lines.first
  }
}

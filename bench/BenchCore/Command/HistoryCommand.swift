import Foundation

/// What `porthole-bench history` was asked for.
public struct HistoryOptions: Sendable, Hashable {
  public enum Action: String, Sendable, CaseIterable {
    case add, changepoints
  }

  public var action: Action
  public var file: String
  /// Of `add`: the runs.
  public var results: [String]

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(arguments, command: "history", flags: [], values: [])
    guard let action = reader.words.first.flatMap({ Action(rawValue: $0) }), reader.words.count >= 2,
      (reader.words.count > 2) == (action == .add)
    else {
      throw BenchError(.usage, "history takes add FILE RESULT…, or changepoints FILE.")
    }
    (self.action, file, results) = (action, reader.words[1], Array(reader.words.dropFirst(2)))
  }
}

extension BenchTool {
  func history(_ options: HistoryOptions) throws(BenchError) -> Int32 {
    let text = (try? String(contentsOfFile: options.file, encoding: .utf8)) ?? ""
    if options.action == .changepoints, text.isEmpty {
      throw BenchError(.baseline, "\(options.file) is no history yet; history add makes one.")
    }
    // What is there is read before anything is added: nothing is put behind a line that was cut off.
    let history = try HistoryFile(text, name: options.file)
    switch options.action {
    case .add:
      var lines = ""
      for path in options.results { lines += try HistoryFile.lines(try Self.wholeResult(path)) }
      do {
        if let handle = FileHandle(forWritingAtPath: options.file) {
          try handle.seekToEnd()
          try handle.write(contentsOf: Data(lines.utf8))
          try handle.close()
        } else {
          try Data(lines.utf8).write(to: URL(filePath: options.file), options: .atomic)
        }
      } catch {
        throw BenchError(.report, "\(options.file) can't be written; is there room, and may you write there?")
      }
      print("\(lines.utf8.count { $0 == UInt8(ascii: "\n") }) numbers were added to \(options.file)")
    case .changepoints:
      let changes = history.changes()
      for change in changes {
        let share = (change.point.after / change.point.before - 1) * 100
        print(
          "\(change.started)  \(change.id) \(change.metric): \(NumberText.significant(change.point.before, 3)) became "
            + "\(NumberText.significant(change.point.after, 3)) (\(share < 0 ? "" : "+")\(NumberText.fixed(share, 1)) %)"
        )
      }
      print("\(changes.count) lasting changes in \(NumberText.grouped(history.entries.count)) numbers")
    }
    return ExitStatus.Code.ok.rawValue
  }
}

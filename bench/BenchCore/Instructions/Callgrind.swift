import Foundation

/// Counts the instructions of a process with valgrind's callgrind, which is a package of its own.
struct Callgrind {
  /// Of the tool.
  let path: String
  let program: String
  let scenes: String
  let shape: OutputShape
  /// What the process's variables are, on top of this one's.
  let variables: [String: String]
  /// Where its files go meanwhile.
  let folder: String

  static let patience = 600.0

  /// The tool on PATH. Throws a sentence that says how to get it.
  static func find() throws(BenchError) -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    for place in path.split(separator: ":") {
      let file = "\(place)/valgrind"
      if FileManager.default.isExecutableFile(atPath: file) { return file }
    }
    throw BenchError(
      .environment, "valgrind is not on PATH, and only it can count instructions here; apt-get install valgrind.")
  }

  /// The instructions of a run and the line of JSON that says on what it ran.
  func count(n: Int, frames: Int) throws(BenchError) -> (total: UInt64, environment: String) {
    let file = "\(folder)/callgrind.\(n).\(frames)"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let words = [
      "\(n)", "\(frames)", "\(shape.width)", "\(shape.height)", NumberText.shortest(shape.scale), scenes,
    ]
    let child = try ChildProcess(
      path,
      ["--tool=callgrind", "--quiet", "--callgrind-out-file=\(file)", program, InstructionWorker.command] + words,
      variables: variables, silencesErrors: true)
    guard let lines = child.readAll(within: Self.patience) else {
      throw BenchError(.renderer, "counting N = \(n) did not end within \(NumberText.shortest(Self.patience)) s.")
    }
    let end = child.end()
    guard end == .exit(0), let environment = lines.last else {
      throw BenchError(.renderer, "counting N = \(n) ended with \(end) and without a count.")
    }
    guard let text = try? String(contentsOfFile: file, encoding: .utf8), let total = Self.total(text) else {
      throw BenchError(.renderer, "valgrind left no count of N = \(n) in \(file).")
    }
    return (total, environment)
  }

  /// The sum in a file of callgrind's.
  static func total(_ text: String) -> UInt64? {
    for line in text.split(separator: "\n") where line.hasPrefix("totals:") || line.hasPrefix("summary:") {
      if let number = line.split(separator: " ").dropFirst().first.flatMap({ UInt64($0) }) { return number }
    }
    return nil
  }
}

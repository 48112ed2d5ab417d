import Foundation
import JSON

/// Where a run's reports go; nothing is written outside it.
struct ReportFolder {
  private let url: URL

  /// Makes the folder. Throws a sentence where that can't be done.
  init(_ path: String) throws(BenchError) {
    url = URL(filePath: path, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    } catch {
      throw BenchError(.report, "the folder \(path) can't be made; --out takes another.")
    }
  }

  /// The paths of what was written.
  func write(_ result: BenchmarkResult) throws(BenchError) -> [String] {
    let plot = ScalePlot(result).document()
    // The JSON first: where the picture fails, the numbers are safe.
    return [
      try write(Data(result.json.text.utf8), "result.json"),
      try write(Data(ResultPage(result).text.utf8), "report.html"),
      try write(Data(plot.text.utf8), "scale.svg"),
      try write(Data(try PNGExport.png(plot)), "scale.png"),
    ]
  }

  /// The path of what was written.
  func write(_ result: ServerResult) throws(BenchError) -> String {
    try write(Data(result.json.text.utf8), "server.json")
  }

  /// The path of what was written.
  func write(_ json: JSONValue, _ name: String) throws(BenchError) -> String { try write(Data(json.text.utf8), name) }

  /// The path of what was written.
  func write(_ text: String, _ name: String) throws(BenchError) -> String { try write(Data(text.utf8), name) }

  private func write(_ data: Data, _ name: String) throws(BenchError) -> String {
    let file = url.appending(path: name)
    do {
      try data.write(to: file, options: .atomic)
    } catch {
      throw BenchError(.report, "\(file.relativePath) can't be written; is there room, and may you write there?")
    }
    return file.relativePath
  }
}

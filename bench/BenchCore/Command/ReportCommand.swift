import Foundation
import JSON

extension BenchTool {
  /// Writes a result in other forms: no measuring, no display, the same bytes on every machine.
  func report(_ options: ReportOptions) throws(BenchError) -> Int32 {
    let result = try Self.wholeResult(options.file)
    let folder = try ReportFolder(options.outputFolder)
    for format in options.formats { print(try folder.write(format.text(of: result), format.fileName)) }
    return result.exit.code.rawValue
  }

  /// Makes one result of the shards' and writes it as the whole run would have been.
  func merge(_ options: MergeOptions) throws(BenchError) -> Int32 {
    var parts: [(name: String, result: BenchmarkResult)] = []
    for file in options.files { parts.append((file, try Self.wholeResult(file))) }
    let merged = try ResultMerge.merge(parts)
    let folder = try ReportFolder(options.outputFolder)
    let console = Self.console(isJSON: options.printsJSON)
    for line in Summary(merged).sentences { console.result(line) }
    for reason in merged.exit.reasons { console.result("NOT VALID: \(reason)") }
    let written =
      try folder.write(merged)
      + options.formats.map { format throws(BenchError) in
        try folder.write(format.text(of: merged), format.fileName)
      }
    console.detail("written: " + written.joined(separator: ", "))
    if options.printsJSON { print(merged.json.text, terminator: "") }
    return merged.exit.code.rawValue
  }

  static func wholeResult(_ path: String) throws(BenchError) -> BenchmarkResult {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchError(.report, "\(path) can't be read.")
    }
    return try BenchmarkResult([UInt8](data), name: path)
  }
}

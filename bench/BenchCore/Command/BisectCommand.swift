import Foundation
import JSON

extension BenchTool {
  /// Looks for the commit that made it cost more.
  func bisect(_ options: BisectOptions) throws(BenchError) -> Int32 {
    let common = options.duel.common
    let console = Self.console(isJSON: common.printsJSON, isQuiet: common.isQuiet)
    let folder = try ReportFolder(common.outputFolder)
    let absolute = { (path: String) in URL(filePath: path).path(percentEncoded: false) }
    let builds = CommitBuilds(
      repository: absolute(options.repository), command: options.buildCommand,
      folder: absolute(common.outputFolder) + "/bisect")
    defer { builds.close() }
    let commits = try builds.commits(from: options.good, to: options.bad)
    console.result("\(commits.count) commits from \(options.good) to \(options.bad)")
    let run = BisectRun(options: options, console: console) { commit throws(BenchError) in
      try builds.program(of: commit)
    } duel: { base, head, duel throws(BenchError) in
      var asked = duel
      (asked.base, asked.head) = (base, head)
      return try self.result(of: asked, console: console)
    }
    let result = try run.run(commits)
    console.progress(nil)
    console.result(result.line)
    _ = try folder.write(result.json, "bisect.json")
    if common.printsJSON { print(result.json.text, terminator: "") }
    return result.exit.code.rawValue
  }
}

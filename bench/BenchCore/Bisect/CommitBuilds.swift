import Foundation

/// Builds of commits, in a working tree of their own beside the repository's, so that each build goes on from the last.
final class CommitBuilds {
  private let repository: String
  private let command: [String]
  private let folder: String
  private var built: [String: String?] = [:]

  /// A build may take as long as a day.
  static let patience = 86_400.0

  /// - Parameter folder: for the tree, the programs and what builds say; absolute.
  init(repository: String, command: [String], folder: String) {
    (self.repository, self.command, self.folder) = (repository, command, folder)
  }

  private var tree: String { folder + "/tree" }

  /// Of the first parents, after `good` up to `bad`.
  func commits(from good: String, to bad: String) throws(BenchError) -> [String] {
    try git(["rev-list", "--first-parent", "--reverse", "\(good)..\(bad)"])
  }

  /// The path of the commit's program; nil where the command fails or leaves none.
  func program(of commit: String) throws(BenchError) -> String? {
    guard let hash = try git(["rev-parse", "--verify", "\(commit)^{commit}"]).first else {
      throw BenchError(.usage, "there is no commit \(commit) in \(repository).")
    }
    if let known = built[hash] { return known }
    if FileManager.default.fileExists(atPath: tree) {
      _ = try git(["-C", tree, "checkout", "--quiet", "--detach", "--force", hash])
    } else {
      _ = try git(["worktree", "add", "--quiet", "--detach", "--force", tree, hash])
    }
    let place = "\(folder)/builds/\(hash)"
    do {
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    } catch {
      throw BenchError(.report, "the folder \(place) can't be made; --out takes another.")
    }
    let program = place + "/porthole-bench"
    let script = "cd \"$1\" && log=$2 && shift 2 && exec \"$@\" >\"$log\" 2>&1"
    let words = ["-c", script, "sh", tree, place + "/build.log"] + command
    let child = try ChildProcess(
      "/bin/sh", words, variables: ["BISECT_COMMIT": hash, "BISECT_PROGRAM": program])
    child.closeInput()
    guard child.readAll(within: Self.patience) != nil, child.end() == .exit(0) else {
      built[hash] = .some(nil)
      return nil
    }
    // Of a package, what it builds lies where it always does.
    let usual = tree + "/.build/release/porthole-bench"
    if !FileManager.default.fileExists(atPath: program), FileManager.default.fileExists(atPath: usual) {
      try? FileManager.default.copyItem(atPath: usual, toPath: program)
    }
    let found = FileManager.default.isExecutableFile(atPath: program) ? program : nil
    built[hash] = .some(found)
    return found
  }

  /// Lets go of the tree; the programs stay.
  func close() {
    if FileManager.default.fileExists(atPath: tree) { _ = try? git(["worktree", "remove", "--force", tree]) }
  }

  private func git(_ words: [String]) throws(BenchError) -> [String] {
    let child = try ChildProcess("/usr/bin/env", ["git", "-C", repository] + words)
    child.closeInput()
    guard let lines = child.readAll(within: 120), child.end() == .exit(0) else {
      throw BenchError(.report, "git \(words.joined(separator: " ")) failed in \(repository).")
    }
    return lines
  }
}

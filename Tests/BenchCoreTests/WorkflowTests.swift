import BenchCore
import Foundation
import Testing

/// The shell lines of the files in docs/ci, taken out as their systems take them out.
enum WorkflowFile {
  static func text(_ name: String) throws -> String {
    try String(contentsOf: BenchProgram.top.appending(path: "docs/ci/\(name)"), encoding: .utf8)
  }

  /// The blocks of a YAML file that follow a line which ends with `marker`, without their indentation; or, behind `script:`,
  /// the items of its list.
  static func blocks(_ name: String, after marker: String) throws -> [String] {
    let lines = try text(name).split(separator: "\n", omittingEmptySubsequences: false)
    var blocks: [String] = []
    for (index, line) in lines.enumerated() where line.hasSuffix(marker) {
      let depth = line.prefix { $0 == " " }.count
      let inner = lines[(index + 1)...].prefix { $0.isEmpty || $0.prefix { $0 == " " }.count > depth }
      let least = inner.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
      let block = inner.map { String($0.dropFirst(least)) }
      blocks.append(block.map { $0.hasPrefix("- ") ? String($0.dropFirst(2)) : $0 }.joined(separator: "\n"))
    }
    return blocks
  }
}

@Suite("The files for continuous integration and clusters", .serialized)
struct WorkflowTests {
  /// A sweep that takes seconds and not minutes, in the place of the whole.
  private static let sweep =
    "--n 1,16 --rounds 6 --suite portal-grid --strategies portal,floor --size 320x180 --seconds 60"

  private static func repository() throws -> BenchProgram {
    let program = try BenchProgram()
    try program.write(
      "report = false\n[exact]\nsuites = [\"nesting\"]\n[[exact.limit]]\ncell = \"nesting/*\"\ncounter = \"passes\"\n"
        + "most = 100\n", "porthole-bench.toml")
    return program
  }

  private static func block(_ blocks: [String], _ part: String) throws -> String {
    try #require(blocks.first { $0.contains(part) }, "no lines with \(part)")
  }

  @Test("GitHub's steps gate a repository, write its summary, and merge what its jobs have measured")
  func github() throws {
    let program = try Self.repository()
    defer { program.remove() }
    let steps = try WorkflowFile.blocks("github-actions.yml", after: "run: |")
    let summary = program.folder.appending(path: "step.md").path(percentEncoded: false)
    let variables = ["GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": summary, "SHARDS": "2", "SWEEP": Self.sweep]
    for part in ["porthole-bench ci", "GITHUB_STEP_SUMMARY"] {
      let step = try program.shell(try Self.block(steps, part), variables)
      #expect(step.code == 0, "\(step.output)")
      #expect(!step.output.contains("::error"))
    }
    // What fails is a note beside the change.
    try program.write(try program.text("porthole-bench.toml").replacing("100", with: "1"), "strict.toml")
    let failing = try program.shell("porthole-bench ci --config strict.toml --out out/strict", variables)
    #expect(failing.code == 2 && failing.output.contains("\n::error title=nesting/"), "\(failing.output)")
    #expect(try program.text("step.md").contains("nothing is worse") && program.has("out/ci/junit.xml"))
    let measure = try Self.block(steps, "--shard")
    for shard in ["1", "2"] {
      #expect(try program.shell(measure, variables.merging(["MATRIX_SHARD": shard]) { $1 }).code == 0)
    }
    let merge = try Self.block(steps, "porthole-bench merge")
    #expect(try program.shell(merge, variables).code == 0)
    #expect(program.has("out/whole/report.html") && program.has("out/whole/junit.xml"))
    // A job that was lost costs its own cells, by name.
    let id = "portal-grid/strategy=portal/n=16/size=320x180/scale=1"
    let owner = try #require([1, 2].first { Shard(index: $0, count: 2)?.contains(id) ?? false })
    let lost = try program.shell("rm -r out/shard-\(owner) out/whole; \(merge)", variables)
    #expect(lost.code == 3 && lost.output.contains(id), "\(lost.output)")
    #expect(try program.text("out/whole/junit.xml").contains("no shard has measured it"))
  }

  @Test("GitLab's scripts do the same")
  func gitlab() throws {
    let program = try Self.repository()
    defer { program.remove() }
    let scripts = try WorkflowFile.blocks("gitlab-ci.yml", after: " script:")
    #expect(scripts.count == 3)
    let variables = ["GITLAB_CI": "true", "CI_NODE_TOTAL": "2", "SWEEP": Self.sweep]
    #expect(try program.shell(try Self.block(scripts, "porthole-bench ci"), variables).code == 0)
    for index in ["1", "2"] {
      let sweep = try program.shell(
        try Self.block(scripts, "--shard"), variables.merging(["CI_NODE_INDEX": index]) { $1 })
      #expect(sweep.code == 0, "\(sweep.output)")
    }
    #expect(try program.shell(try Self.block(scripts, "merge"), variables).code == 0)
    #expect(program.has("out/ci/junit.xml") && program.has("out/whole/junit.xml"))
  }

  @Test("a Slurm array's tasks measure the parts of one plan, and the job after them makes the whole")
  func slurm() throws {
    let program = try BenchProgram()
    defer { program.remove() }
    let script = try WorkflowFile.text("slurm-array.sh")
    #expect(script.contains("#SBATCH --array=0-6"))
    for task in 0..<2 {
      // As Slurm sets them; another array may begin with another number.
      let run = try program.shell(
        script,
        [
          "SLURM_JOB_ID": "\(700 + task)", "SLURM_ARRAY_JOB_ID": "700", "SLURM_ARRAY_TASK_ID": "\(task)",
          "SLURM_ARRAY_TASK_MIN": "0", "SLURM_ARRAY_TASK_COUNT": "2", "SWEEP": Self.sweep,
        ])
      #expect(run.code == 0, "\(run.output)")
      #expect(try program.text("portals-700/shard-\(task)/result.json").contains("\"vendor\": \"slurm\""))
    }
    let merge = try program.shell(try WorkflowFile.text("slurm-merge.sh"), ["SWEEP_JOB": "700"])
    #expect(merge.code == 0, "\(merge.output)")
    #expect(program.has("portals-700/whole/result.json"))
  }

  @Test("an indexed Job's pods measure the parts of one plan, and the second Job makes the whole")
  func kubernetes() throws {
    let program = try BenchProgram()
    defer { program.remove() }
    let out = program.folder.path(percentEncoded: false)
    // The volume is mounted where this machine's root is.
    let blocks = try WorkflowFile.blocks("kubernetes-job.yaml", after: "- |").map {
      $0.replacing("/out/", with: "\(out)/")
    }
    for index in ["0", "1"] {
      let pod = try program.shell(
        try Self.block(blocks, "--shard"), ["JOB_COMPLETION_INDEX": index, "SHARDS": "2", "SWEEP": Self.sweep])
      #expect(pod.code == 0, "\(pod.output)")
    }
    let merge = try program.shell(try Self.block(blocks, "merge"))
    #expect(merge.code == 0 && program.has("whole/result.json"), "\(merge.output)")
  }

  @Test("every line that calls the benchmark is one that it takes")
  func lines() throws {
    var lines: [Substring] = []
    for name in ["github-actions.yml", "gitlab-ci.yml", "slurm-array.sh", "slurm-merge.sh", "kubernetes-job.yaml"] {
      lines += try WorkflowFile.text(name).split(separator: "\n").compactMap { line in
        let line = line.drop { $0 == " " || $0 == "-" }
        return line.hasPrefix("porthole-bench ") ? line : nil
      }
    }
    #expect(lines.count >= 9)
    for line in lines {
      let words = line.replacing("$SWEEP", with: "--full").replacing("$(command -v porthole-bench)", with: "head")
        .replacing("$((JOB_COMPLETION_INDEX + 1))/$SHARDS", with: "1/7").replacing("$shard\"", with: "1/7\"")
        .replacing("$MATRIX_SHARD/$SHARDS\"", with: "1/7\"").replacing("$CI_NODE_INDEX/$CI_NODE_TOTAL\"", with: "1/7\"")
        .replacing("\"", with: "").split(separator: " ").dropFirst().map(String.init)
      #expect(throws: Never.self, "\(line)") { try Command.parse(words) }
    }
  }
}

/// Which job of which continuous integration a process is, by the variables that its maker documents.
public struct CIRun: Sendable, Hashable {
  public var vendor: String
  public var run: String?
  public var job: String?
  /// Its place among jobs of one kind, from one or from zero as the vendor counts.
  public var shard: String?

  public init(vendor: String, run: String? = nil, job: String? = nil, shard: String? = nil) {
    (self.vendor, self.run, self.job, self.shard) = (vendor, run, job, shard)
  }

  private static let vendors: [(mark: String, vendor: String, run: String, job: String, shard: String)] = [
    ("GITHUB_ACTIONS", "github", "GITHUB_RUN_ID", "GITHUB_JOB", "MATRIX_SHARD"),
    ("GITLAB_CI", "gitlab", "CI_PIPELINE_ID", "CI_JOB_NAME", "CI_NODE_INDEX"),
    ("FORGEJO_ACTIONS", "forgejo", "FORGEJO_RUN_ID", "FORGEJO_JOB", "MATRIX_SHARD"),
    ("BUILDKITE", "buildkite", "BUILDKITE_BUILD_ID", "BUILDKITE_JOB_ID", "BUILDKITE_PARALLEL_JOB"),
    ("CIRCLECI", "circleci", "CIRCLE_WORKFLOW_ID", "CIRCLE_JOB", "CIRCLE_NODE_INDEX"),
    ("JENKINS_URL", "jenkins", "BUILD_ID", "JOB_NAME", "JENKINS_SHARD"),
    ("TF_BUILD", "azure", "BUILD_BUILDID", "SYSTEM_JOBNAME", "SYSTEM_JOBPOSITIONINPHASE"),
    ("SLURM_JOB_ID", "slurm", "SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_ARRAY_TASK_ID"),
    ("JOB_COMPLETION_INDEX", "kubernetes", "HOSTNAME", "HOSTNAME", "JOB_COMPLETION_INDEX"),
  ]

  /// Nil outside of any.
  public init?(_ facts: SystemFacts) {
    func text(_ name: String) -> String? { facts.variable(name).flatMap { $0.isEmpty ? nil : $0 } }
    for known in Self.vendors where text(known.mark) != nil {
      self.init(vendor: known.vendor, run: text(known.run), job: text(known.job), shard: text(known.shard))
      return
    }
    guard let mark = text("CI"), mark != "0", mark != "false" else { return nil }
    self.init(vendor: "unknown")
  }
}

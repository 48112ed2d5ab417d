/// The machine around the GPU, as far as it bears on the numbers.
public struct HostDescription: Sendable, Hashable {
  public var cpu: String
  /// Vendor, family, model and stepping: two processors of one name may be of different makes.
  public var modelID: String
  /// Processors that this process may run on.
  public var cores: Int
  /// Processors' worth of time that a control group grants; nil for no limit.
  public var quota: Double?
  /// Of the processor's clock; nil where the system has no say in it, as in most virtual machines.
  public var governor: String?
  /// Whether the clock may rise above its nominal rate; nil where that can't be seen.
  public var hasTurbo: Bool?
  /// `on`, `off`, `notsupported`, …; nil where the kernel does not say.
  public var threading: String?
  /// `none`, or who makes the virtual machine.
  public var virtualization: String
  public var memoryBytes: Int
  public var kernel: String
  public var libc: String
  /// `none`, or what kind of container.
  public var container: String
  public var ci: CIRun?

  public init(
    cpu: String, modelID: String = "unknown", cores: Int, quota: Double? = nil, governor: String? = nil,
    hasTurbo: Bool? = nil, threading: String? = nil, virtualization: String = "none", memoryBytes: Int = 0,
    kernel: String, libc: String = "unknown", container: String = "none", ci: CIRun? = nil
  ) {
    (self.cpu, self.modelID, self.cores, self.quota) = (cpu, modelID, cores, quota)
    (self.governor, self.hasTurbo, self.threading) = (governor, hasTurbo, threading)
    (self.virtualization, self.memoryBytes, self.kernel) = (virtualization, memoryBytes, kernel)
    (self.libc, self.container, self.ci) = (libc, container, ci)
  }

  public init(_ facts: SystemFacts) {
    let fields = Self.fields(facts.file("/proc/cpuinfo") ?? "")
    cpu = fields["model name"].map(Self.singleSpaced) ?? "unknown CPU"
    let parts = ["vendor_id", "cpu family", "model", "stepping"].map { fields[$0] ?? "?" }
    modelID = parts.allSatisfy { $0 == "?" } ? "unknown" : parts.joined(separator: "/")
    cores = Self.cores(facts)
    quota = CgroupQuota.processors(facts)
    let policy = "/sys/devices/system/cpu/cpu0/cpufreq/"
    governor = facts.file(policy + "scaling_governor").map(Self.trimmed)
    hasTurbo = Self.turbo(facts)
    threading = facts.file("/sys/devices/system/cpu/smt/control").map(Self.trimmed)
    virtualization = Self.virtualization(facts, flags: fields["flags"] ?? "")
    memoryBytes = Self.memory(facts)
    kernel = facts.kernel
    libc = facts.libc
    container = Self.container(facts)
    ci = CIRun(facts)
  }

  /// Whether the processor's clock stands still; nil where nobody can say.
  public var isClockLocked: Bool? {
    guard let governor else { return nil }
    return governor == "performance" && hasTurbo == false
  }

  static func trimmed(_ text: String) -> String {
    String(text.split(whereSeparator: \.isNewline).first ?? "").split(separator: " ").joined(separator: " ")
  }

  private static func singleSpaced(_ text: String) -> String { text.split(separator: " ").joined(separator: " ") }

  /// Those of the first processor.
  private static func fields(_ text: String) -> [String: String] {
    var fields: [String: String] = [:]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard !line.isEmpty else {
        if fields.isEmpty { continue }
        break
      }
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { continue }
      fields[singleSpaced(String(parts[0]).replacing("\t", with: " "))] = singleSpaced(String(parts[1]))
    }
    return fields
  }

  private static func cores(_ facts: SystemFacts) -> Int {
    for line in (facts.file("/proc/self/status") ?? "").split(separator: "\n") {
      guard line.hasPrefix("Cpus_allowed_list:") else { continue }
      let list = line.drop { $0 != ":" }.dropFirst().filter { !$0.isWhitespace }
      return max(1, count(String(list)))
    }
    return 1
  }

  /// Of `0-3,8`: 5. What is no such list counts nothing.
  static func count(_ list: String) -> Int {
    list.split(separator: ",").reduce(0) { sum, part in
      let ends = part.split(separator: "-").map { Int($0) }
      guard let first = ends.first ?? nil, let last = ends.last ?? nil, last >= first, last - first < 65_536 else {
        return sum
      }
      return sum + last - first + 1
    }
  }

  private static func turbo(_ facts: SystemFacts) -> Bool? {
    if let text = facts.file("/sys/devices/system/cpu/intel_pstate/no_turbo") { return trimmed(text) == "0" }
    return facts.file("/sys/devices/system/cpu/cpufreq/boost").map { trimmed($0) == "1" }
  }

  private static func virtualization(_ facts: SystemFacts, flags: String) -> String {
    if let type = facts.file("/sys/hypervisor/type").map(trimmed), !type.isEmpty { return type }
    guard flags.split(separator: " ").contains("hypervisor") else { return "none" }
    let maker = facts.file("/sys/class/dmi/id/sys_vendor").map(trimmed) ?? ""
    return maker.isEmpty ? "hypervisor" : "hypervisor, \(maker)"
  }

  private static func memory(_ facts: SystemFacts) -> Int {
    for line in (facts.file("/proc/meminfo") ?? "").split(separator: "\n") where line.hasPrefix("MemTotal:") {
      let words = line.split(separator: " ")
      guard words.count > 1, let kibibytes = Int(words[1]), kibibytes < 1 << 50 else { return 0 }
      return kibibytes * 1024
    }
    return 0
  }

  private static func container(_ facts: SystemFacts) -> String {
    if facts.variable("KUBERNETES_SERVICE_HOST") != nil { return "kubernetes" }
    if facts.exists("/.dockerenv") { return "docker" }
    if facts.exists("/run/.containerenv") { return "podman" }
    let groups = facts.file("/proc/self/cgroup") ?? ""
    for name in ["kubepods", "docker", "lxc", "containerd"] where groups.contains(name) { return name }
    return "none"
  }
}

/// How much processor time a control group grants.
enum CgroupQuota {
  /// In processors; nil for no limit. The tightest of the group's own and those around it.
  static func processors(_ facts: SystemFacts) -> Double? {
    var limits: [Double] = []
    for line in (facts.file("/proc/self/cgroup") ?? "").split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0] == "0" else { continue }
      var path = String(parts[2])
      while true {
        if let limit = facts.file("/sys/fs/cgroup\(path == "/" ? "" : path)/cpu.max").flatMap(unified) {
          limits.append(limit)
        }
        guard path.count > 1, let slash = path.lastIndex(of: "/") else { break }
        path = slash == path.startIndex ? "/" : String(path[..<slash])
      }
    }
    // The first version of control groups.
    if let quota = facts.file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us").flatMap({ Double(HostDescription.trimmed($0)) }),
      let period = facts.file("/sys/fs/cgroup/cpu/cpu.cfs_period_us").flatMap({ Double(HostDescription.trimmed($0)) }),
      quota > 0, period > 0
    {
      limits.append(quota / period)
    }
    return limits.min()
  }

  /// Of `200000 100000`: 2; of `max 100000`: nil.
  private static func unified(_ text: String) -> Double? {
    let numbers = HostDescription.trimmed(text).split(separator: " ").map { Double($0) }
    guard numbers.count == 2, let quota = numbers[0], let period = numbers[1], quota > 0, period > 0 else { return nil }
    return quota / period
  }
}

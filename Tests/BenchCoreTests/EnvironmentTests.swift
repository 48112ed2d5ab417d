import BenchCore
import JSON
import Testing

@Suite("The environment of a run")
struct EnvironmentTests {
  /// A system of files and variables in memory.
  private static func facts(_ files: [String: String], _ variables: [String: String] = [:]) -> SystemFacts {
    SystemFacts(
      file: { files[$0] }, exists: { files[$0] != nil }, variable: { variables[$0] }, kernel: "Linux 6.1.0 x86_64",
      libc: "glibc 2.36")
  }

  private static let cpuinfo = """
    processor\t: 0
    vendor_id\t: AuthenticAMD
    cpu family\t: 25
    model\t\t: 17
    model name\t: AMD  EPYC
    stepping\t: 1
    flags\t\t: fpu sse2 hypervisor avx2

    processor\t: 1
    model name\t: another
    """

  @Test("SHA-256 gives what FIPS 180-4's examples say, and Python's hashlib for a text of each length near a block's")
  func digest() {
    #expect(SHA256.hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    #expect(SHA256.hex("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
    let two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    #expect(SHA256.hex(two) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
    // python3: h = hashlib.sha256()
    //          for n in range(50, 131): h.update(hashlib.sha256(b'x' * n).hexdigest().encode())
    //          print(h.hexdigest())
    var all = ""
    for count in 50...130 { all += SHA256.hex([UInt8](repeating: UInt8(ascii: "x"), count: count)) }
    #expect(SHA256.hex(all) == "bfae5272365759c9a8be930eaeaf8ac59f98a0969612db286641d5e114d94e14")
  }

  @Test("a host is described by the system's files: processor, its make, cores, virtual machine, container")
  func host() {
    let host = HostDescription(
      Self.facts(
        [
          "/proc/cpuinfo": Self.cpuinfo, "/proc/self/status": "Name:\tx\nCpus_allowed_list:\t0-3,8\n",
          "/proc/meminfo": "MemTotal:       24684084 kB\n", "/.dockerenv": "",
          "/sys/class/dmi/id/sys_vendor": "QEMU\n", "/sys/devices/system/cpu/smt/control": "on\n",
          "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "powersave\n",
          "/sys/devices/system/cpu/intel_pstate/no_turbo": "0\n",
          "/proc/self/cgroup": "0::/system.slice/job\n", "/sys/fs/cgroup/system.slice/job/cpu.max": "max 100000\n",
          "/sys/fs/cgroup/system.slice/cpu.max": "150000 100000\n",
        ], ["GITHUB_ACTIONS": "true", "GITHUB_RUN_ID": "17", "GITHUB_JOB": "bench"]))
    #expect(host.cpu == "AMD EPYC")
    #expect(host.modelID == "AuthenticAMD/25/17/1")
    #expect(host.cores == 5)
    #expect(host.quota == 1.5)
    #expect(host.governor == "powersave" && host.hasTurbo == true && host.isClockLocked == false)
    #expect(host.threading == "on")
    #expect(host.virtualization == "hypervisor, QEMU")
    #expect(host.memoryBytes == 24_684_084 * 1024)
    #expect(host.container == "docker")
    #expect(host.ci == CIRun(vendor: "github", run: "17", job: "bench"))
  }

  @Test("a host whose system says nothing is described too, and nothing of it is made up")
  func bareHost() {
    let host = HostDescription(Self.facts([:]))
    #expect(host.cpu == "unknown CPU" && host.modelID == "unknown" && host.cores == 1)
    #expect(host.quota == nil && host.governor == nil && host.isClockLocked == nil && host.ci == nil)
    #expect(host.virtualization == "none" && host.container == "none")
    let broken = HostDescription(
      Self.facts([
        "/proc/cpuinfo": "model name", "/proc/self/status": "Cpus_allowed_list:\t9-0,x,99999999999999999999\n",
        "/proc/meminfo": "MemTotal: lots", "/proc/self/cgroup": "0::\n1:2\n0::/a", "/sys/fs/cgroup/a/cpu.max": "1 0",
        "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000",
      ]))
    #expect(broken.cores == 1 && broken.memoryBytes == 0 && broken.quota == nil)
  }

  @Test("control groups of the first version count too")
  func oldQuota() {
    let host = HostDescription(
      Self.facts([
        "/sys/fs/cgroup/cpu/cpu.cfs_quota_us": "50000\n", "/sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
      ]))
    #expect(host.quota == 0.5)
  }

  @Test(
    "drivers say their makes and versions",
    arguments: [
      ("llvmpipe (LLVM 15.0.6, 256 bits)", "OpenGL ES 3.2 Mesa 22.3.6", "Mesa 22.3.6", "22.3.6", "15.0.6", 256),
      (
        "AMD Radeon RX 6800 (radeonsi, navi21, LLVM 17.0.6, DRM 3.54, 6.6.9)", "OpenGL ES 3.2 Mesa 24.0.1",
        "Mesa 24.0.1", "24.0.1", "17.0.6", nil
      ),
      ("NVIDIA H200/PCIe/SSE2", "OpenGL ES 3.2 NVIDIA 550.54.15", "NVIDIA 550.54.15", nil, nil, nil),
      ("", "", "", nil, nil, nil), ("bits", "Mesa", "", nil, nil, nil),
    ] as [(String, String, String, String?, String?, Int?)])
  func drivers(renderer: String, version: String, driver: String, mesa: String?, llvm: String?, bits: Int?) {
    let gpu = GPUDescription(vendor: "", renderer: renderer, version: version, isSoftware: false)
    #expect(gpu.driver == driver)
    #expect(gpu.mesa == mesa)
    #expect(gpu.llvm == llvm)
    #expect(gpu.simdBits == bits)
  }

  @Test("job systems are told apart by their variables, and none is none")
  func jobs() {
    #expect(CIRun(Self.facts([:])) == nil)
    #expect(CIRun(Self.facts([:], ["CI": "false"])) == nil)
    #expect(CIRun(Self.facts([:], ["CI": "true"]))?.vendor == "unknown")
    let slurm = CIRun(Self.facts([:], ["SLURM_JOB_ID": "9", "SLURM_ARRAY_TASK_ID": "3", "CI": "1"]))
    #expect(slurm == CIRun(vendor: "slurm", run: "9", job: nil, shard: "3"))
  }

  private static func environment(_ change: (inout RunEnvironment) -> Void = { _ in }) -> RunEnvironment {
    var environment = RunEnvironment(
      host: HostDescription(cpu: "C", modelID: "m", cores: 2, kernel: "K", libc: "glibc 2.36"),
      gpu: GPUDescription(
        vendor: "V", renderer: "llvmpipe (LLVM 15.0.6, 256 bits)", version: "OpenGL ES 3.2 Mesa 22.3.6",
        isSoftware: true),
      platform: "surfaceless", extensions: ["b", "a"],
      timer: TimerVerdict(isPresent: false, isValid: false, reason: "none"),
      pins: [RunEnvironment.Pin(name: "LP_NUM_THREADS", value: nil)])
    change(&environment)
    return environment
  }

  @Test(
    "what bears on times changes both names of an environment; what does not, the fingerprint alone; a run, neither")
  func keys() {
    let plain = Self.environment()
    let times: [(inout RunEnvironment) -> Void] = [
      { $0.host.cpu = "D" }, { $0.host.modelID = "n" }, { $0.host.cores = 3 }, { $0.host.quota = 1 },
      { $0.host.governor = "powersave" }, { $0.host.libc = "musl" }, { $0.host.virtualization = "xen" },
      { $0.gpu.renderer = "R" }, { $0.gpu.simdBits = 128 }, { $0.gpu.mesa = "23" }, { $0.gpu.llvm = "16" },
      { $0.pins[0].value = "0" }, { $0.platform = "gbm" },
    ]
    for (index, change) in times.enumerated() {
      let other = Self.environment(change)
      #expect(other.comparableKey != plain.comparableKey, "change \(index)")
      #expect(other.fingerprint != plain.fingerprint, "change \(index)")
    }
    let others: [(inout RunEnvironment) -> Void] = [
      { $0.host.kernel = "L" }, { $0.host.container = "docker" }, { $0.host.memoryBytes = 7 },
      { $0.extensionsHash = "x" }, { $0.displayExtensionsHash = "x" },
    ]
    for (index, change) in others.enumerated() {
      let other = Self.environment(change)
      #expect(other.comparableKey == plain.comparableKey, "change \(index)")
      #expect(other.fingerprint != plain.fingerprint, "change \(index)")
    }
    let run = Self.environment {
      $0.timer.ratio = 4.1
      $0.timer.reason = "another"
    }
    #expect(run.comparableKey == plain.comparableKey && run.fingerprint == plain.fingerprint)
  }

  @Test("the order in which a driver lists its extensions changes nothing, and each name stands for itself")
  func extensions() {
    func environment(_ names: [String]) -> RunEnvironment {
      RunEnvironment(
        host: HostDescription(cpu: "C", cores: 1, kernel: "K"),
        gpu: GPUDescription(vendor: "", renderer: "", version: "", isSoftware: true), extensions: names,
        timer: TimerVerdict(isPresent: false, isValid: false, reason: ""), pins: [])
    }
    #expect(environment(["GL_a", "GL_b"]) == environment(["GL_b", "GL_a"]))
    #expect(environment(["GL_a", "GL_b"]).extensionsHash != environment(["GL_aGL_b"]).extensionsHash)
  }

  @Test("a clock that is not locked, and a tight control group, are told of once, in a result's notes")
  func warnings() {
    #expect(Self.environment().warnings.isEmpty)
    let warnings = Self.environment {
      $0.host.governor = "schedutil"
      $0.host.quota = 1.5
    }.warnings
    #expect(warnings.count == 2)
    #expect(warnings[0].contains("schedutil") && warnings[1].contains("1.5"))
  }

  @Test("a result whose environment was changed by hand is not read")
  func tampered() throws {
    let text = FakeRun.result().json.text
    #expect(throws: Never.self) { try RecordedResult([UInt8](text.utf8), name: "r") }
    let changed = text.replacing("\"cpu\": \"A CPU\"", with: "\"cpu\": \"B CPU\"")
    #expect(changed != text)
    do throws(BenchError) {
      _ = try RecordedResult([UInt8](changed.utf8), name: "r")
      Issue.record("it was read")
    } catch {
      #expect(error.description.contains("comparable_key"))
    }
    let without = text.replacing("\"comparable_key\"", with: "\"key\"")
    #expect(throws: BenchError.self) { try RecordedResult([UInt8](without.utf8), name: "r") }
  }

  @Test("two hosts of which one is twice as fast are never held against each other by time, whatever the numbers say")
  func twoHosts() throws {
    func recorded(_ name: String, _ change: (FakeStage) -> Void) throws -> RecordedResult {
      let stage = FakeStage()
      change(stage)
      return try RecordedResult([UInt8](FakeRun.result(stage).json.text.utf8), name: name)
    }
    let comparison = ResultComparison(
      base: [try recorded("base") { _ in }],
      head: [
        try recorded("head") { stage in
          stage.cpu = "Another CPU"
          for (strategy, cost) in stage.costs { stage.costs[strategy] = (cost.0 * 2, cost.1 * 2) }
        }
      ])
    #expect(comparison.exit.code == .environment)
    #expect(comparison.exit.reasons.contains { $0.contains("host.cpu") && $0.contains("Another CPU") })
    #expect(!comparison.cells.contains { $0.verdict == .regressed })
    #expect(comparison.cells.contains { $0.metric == "quads" && $0.verdict == .pass })
  }
}

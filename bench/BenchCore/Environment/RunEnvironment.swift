/// The machine and the driver that a run was made on. `json` has all of it, with two names of the whole: `fingerprint` of
/// everything, and `comparable_key` of what two runs must share for their times to be comparable.
public struct RunEnvironment: Sendable, Hashable {
  public var host: HostDescription
  public var gpu: GPUDescription
  /// Which kind of EGL display was opened.
  public var platform: String
  /// SHA-256 of the sorted names, one a line.
  public var displayExtensionsHash: String
  public var extensionsHash: String
  public var timer: TimerVerdict
  /// Variables that change what the driver does, by name; nil for one that is not set.
  public var pins: [Pin]

  public struct Pin: Sendable, Hashable {
    public var name: String
    public var value: String?

    public init(name: String, value: String?) {
      self.name = name
      self.value = value
    }
  }

  public init(
    host: HostDescription, gpu: GPUDescription, platform: String = "unknown", displayExtensions: [String] = [],
    extensions: [String] = [], timer: TimerVerdict, pins: [Pin]
  ) {
    (self.host, self.gpu, self.platform, self.timer, self.pins) = (host, gpu, platform, timer, pins)
    displayExtensionsHash = Self.hash(displayExtensions)
    extensionsHash = Self.hash(extensions)
  }

  static func hash(_ names: [String]) -> String { SHA256.hex(names.sorted().map { $0 + "\n" }.joined()) }

  public var cpu: String { host.cpu }
  public var cores: Int { host.cores }
  public var kernel: String { host.kernel }
  public var vendor: String { gpu.vendor }
  public var renderer: String { gpu.renderer }
  public var glVersion: String { gpu.version }
  public var isSoftware: Bool { gpu.isSoftware }

  public func pin(_ name: String) -> String? { pins.first { $0.name == name }?.value }

  /// What a ratio is best taken of: GPU time where its timer is proven; on a software renderer the CPU time, which
  /// neighbours disturb less than the wall time; else the wall time.
  public var leadingMetric: Metric { timer.isValid ? .gpu : isSoftware ? .cpu : .wall }

  /// What a reader should know before believing a time, once.
  public var warnings: [String] {
    var warnings: [String] = []
    if host.isClockLocked == false {
      warnings.append(
        "The processor's clock is not locked (governor \(host.governor ?? "unknown")): times of two runs may differ by "
          + "its mood.")
    }
    if let quota = host.quota, quota < Double(host.cores) {
      warnings.append(
        "A control group grants \(NumberText.significant(quota, 3)) of \(host.cores) processors: frames may be held up."
      )
    }
    return warnings
  }
}

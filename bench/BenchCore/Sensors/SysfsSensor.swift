/// What the kernel says of the processor, or of a GPU whose driver is its own.
public final class SysfsSensor: Sensor {
  public let name: String
  public let highestClock: Double?
  private let facts: SystemFacts
  /// Of a GPU; nil for the processor's.
  private let folder: String?
  private let cores: Int

  /// A GPU's, where its driver has files for it; nil where none has.
  public init?(gpu facts: SystemFacts) {
    for card in 0..<4 {
      for number in 0..<10 {
        let folder = "/sys/class/drm/card\(card)/device/hwmon/hwmon\(number)/"
        guard facts.exists(folder + "freq1_input") else { continue }
        self.facts = facts
        self.folder = folder
        name = "sysfs, card\(card)"
        cores = 0
        highestClock = nil
        return
      }
    }
    return nil
  }

  /// The processor's.
  public init(processor facts: SystemFacts, cores: Int) {
    self.facts = facts
    (folder, name) = (nil, "sysfs, processor")
    self.cores = max(1, min(cores, 1024))
    highestClock = Self.number(facts, "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq").map { $0 / 1000 }
  }

  public func read() -> SensorReading {
    guard let folder else { return processor }
    return SensorReading(
      clock: Self.number(facts, folder + "freq1_input").map { $0 / 1e6 },
      memoryClock: Self.number(facts, folder + "freq2_input").map { $0 / 1e6 },
      temperature: Self.number(facts, folder + "temp1_input").map { $0 / 1000 },
      power: Self.number(facts, folder + "power1_average").map { $0 / 1e6 },
      energy: Self.number(facts, folder + "energy1_input").map { $0 / 1e6 })
  }

  private var processor: SensorReading {
    let clocks = (0..<cores).compactMap {
      Self.number(facts, "/sys/devices/system/cpu/cpu\($0)/cpufreq/scaling_cur_freq")
    }
    // The fastest: a core that idles just then says nothing of the one that works.
    let clock = clocks.max().map { $0 / 1000 }
    return SensorReading(
      clock: clock,
      temperature: Self.number(facts, "/sys/class/thermal/thermal_zone0/temp").map { $0 / 1000 },
      energy: Self.number(facts, "/sys/class/powercap/intel-rapl:0/energy_uj").map { $0 / 1e6 })
  }

  private static func number(_ facts: SystemFacts, _ path: String) -> Double? {
    guard let text = facts.file(path), let number = Double(HostDescription.trimmed(text)), number.isFinite, number >= 0
    else { return nil }
    return number
  }
}

/// The sensor of what draws: of NVIDIA's GPU, of another, or, where the GPU is the CPU, of that.
enum SensorChoice {
  static func sensor(for environment: RunEnvironment) -> any Sensor {
    let facts = SystemFacts.current
    if environment.isSoftware { return SysfsSensor(processor: facts, cores: environment.cores) }
    if environment.vendor.uppercased().contains("NVIDIA"), let sensor = NVMLSensor() { return sensor }
    return SysfsSensor(gpu: facts) ?? NoSensor()
  }
}

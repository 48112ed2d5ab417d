#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// NVIDIA's management library, where it is installed: read without any right, and never told anything.
public final class NVMLSensor: Sensor {
  /// Where a function of the library lies, by its name.
  public typealias Lookup = (String) -> UnsafeMutableRawPointer?

  private typealias Plain = @convention(c) () -> Int32
  private typealias ByIndex = @convention(c) (UInt32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
  private typealias Number = @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt32>) -> Int32
  private typealias NumberOf = @convention(c) (OpaquePointer?, UInt32, UnsafeMutablePointer<UInt32>) -> Int32
  private typealias Wide = @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt64>) -> Int32

  public let name = "NVML"
  public let highestClock: Double?
  private let device: OpaquePointer?
  private let shutdown: Plain?
  private let clock: NumberOf?
  private let temperature: NumberOf?
  private let power: Number?
  private let energy: Wide?
  private let reasons: Wide?

  private static let graphics: UInt32 = 0
  private static let memory: UInt32 = 2

  /// Bits that say that something holds the clock down; an idle GPU and a clock that was chosen are none.
  private static let names: [(bit: UInt64, name: String)] = [
    (0x4, "power cap"), (0x8, "hardware slowdown"), (0x20, "software thermal slowdown"),
    (0x40, "hardware thermal slowdown"), (0x80, "power brake"),
  ]

  /// Nil where the library, or a GPU of such a number, is not there.
  public convenience init?(gpu: UInt32 = 0) {
    guard let library = dlopen("libnvidia-ml.so.1", RTLD_NOW) else { return nil }
    // It stays open: what it has started is the process's.
    self.init(gpu: gpu) { dlsym(library, $0) }
  }

  public init?(gpu: UInt32 = 0, lookup: Lookup) {
    func function<Function>(_ name: String, _: Function.Type) -> Function? {
      lookup(name).map { unsafeBitCast($0, to: Function.self) }
    }
    guard let begin = function("nvmlInit_v2", Plain.self),
      let handle = function("nvmlDeviceGetHandleByIndex_v2", ByIndex.self), begin() == 0
    else { return nil }
    shutdown = function("nvmlShutdown", Plain.self)
    var device: OpaquePointer?
    guard handle(gpu, &device) == 0 else {
      _ = shutdown?()
      return nil
    }
    self.device = device
    clock = function("nvmlDeviceGetClockInfo", NumberOf.self)
    temperature = function("nvmlDeviceGetTemperature", NumberOf.self)
    power = function("nvmlDeviceGetPowerUsage", Number.self)
    energy = function("nvmlDeviceGetTotalEnergyConsumption", Wide.self)
    reasons = function("nvmlDeviceGetCurrentClocksThrottleReasons", Wide.self)
    highestClock = Self.number(function("nvmlDeviceGetMaxClockInfo", NumberOf.self), device, Self.graphics)
  }

  deinit { _ = shutdown?() }

  public func read() -> SensorReading {
    var milliwatts: UInt32 = 0
    let isPowerKnown = power.map { $0(device, &milliwatts) == 0 } ?? false
    let millijoules = wide(energy)
    let held = wide(reasons) ?? 0
    return SensorReading(
      clock: Self.number(clock, device, Self.graphics), memoryClock: Self.number(clock, device, Self.memory),
      temperature: Self.number(temperature, device, 0), power: isPowerKnown ? Double(milliwatts) / 1000 : nil,
      energy: millijoules.map { Double($0) / 1000 },
      throttles: Self.names.filter { held & $0.bit != 0 }.map(\.name))
  }

  private func wide(_ function: Wide?) -> UInt64? {
    var value: UInt64 = 0
    guard let function, function(device, &value) == 0 else { return nil }
    return value
  }

  private static func number(_ function: NumberOf?, _ device: OpaquePointer?, _ kind: UInt32) -> Double? {
    var value: UInt32 = 0
    guard let function, function(device, kind, &value) == 0 else { return nil }
    return Double(value)
  }
}

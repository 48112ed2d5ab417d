import GLES
import Porthole

extension RunEnvironment {
  /// Variables that change what the driver, or the library, does: recorded, never set.
  static let pinNames = [
    "LP_NUM_THREADS", "LP_NATIVE_VECTOR_WIDTH", "GALLIUM_DRIVER", "LIBGL_ALWAYS_SOFTWARE", "MESA_SHADER_CACHE_DISABLE",
    "PORTHOLE_DEBUG", "PORTHOLE_DISPLAY",
  ]

  /// This machine, with the driver behind `device`.
  init(_ device: DeviceReport, timer: TimerVerdict, facts: SystemFacts = .current) {
    var pins = Self.pinNames.map { Pin(name: $0, value: facts.variable($0)) }
    pins.append(Pin(name: "aslr", value: Self.layout(facts)))
    self.init(
      host: HostDescription(facts),
      gpu: GPUDescription(
        vendor: device.vendor, renderer: device.renderer, version: device.version, isSoftware: device.isSoftware),
      platform: "\(device.displayKind)", displayExtensions: device.displayExtensions, extensions: device.extensions,
      timer: timer, pins: pins)
  }

  /// Whether addresses are chosen anew with each start of the program.
  static func layout(_ facts: SystemFacts) -> String? {
    guard let system = facts.file("/proc/sys/kernel/randomize_va_space") else { return nil }
    let personality =
      facts.file("/proc/self/personality").flatMap { UInt32(HostDescription.trimmed($0), radix: 16) } ?? 0
    return HostDescription.trimmed(system) == "0" || personality & 0x4_0000 != 0 ? "off" : "on"
  }
}

import GLES
import Porthole

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension RunEnvironment {
  /// This machine, with the driver behind `device`.
  init(_ device: DeviceReport, timer: TimerVerdict) {
    self.init(
      cpu: Machine.cpuName, cores: Machine.coreCount, kernel: Machine.kernel, vendor: device.vendor,
      renderer: device.renderer, glVersion: device.version, isSoftware: device.isSoftware, timer: timer,
      pins: Machine.pinNames.map { Pin(name: $0, value: Machine.variable($0)) })
  }
}

/// What the system says of itself.
private enum Machine {
  /// Variables of Mesa that change its speed: recorded, never set.
  static let pinNames = [
    "LP_NUM_THREADS", "LP_NATIVE_VECTOR_WIDTH", "GALLIUM_DRIVER", "LIBGL_ALWAYS_SOFTWARE", "MESA_SHADER_CACHE_DISABLE",
  ]

  static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// What this process may use, which may be less than the machine has.
  static var coreCount: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  static var cpuName: String {
    guard let file = fopen("/proc/cpuinfo", "r") else { return "unknown CPU" }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = fread(&bytes, 1, bytes.count, file)
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    for line in text.split(separator: "\n") where line.hasPrefix("model name") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      return line[line.index(after: colon)...].split(separator: " ").joined(separator: " ")
    }
    return "unknown CPU"
  }

  static var kernel: String {
    var names = utsname()
    guard uname(&names) == 0 else { return "unknown kernel" }
    return "\(text(&names.sysname)) \(text(&names.release)) \(text(&names.machine))"
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

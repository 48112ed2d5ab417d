#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where a description of the host comes from: the system's files and variables, or a test's.
public struct SystemFacts {
  /// The text of a file, or nil where it can't be read.
  public var file: (_ path: String) -> String?
  /// Whether a file is there.
  public var exists: (_ path: String) -> Bool
  /// A variable's value; nil where it is not set.
  public var variable: (_ name: String) -> String?
  /// As `uname` says: system, release and machine.
  public var kernel: String
  /// Name and version of the C library.
  public var libc: String

  public init(
    file: @escaping (String) -> String?, exists: @escaping (String) -> Bool, variable: @escaping (String) -> String?,
    kernel: String, libc: String
  ) {
    self.file = file
    self.exists = exists
    self.variable = variable
    self.kernel = kernel
    self.libc = libc
  }

  /// Those of this machine.
  public static var current: SystemFacts {
    SystemFacts(
      file: text(of:), exists: { access($0, F_OK) == 0 }, variable: { getenv($0).map { String(cString: $0) } },
      kernel: uname, libc: libc)
  }

  private static func text(of path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    // Files of /proc and /sys say nothing of their size; none that is read here is as long as this.
    var bytes = [UInt8](repeating: 0, count: 1 << 18)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static var uname: String {
    var names = utsname()
    guard Self.uname(&names) == 0 else { return "unknown kernel" }
    return "\(text(&names.sysname)) \(text(&names.release)) \(text(&names.machine))"
  }

  private static func uname(_ names: inout utsname) -> Int32 {
    #if canImport(Glibc)
      Glibc.uname(&names)
    #else
      Musl.uname(&names)
    #endif
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private static var libc: String {
    #if canImport(Glibc)
      var bytes = [CChar](repeating: 0, count: 64)
      let count = confstr(Int32(_CS_GNU_LIBC_VERSION), &bytes, bytes.count)
      guard count > 1, count <= bytes.count else { return "unknown" }
      return String(decoding: bytes.prefix(count - 1).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
      return "musl"
    #endif
  }
}

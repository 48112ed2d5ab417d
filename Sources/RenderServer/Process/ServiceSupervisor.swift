import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a service manager is told, and what it hands over: `sd_notify` and socket activation as systemd documents them.
public enum ServiceSupervisor {
  /// Sockets that were handed over: how many there are, by `LISTEN_PID` and `LISTEN_FDS`. The first has descriptor 3.
  /// - Parameter variable: gives an environment variable.
  public static func activatedSocketCount(process: Int32, variable: (String) -> String?) -> Int {
    guard variable("LISTEN_PID").flatMap(Int32.init) == process,
      let count = variable("LISTEN_FDS").flatMap({ Int($0) }), count > 0, count <= 64
    else { return 0 }
    return count
  }

  /// The number of the first handed-over descriptor.
  public static let firstActivated: Int32 = 3

  /// Tells the service manager, such as `READY=1`. Does nothing where there is none.
  /// - Parameter address: what `NOTIFY_SOCKET` says: a path, or a name that begins with `@`.
  /// - Returns: whether it was told.
  @discardableResult
  public static func notify(_ state: String, address: String?) -> Bool {
    guard let address, let first = address.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
      return false
    }
    #if canImport(Glibc)
      let kind = Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_DGRAM | SOCK_CLOEXEC
    #endif
    let socket = FileDescriptor(adopting: socket(AF_UNIX, kind, 0))
    guard socket.isValid else { return false }
    var target = sockaddr_un()
    target.sun_family = sa_family_t(AF_UNIX)
    var bytes = Array(address.utf8)
    guard bytes.count < MemoryLayout.size(ofValue: target.sun_path) else { return false }
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    withUnsafeMutableBytes(of: &target.sun_path) { $0.copyBytes(from: bytes) }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
    let text = Array(state.utf8)
    let sent = withUnsafePointer(to: &target) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(socket.rawValue, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
      }
    }
    return sent == text.count
  }
}

import Diagnostics
import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where a server listens.
public struct ServerAddress: Sendable, Hashable {
  public let path: String

  /// - Parameters:
  ///   - name: a path with a slash in it, or a name below `$XDG_RUNTIME_DIR/porthole/`; nil takes `PORTHOLE_SOCKET` or,
  ///     without it, `porthole-0`.
  /// - Throws: `noAddress`.
  public init(_ name: String? = nil, environment: Environment = .current) throws(WireError) {
    let name = name ?? environment.socket ?? "porthole-0"
    if name.contains("/") {
      path = name
      return
    }
    guard let folder = environment.runtimeFolder, folder.hasPrefix("/") else { throw .noAddress }
    path = "\(folder)/porthole/\(name)"
  }

  /// - Throws: `noServer`.
  public func connect() throws(WireError) -> FileDescriptor {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM | SOCK_CLOEXEC
    #endif
    let descriptor = FileDescriptor(adopting: socket(AF_UNIX, kind, 0))
    guard descriptor.isValid else { throw failure("socket", errno) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8)
    let fits = withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard bytes.count < room.count else { return false }
      room.copyBytes(from: bytes)
      return true
    }
    guard fits else { throw failure("connect", ENAMETOOLONG) }
    var result: Int32
    repeat {
      result = withUnsafePointer(to: address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
          sysConnect(descriptor.rawValue, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
    } while result != 0 && errno == EINTR
    guard result == 0 else { throw failure("connect", errno) }
    return descriptor
  }

  private func failure(_ call: String, _ errno: Int32) -> WireError {
    .noServer(path: path, reason: SystemCallError(call: call, errno: errno))
  }
}

/// The system's `connect`, which the method of that name hides.
private func sysConnect(_ fd: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
  connect(fd, address, length)
}

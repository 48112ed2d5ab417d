import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A socket that clients connect to, in a folder that only the server's user can enter, with a lock beside it.
///
/// The lock goes with its process, however that ends: a server that was killed leaves two files that stop nobody, and a
/// server that runs can't have its socket taken away.
public final class ListeningSocket {
  public let path: String
  private(set) var descriptor: FileDescriptor
  private let lock: FileDescriptor

  /// - Parameter name: a name below `$XDG_RUNTIME_DIR/porthole/`, or a path with a slash in it.
  /// - Throws: `inUse` where another server has it; `system` where the folder, lock or socket can't be made.
  public init(_ name: String, runtimeFolder: String?) throws(ServerError) {
    let path: String
    if name.contains("/") {
      path = name
    } else {
      guard let runtimeFolder, runtimeFolder.hasPrefix("/") else {
        throw ServerError(
          .system, "XDG_RUNTIME_DIR is not set to a folder; set it, or give --socket a path with a slash")
      }
      let folder = runtimeFolder + "/porthole"
      try Self.makePrivate(folder)
      path = folder + "/" + name
    }
    let lock = FileDescriptor(adopting: open(path + ".lock", O_CREAT | O_CLOEXEC | O_RDWR | O_NOFOLLOW, 0o600))
    guard lock.isValid else { throw Self.failure("can't make \(path).lock") }
    guard flock(lock.rawValue, LOCK_EX | LOCK_NB) == 0 else {
      throw errno == EWOULDBLOCK
        ? ServerError(.inUse, "another server has \(path); stop it, or choose another name with --socket")
        : Self.failure("can't lock \(path).lock")
    }
    // Whatever lies there, its server is gone.
    _ = unlink(path)
    descriptor = try Self.listen(path)
    self.path = path
    self.lock = lock
  }

  deinit {
    // While the lock is held, so that no other server's are removed.
    _ = unlink(path)
    _ = unlink(path + ".lock")
  }

  private static func makePrivate(_ folder: String) throws(ServerError) {
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure("can't make \(folder)") }
    var status = stat()
    guard lstat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw ServerError(.system, "\(folder) is no folder; remove it")
    }
    guard status.st_uid == geteuid() else {
      throw ServerError(.system, "\(folder) belongs to user \(status.st_uid); remove it, or set XDG_RUNTIME_DIR")
    }
    if status.st_mode & 0o777 != 0o700, chmod(folder, 0o700) != 0 { throw failure("can't make \(folder) private") }
  }

  private static func listen(_ path: String) throws(ServerError) -> FileDescriptor {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
    #else
      let kind = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK
    #endif
    let socket = FileDescriptor(adopting: socket(AF_UNIX, kind, 0))
    guard socket.isValid else { throw failure("can't make a socket") }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    let bytes = Array(path.utf8)
    guard bytes.count < capacity else {
      throw ServerError(.system, "\(path) is too long for a socket; at most \(capacity - 1) bytes are allowed")
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.rawValue, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
    guard isBound else { throw failure("can't bind \(path)") }
    // Who may connect is decided by credentials, where the folder lets others in at all.
    guard chmod(path, 0o666) == 0, Self.startListening(socket.rawValue) == 0 else {
      throw failure("can't listen on \(path)")
    }
    return socket
  }

  // The C library's name, out of reach behind the method above.
  private static func startListening(_ fd: Int32) -> Int32 {
    #if canImport(Glibc)
      Glibc.listen(fd, 128)
    #else
      Musl.listen(fd, 128)
    #endif
  }

  private static func failure(_ what: String) -> ServerError {
    ServerError(.system, "\(what): \(SystemCallError(call: "it", errno: errno).description)")
  }
}

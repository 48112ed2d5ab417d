import CLinux

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file descriptor that has one owner and is closed once, when its owner lets go of it.
public struct FileDescriptor: ~Copyable, Sendable {
  /// For a system call, while the owner holds on to it; -1 for none.
  public let rawValue: Int32

  /// Takes over a descriptor that nobody else closes. A negative number is no descriptor, and closes nothing.
  public init(adopting rawValue: Int32) { self.rawValue = rawValue }

  deinit {
    if rawValue >= 0 { _ = close(rawValue) }
  }

  public var isValid: Bool { rawValue >= 0 }

  /// Gives the number away; whoever has it closes it.
  public consuming func release() -> Int32 {
    let value = rawValue
    discard self
    return value
  }

  /// Another descriptor of the same open file, closed on exec.
  public borrowing func duplicate() throws(SystemCallError) -> FileDescriptor {
    let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 0)
    guard copy >= 0 else { throw .last("fcntl(F_DUPFD_CLOEXEC)") }
    return FileDescriptor(adopting: copy)
  }

  /// Whether reads and writes return at once rather than wait.
  public borrowing func setNonBlocking(_ isNonBlocking: Bool = true) throws(SystemCallError) {
    let flags = fcntl(rawValue, F_GETFL)
    guard flags >= 0 else { throw .last("fcntl(F_GETFL)") }
    let wanted = isNonBlocking ? flags | O_NONBLOCK : flags & ~O_NONBLOCK
    guard fcntl(rawValue, F_SETFL, wanted) == 0 else { throw .last("fcntl(F_SETFL)") }
  }

  /// Writes once and says how many bytes were taken; nil where none can be taken now.
  public borrowing func write(_ bytes: UnsafeRawBufferPointer) throws(SystemCallError) -> Int? {
    try Self.retrying("write") { Self.sysWrite(rawValue, bytes) }
  }

  /// Reads once and says how many bytes came, 0 at the end; nil where none have come yet.
  public borrowing func read(into bytes: UnsafeMutableRawBufferPointer) throws(SystemCallError) -> Int? {
    try Self.retrying("read") { Self.sysRead(rawValue, bytes) }
  }

  private static func sysWrite(_ fd: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(fd, bytes.baseAddress, bytes.count)
    #else
      Musl.write(fd, bytes.baseAddress, bytes.count)
    #endif
  }

  private static func sysRead(_ fd: Int32, _ bytes: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(fd, bytes.baseAddress, bytes.count)
    #else
      Musl.read(fd, bytes.baseAddress, bytes.count)
    #endif
  }

  /// Calls again after a signal; nil where the call would have to wait.
  private static func retrying(_ call: String, _ body: () -> Int) throws(SystemCallError) -> Int? {
    while true {
      let count = body()
      if count >= 0 { return count }
      let error = SystemCallError.last(call)
      if error.errno == EINTR { continue }
      if error.errno == EAGAIN { return nil }
      throw error
    }
  }

  // MARK: Pairs

  /// Two ends of one connection.
  public struct Pair: ~Copyable, Sendable {
    public var first: FileDescriptor
    public var second: FileDescriptor

    init(_ values: [Int32]) {
      first = FileDescriptor(adopting: values[0])
      second = FileDescriptor(adopting: values[1])
    }

    /// Takes the two apart.
    @discardableResult
    public consuming func take<Result: ~Copyable, Failure: Error>(
      _ body: (consuming FileDescriptor, consuming FileDescriptor) throws(Failure) -> Result
    ) throws(Failure) -> Result { try body(first, second) }
  }

  /// Two connected sockets in one process, closed on exec.
  public static func socketPair() throws(SystemCallError) -> Pair {
    var values: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM | SOCK_CLOEXEC
    #endif
    guard socketpair(AF_UNIX, kind, 0, &values) == 0 else { throw .last("socketpair") }
    return Pair(values)
  }

  /// A pipe: `first` is read from, `second` written to; closed on exec.
  public static func pipe() throws(SystemCallError) -> Pair {
    var values: [Int32] = [-1, -1]
    guard clinux_create_pipe(&values) == 0 else { throw .last("pipe2") }
    return Pair(values)
  }
}

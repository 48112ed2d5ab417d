import CLinux

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A system call that failed: which, and why.
public struct SystemCallError: Error, Sendable, Hashable, CustomStringConvertible {
  public let call: String
  public let errno: Int32

  public init(call: String, errno: Int32) {
    self.call = call
    self.errno = errno
  }

  /// Of the call that failed last on this thread.
  public static func last(_ call: String) -> SystemCallError {
    #if canImport(Glibc)
      SystemCallError(call: call, errno: Glibc.errno)
    #else
      SystemCallError(call: call, errno: Musl.errno)
    #endif
  }

  /// What a connection's error is called when the other end broke the protocol.
  public static let protocolErrno: Int32 = EPROTO

  public var description: String { "\(call) failed: \(String(cString: clinux_error_name(errno))) (errno \(errno))" }
}

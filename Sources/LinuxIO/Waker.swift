import CLinux

/// Wakes a thread that waits for its descriptor to become readable; from any thread.
public final class Waker: Sendable {
  private let descriptor: FileDescriptor

  public init() throws(SystemCallError) {
    descriptor = FileDescriptor(adopting: clinux_create_event())
    guard descriptor.isValid else { throw .last("eventfd") }
  }

  /// To wait for; lives as long as the waker.
  public var pollDescriptor: Int32 { descriptor.rawValue }

  /// Makes the descriptor readable until `clear`.
  public func wake() {
    // Full means awake already.
    var one: UInt64 = 1
    withUnsafeBytes(of: &one) { bytes in _ = try? descriptor.write(bytes) }
  }

  public func clear() {
    var count: UInt64 = 0
    withUnsafeMutableBytes(of: &count) { bytes in _ = try? descriptor.read(into: bytes) }
  }
}

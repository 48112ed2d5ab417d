import CLinux

/// A descriptor that becomes readable at a time of the monotonic clock.
final class Timer {
  private let descriptor: FileDescriptor

  init() throws(SystemCallError) {
    descriptor = FileDescriptor(adopting: clinux_create_timer())
    guard descriptor.isValid else { throw .last("timerfd_create") }
  }

  var pollDescriptor: Int32 { descriptor.rawValue }

  /// 0 for `time`: never.
  func set(at time: UInt64, interval: UInt64) throws(SystemCallError) {
    guard clinux_set_timer(descriptor.rawValue, time, interval) == 0 else { throw .last("timerfd_settime") }
  }

  /// Whether it had gone off; false where it was set anew since.
  func clear() -> Bool {
    var count: UInt64 = 0
    let read = withUnsafeMutableBytes(of: &count) { bytes in try? descriptor.read(into: bytes) }
    return read == 8
  }
}

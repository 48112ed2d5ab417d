import CLinux

/// Signals read from a descriptor. They are blocked on the thread that made it, and on those that it starts, for good.
final class SignalSet {
  private let descriptor: FileDescriptor

  init(_ signals: [Int32]) throws(SystemCallError) {
    descriptor = FileDescriptor(adopting: clinux_create_signals(signals, Int32(signals.count)))
    guard descriptor.isValid else { throw .last("signalfd") }
  }

  var pollDescriptor: Int32 { descriptor.rawValue }

  /// The next signal that came; nil when all were taken.
  func next() -> Int32? {
    let signal = clinux_next_signal(descriptor.rawValue)
    return signal >= 0 ? signal : nil
  }
}

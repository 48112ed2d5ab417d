import WaylandProtocol

/// When and how a commit was shown for the first time.
public struct Presentation: Sendable, Hashable {
  /// Of the monotonic clock.
  public var nanoseconds: UInt64
  /// From one frame of the output to the next; 0 for an output on demand.
  public var refreshNanoseconds: UInt32
  /// The frame's number; each drawn frame of the output has the next.
  public var sequence: UInt64
  /// The time is that of the frame clock, not of the end of the work.
  public var isOfFrameClock: Bool

  /// Hears the answer, once.
  final class Listener: PortholeFeedbackV1.EventHandler {
    private var answer: ((Presentation?) -> Void)?

    init(_ answer: @escaping (Presentation?) -> Void) { self.answer = answer }

    func presented(
      _ proxy: Proxy<PortholeFeedbackV1>, secondsHi: UInt32, secondsLo: UInt32, nanoseconds: UInt32, refresh: UInt32,
      sequenceHi: UInt32, sequenceLo: UInt32, flags: PortholeFeedbackV1.Flags
    ) {
      end(
        proxy,
        Presentation(
          nanoseconds: WireTime.nanoseconds(secondsHi, secondsLo, nanoseconds), refreshNanoseconds: refresh,
          sequence: UInt64(sequenceHi) << 32 | UInt64(sequenceLo), isOfFrameClock: flags.contains(.vsync)))
    }

    func discarded(_ proxy: Proxy<PortholeFeedbackV1>) { end(proxy, nil) }

    private func end(_ proxy: Proxy<PortholeFeedbackV1>, _ presentation: Presentation?) {
      let answer = answer
      self.answer = nil
      proxy.destroy()
      answer?(presentation)
    }
  }
}

/// The protocol's times.
enum WireTime {
  static func nanoseconds(_ secondsHi: UInt32, _ secondsLo: UInt32, _ nanoseconds: UInt32) -> UInt64 {
    let seconds = UInt64(secondsHi) << 32 | UInt64(secondsLo)
    return seconds &* 1_000_000_000 &+ UInt64(nanoseconds)
  }
}

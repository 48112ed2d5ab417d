import Diagnostics

/// Messages on their way to one thread, in the order in which they were posted.
///
/// The reader waits for `pollDescriptor` and takes all of them at once, by swapping arrays.
public final class Mailbox<Message: Sendable>: Sendable {
  private let messages = Guarded<[Message]>([])
  private let waker: Waker

  public init() throws(SystemCallError) { waker = try Waker() }

  /// Readable while there are messages.
  public var pollDescriptor: Int32 { waker.pollDescriptor }

  /// From any thread; never waits for the reader.
  public func post(_ message: Message) {
    let wasEmpty = messages.withLock { messages in
      messages.append(message)
      return messages.count == 1
    }
    if wasEmpty { waker.wake() }
  }

  /// Takes everything. `taken` is emptied first and its storage used again.
  public func take(into taken: inout [Message]) {
    taken.removeAll(keepingCapacity: true)
    // Before the swap: a message posted after it wakes the reader again.
    waker.clear()
    messages.withLock { messages in swap(&messages, &taken) }
  }
}

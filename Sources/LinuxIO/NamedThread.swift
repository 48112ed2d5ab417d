import CLinux
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A thread that the system would not give.
public struct ThreadError: Error, Sendable, CustomStringConvertible {
  public let name: String
  public let errno: Int32

  public var description: String {
    "the thread '\(name)' could not be started (errno \(errno)); look at the limit on tasks (ulimit -u, the cgroup's "
      + "pids.max)"
  }
}

/// A thread with a name, on which others run closures and wait for what they give. GL lives on one of these.
public final class NamedThread: Sendable {
  /// As `top -H` shows it, cut to 15 bytes there.
  public let name: String

  private let queue: JobQueue
  private let handle: pthread_t
  private let isStopped = Atomic<Bool>(false)
  private let isEnded = Atomic<Bool>(false)

  private final class Start: Sendable {
    let name: String
    let queue: JobQueue

    init(name: String, queue: JobQueue) {
      self.name = name
      self.queue = queue
    }
  }

  /// Starts the thread; it waits for work until `stop`.
  public init(name: String) throws(ThreadError) {
    let queue = JobQueue()
    // The thread holds the queue and not this object, so that the last owner's release can end it.
    let start = Unmanaged.passRetained(Start(name: name, queue: queue))
    var handle = pthread_t()
    let code = pthread_create(
      &handle, nil,
      { raw in
        guard let raw else { return nil }
        let start = Unmanaged<Start>.fromOpaque(raw).takeRetainedValue()
        _ = clinux_set_thread_name(start.name)
        start.queue.run()
        return nil
      }, start.toOpaque())
    guard code == 0 else {
      start.release()
      throw ThreadError(name: name, errno: code)
    }
    self.name = name
    self.queue = queue
    self.handle = handle
  }

  deinit { stop() }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool {
    // The system gives a thread's number to another one after its end.
    !isEnded.load(ordering: .acquiring) && pthread_equal(handle, pthread_self()) != 0
  }

  /// Runs `body` on the thread and waits for it. Called on the thread itself, it runs at once.
  /// - Precondition: the thread was not stopped.
  public func run<Success: Sendable, Failure: Error>(
    _ body: @Sendable () throws(Failure) -> Success
  ) throws(Failure) -> Success {
    if isCurrent { return try body() }
    // Written by the thread while this one waits for it, read after: never at once.
    nonisolated(unsafe) var outcome: Result<Success, Failure>?
    let wasRun = queue.perform {
      do throws(Failure) {
        outcome = .success(try body())
      } catch {
        outcome = .failure(error)
      }
    }
    guard wasRun, let outcome else { preconditionFailure("the thread '\(name)' was stopped before its last user") }
    return try outcome.get()
  }

  /// Has the thread run `body` after what it was given before, and waits for nothing.
  /// - Returns: false, and `body` is not run, where the thread was stopped.
  @discardableResult
  public func post(_ body: @escaping @Sendable () -> Void) -> Bool { queue.post(body) }

  /// As `run`, but does nothing and says false where the thread was stopped.
  @discardableResult
  func runUnlessStopped(_ body: @Sendable () -> Void) -> Bool {
    if isCurrent {
      body()
      return true
    }
    return queue.perform(body)
  }

  /// Lets the thread finish what it was given, ends it, and waits for its end. A second call does nothing.
  public func stop() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    queue.close()
    if isCurrent {
      // A thread can't wait for itself: it ends when the job in hand is done.
      pthread_detach(handle)
    } else {
      pthread_join(handle, nil)
      isEnded.store(true, ordering: .releasing)
    }
  }
}

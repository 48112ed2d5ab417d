#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Closures on their way to one thread, and the lock and condition that hand them over.
///
/// Unchecked, because `jobs` and `isClosed` are only touched with `mutex` held and a job's work only runs while the
/// thread that brought it waits.
final class JobQueue: @unchecked Sendable {
  private final class Job {
    let work: () -> Void
    var isDone = false

    init(work: @escaping () -> Void) { self.work = work }
  }

  // On the heap of their own: the C library wants addresses that never move.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var jobs: [Job] = []
  private var isClosed = false

  init() {
    mutex.initialize(to: pthread_mutex_t())
    condition.initialize(to: pthread_cond_t())
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Has the thread run `work` and waits until it has. False, and not run, once the queue is closed.
  func perform(_ work: () -> Void) -> Bool {
    withoutActuallyEscaping(work) { work in
      let job = Job(work: work)
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      guard !isClosed else { return false }
      jobs.append(job)
      pthread_cond_broadcast(condition)
      while !job.isDone { pthread_cond_wait(condition, mutex) }
      return true
    }
  }

  /// Has the thread run `work` some time later, after what it was given before. False, and not run, once the queue is
  /// closed.
  func post(_ work: @escaping @Sendable () -> Void) -> Bool {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    guard !isClosed else { return false }
    jobs.append(Job(work: work))
    pthread_cond_broadcast(condition)
    return true
  }

  /// The thread's life: runs jobs in the order in which they came, until the queue is closed and empty.
  func run() {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      while jobs.isEmpty {
        if isClosed { return }
        pthread_cond_wait(condition, mutex)
      }
      let job = jobs.removeFirst()
      pthread_mutex_unlock(mutex)
      job.work()
      pthread_mutex_lock(mutex)
      job.isDone = true
      pthread_cond_broadcast(condition)
    }
  }

  /// No more jobs; the thread ends when it has run those it has.
  func close() {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    isClosed = true
    pthread_cond_broadcast(condition)
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The turn at drivers whose contexts can't work side by side on threads of one process.
///
/// Mesa's llvmpipe asks, before it touches a texture, every context on its screen whether it still draws from it, and walks
/// the lists that those contexts are writing at that moment on their own threads, without a lock (seen in 22.3.6: it reads
/// beyond the list and crashes). All displays of one kind share a screen, and a screen's contexts one pool of threads, so
/// that taking turns at its calls costs little.
struct DriverTurn {
  /// Nil where calls need no turn. One lock for the process, kept for its life: a device may call within a call of its own,
  /// and a thread may have two devices, so that it may be taken again by the thread that has it.
  private let lock: UnsafeMutablePointer<pthread_mutex_t>?

  init(isNeeded: Bool) { lock = isNeeded ? Self.shared.lock : nil }

  @inline(__always)
  func begin() {
    if let lock { pthread_mutex_lock(lock) }
  }

  @inline(__always)
  func end() {
    if let lock { pthread_mutex_unlock(lock) }
  }

  private struct Shared: @unchecked Sendable {
    let lock: UnsafeMutablePointer<pthread_mutex_t>
  }

  private static let shared = {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_RECURSIVE))
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    lock.initialize(to: pthread_mutex_t())
    pthread_mutex_init(lock, &attributes)
    pthread_mutexattr_destroy(&attributes)
    return Shared(lock: lock)
  }()
}

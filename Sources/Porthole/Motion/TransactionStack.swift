import Commit
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The transactions that one thread is in.
final class TransactionStack {
  struct Settings {
    var duration = 0.25
    var function = TimingFunction.default
    var spring: Spring?
    var disablesActions = false
  }

  private struct Scope {
    var settings: Settings
    var completion: AnimationGroup?
  }

  private var scopes: [Scope] = []

  /// How many are open in all threads: while none is, nobody needs to ask for his own.
  private static let open = Atomic<Int>(0)
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { stack in
      // The system's declaration differs from library to library in whether this may be missing.
      let pointer: UnsafeMutableRawPointer? = stack
      if let pointer { Unmanaged<TransactionStack>.fromOpaque(pointer).release() }
    }
    return key
  }()

  /// This thread's.
  static var current: TransactionStack {
    if let known = pthread_getspecific(key) {
      return Unmanaged<TransactionStack>.fromOpaque(known).takeUnretainedValue()
    }
    let new = TransactionStack()
    pthread_setspecific(key, Unmanaged.passRetained(new).toOpaque())
    return new
  }

  /// What setting a property starts on this thread; nil for nothing.
  static var actions: Settings? {
    guard open.load(ordering: .relaxed) > 0 else { return nil }
    let settings = current.settings
    return settings.disablesActions ? nil : settings
  }

  /// What waits for the animations that are added now.
  static var groups: [AnimationGroup] {
    guard open.load(ordering: .relaxed) > 0 else { return [] }
    return current.scopes.compactMap(\.completion)
  }

  var settings: Settings {
    guard let scope = scopes.last else {
      var settings = Settings()
      settings.disablesActions = true
      return settings
    }
    return scope.settings
  }

  func begin() {
    var settings = settings
    if scopes.isEmpty { settings.disablesActions = false }
    scopes.append(Scope(settings: settings))
    Self.open.add(1, ordering: .relaxed)
  }

  func commit() {
    guard let scope = scopes.popLast() else {
      return MisuseLog.report("a transaction was committed that was not begun")
    }
    Self.open.subtract(1, ordering: .relaxed)
    scope.completion?.close()
  }

  func change(_ body: (inout Settings) -> Void) {
    guard !scopes.isEmpty else { return MisuseLog.report("a transaction was changed outside of any") }
    body(&scopes[scopes.count - 1].settings)
  }

  func setCompletion(_ completion: @escaping () -> Void) {
    guard !scopes.isEmpty else { return MisuseLog.report("a completion was set outside of any transaction") }
    scopes[scopes.count - 1].completion?.close()
    scopes[scopes.count - 1].completion = AnimationGroup(completion)
  }
}

/// Animations whose end somebody waits for.
final class AnimationGroup {
  private var completion: (() -> Void)?
  private var running = 0
  private var isClosed = false

  init(_ completion: @escaping () -> Void) { self.completion = completion }

  func add() { running += 1 }

  func end() {
    running -= 1
    callIfDone()
  }

  /// No more are added.
  func close() {
    isClosed = true
    callIfDone()
  }

  private func callIfDone() {
    guard isClosed, running == 0, let completion else { return }
    self.completion = nil
    completion()
  }
}

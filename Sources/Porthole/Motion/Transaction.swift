import Commit

/// A scope in which changes of layers are animated, and whose end can be waited for (`CATransaction`).
///
/// Inside of it, setting a property that can be animated also starts an animation from what is shown to the new value, on
/// layers that a renderer shows; outside, a property is what it is set to in the next frame. Everything that was changed
/// since the last frame is shown by the next one as one, in a transaction or not. Transactions nest, and belong to the
/// thread that begins them.
///
///     Transaction.animate(duration: 0.4, function: .easeOut) { card.position = Point(200, 90) }
public enum Transaction {
  /// Begins one inside of the present one, with its settings.
  public static func begin() { TransactionStack.current.begin() }

  /// Ends the innermost one. Without one, nothing happens but a line in the log.
  public static func commit() { TransactionStack.current.commit() }

  /// Of the animations that setting a property starts, in seconds; at first 0.25. Outside of a transaction, setting it
  /// does nothing.
  public static var animationDuration: Double {
    get { TransactionStack.current.settings.duration }
    set { TransactionStack.current.change { $0.duration = newValue } }
  }

  /// At first `TimingFunction.default`.
  public static var timingFunction: TimingFunction {
    get { TransactionStack.current.settings.function }
    set { TransactionStack.current.change { $0.function = newValue } }
  }

  /// Moves what is set as a spring does, which also goes on with the speed that it finds; nil, at first, does not.
  public static var spring: Spring? {
    get { TransactionStack.current.settings.spring }
    set { TransactionStack.current.change { $0.spring = newValue } }
  }

  /// On: setting a property starts nothing. Outside of a transaction it is always on.
  public static var disablesActions: Bool {
    get { TransactionStack.current.settings.disablesActions }
    set { TransactionStack.current.change { $0.disablesActions = newValue } }
  }

  /// Called once, when every animation that was added in the transaction has ended, finished or not: at its commit, where
  /// there is none. To be set before them.
  public static func setCompletion(_ completion: @escaping () -> Void) {
    TransactionStack.current.setCompletion(completion)
  }

  /// A transaction around `body`.
  public static func animate<Result, Failure: Error>(
    duration: Double = 0.25, function: TimingFunction = .default, spring: Spring? = nil,
    completion: (() -> Void)? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin()
    defer { commit() }
    animationDuration = duration
    timingFunction = function
    Transaction.spring = spring
    disablesActions = false
    if let completion { setCompletion(completion) }
    return try body()
  }

  /// A transaction in which properties are set and nothing moves.
  public static func withoutActions<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    begin()
    defer { commit() }
    disablesActions = true
    return try body()
  }
}

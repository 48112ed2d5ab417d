import Geometry

/// A mass on a damped spring, let go at a distance from where it comes to rest (`CASpringAnimation`).
public struct Spring: Sendable, Hashable {
  /// More than 0.
  public var mass: Double
  /// More than 0.
  public var stiffness: Double
  /// More than 0: without any, a spring never comes to rest.
  public var damping: Double
  /// In distances a second, towards the goal. To what the property already moves with, it is added.
  public var initialVelocity: Double

  public init(mass: Double = 1, stiffness: Double = 100, damping: Double = 10, initialVelocity: Double = 0) {
    self.mass = mass
    self.stiffness = stiffness
    self.damping = damping
    self.initialVelocity = initialVelocity
  }

  private var frequency: Double { (stiffness / mass).squareRoot() }
  private var decay: Double { damping / (2 * mass) }

  /// What is left after `time` seconds of a distance of 1, and what a velocity of 1 has made by then.
  public func response(at time: Double) -> (distance: Double, velocity: Double) {
    let (decay, frequency) = (decay, frequency)
    let split = (decay - frequency) * (decay + frequency)
    let turns: (cosine: Double, sine: Double)
    if split < 0 {
      let frequency = (-split).squareRoot()
      let envelope = exponential(-decay * time)
      let angle = frequency * time
      turns = (envelope * cosine(angle), envelope * sine(angle) / frequency)
    } else if split > 0 {
      let difference = split.squareRoot()
      // The slower of the two decays, without taking one large number from another.
      let slow = exponential(-frequency * frequency / (decay + difference) * time)
      let rest = exponentialLess1(-2 * difference * time)
      turns = (slow * (2 + rest) / 2, slow * -rest / (2 * difference))
    } else {
      let envelope = exponential(-decay * time)
      turns = (envelope, envelope * time)
    }
    return (turns.cosine + decay * turns.sine, turns.sine)
  }

  /// After how many seconds it stays within a ten-thousandth of the distance, or of how far the velocity carries it.
  /// Infinite for a spring that does not settle.
  /// - Parameter velocity: in distances a second; the distance is 1, or 0 where `isAtGoal`.
  public func settlingDuration(velocity: Double, isAtGoal: Bool = false) -> Double {
    guard mass > 0, stiffness > 0, damping > 0 else { return .infinity }
    let (decay, frequency) = (decay, frequency)
    let whole = max(isAtGoal ? 0 : 1, velocity.magnitude / frequency)
    guard whole > 0 else { return 0 }
    let (x, v) = ((isAtGoal ? 0 : 1) / whole, velocity.magnitude / whole)
    let split = (decay - frequency) * (decay + frequency)
    let rate = split > 0 ? frequency * frequency / (decay + split.squareRoot()) : decay
    guard rate > 0, rate.isFinite, x.isFinite, v.isFinite else { return .infinity }
    // No response is above either.
    let swing = split < 0 ? x + (v + decay * x) / (-split).squareRoot() : .infinity
    func bound(_ time: Double) -> Double {
      min(swing, x + (v + decay * x) * time) * exponential(-rate * time)
    }
    var (low, high) = (0.0, 1 / rate)
    while bound(high) > 1e-4 {
      low = high
      high *= 2
      if high > 1e9 { return .infinity }
    }
    for _ in 0..<50 {
      let middle = (low + high) / 2
      if bound(middle) > 1e-4 { low = middle } else { high = middle }
    }
    return high
  }

  /// For its own `initialVelocity`.
  public var settlingDuration: Double { settlingDuration(velocity: initialVelocity) }
}

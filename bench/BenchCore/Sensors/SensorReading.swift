/// What a machine says of its clocks and its heat at one moment; nil where it says nothing.
public struct SensorReading: Sendable, Hashable {
  /// Of what draws, in MHz.
  public var clock: Double?
  public var memoryClock: Double?
  /// Degrees Celsius.
  public var temperature: Double?
  /// Watts.
  public var power: Double?
  /// Joules since some beginning.
  public var energy: Double?
  /// Why the clock is held down, in the driver's words; empty where it is not, or nobody says.
  public var throttles: [String]

  public init(
    clock: Double? = nil, memoryClock: Double? = nil, temperature: Double? = nil, power: Double? = nil,
    energy: Double? = nil, throttles: [String] = []
  ) {
    (self.clock, self.memoryClock, self.temperature) = (clock, memoryClock, temperature)
    (self.power, self.energy, self.throttles) = (power, energy, throttles)
  }
}

/// Where readings come from.
public protocol Sensor: AnyObject {
  var name: String { get }
  /// The clock that it does not rise above, in MHz.
  var highestClock: Double? { get }
  func read() -> SensorReading
}

/// A machine that says nothing.
public final class NoSensor: Sensor {
  public let name = "none"
  public let highestClock: Double? = nil

  public init() {}
  public func read() -> SensorReading { SensorReading() }
}

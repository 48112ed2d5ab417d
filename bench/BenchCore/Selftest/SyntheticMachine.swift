/// A machine made of numbers: its clocks move by what frames cost and by what disturbs them, so that the truth is known and
/// an hour of measuring takes a second. What disturbs is shaped as it was seen on two shared cores under llvmpipe: load that
/// lasts for some frames, neighbours that come and go, frames that are held up, and each frame's own chance.
public final class SyntheticMachine: BenchClock {
  public enum Mood: String, Sendable, CaseIterable {
    case idle, noisy
  }

  /// What becomes of the whole machine in the course of a run.
  public enum Drift: Sendable, Hashable {
    case none
    /// Grows by such a part until so many seconds have gone, and stays.
    case ramp(Double, seconds: Double)
    /// Is another by such a part from then on.
    case step(Double, at: Double)
  }

  public private(set) var monotonicNanoseconds: UInt64 = 1_000_000
  public private(set) var cpuNanoseconds: UInt64 = 1_000_000
  public let mood: Mood
  private let drift: Drift
  private var chance: Gaussian
  private var load = 0.0
  private var burst = 0

  public init(_ mood: Mood, drift: Drift = .none, seed: UInt64) {
    (self.mood, self.drift) = (mood, drift)
    chance = Gaussian(seed: seed)
  }

  private var numbers: (load: Double, own: Double, bursts: Double, longest: Int, slower: Double, spikes: Double) {
    switch mood {
    case .idle: (0.05, 0.08, 0.002, 6, 1.3, 0.01)
    case .noisy: (0.12, 0.12, 0.02, 20, 1.5, 0.05)
    }
  }

  /// How many times as long as on the undisturbed machine something takes just now.
  public var factor: Double {
    switch drift {
    case .none: 1
    case .ramp(let part, let seconds): 1 + part * min(1, self.seconds / max(1e-9, seconds))
    case .step(let part, let at): self.seconds < at ? 1 : 1 + part
    }
  }

  public var seconds: Double { Double(monotonicNanoseconds - 1_000_000) / 1e9 }

  /// A frame of such a cost goes by.
  public func spend(milliseconds cost: Double) {
    let numbers = numbers
    load = 0.9 * load + (1 - 0.81).squareRoot() * numbers.load * chance.next()
    var time = cost * factor * exponential(load + numbers.own * chance.next())
    if burst == 0, chance.uniform() < numbers.bursts { burst = 1 + Int(chance.uniform() * Double(numbers.longest)) }
    if burst > 0 {
      burst -= 1
      time *= numbers.slower
    }
    if chance.uniform() < numbers.spikes { time -= cost * 0.5 * naturalLogarithm(1 - chance.uniform()) }
    // What is no number moves no clock.
    let nanoseconds = time.isFinite ? UInt64(max(0, min(time * 1e6, 1e15))) : 0
    monotonicNanoseconds += nanoseconds
    cpuNanoseconds += nanoseconds
  }

  /// Makes a renderer: by how many times it is dearer than another of the same for as long as it lives, for where its memory
  /// lies and how its threads fell into step. It takes no time, since bars are of seconds that are measured.
  public func made() -> Double {
    exponential((mood == .idle ? 0.003 : 0.01) * chance.next())
  }

  /// A number of a normal distribution, of the machine's own chance.
  public func luck() -> Double { chance.next() }
}

/// Normal and even numbers from a seed.
public struct Gaussian: Sendable {
  private var random: SplitMix64

  public init(seed: UInt64) { random = SplitMix64(seed: seed) }

  /// From 0 to below 1.
  public mutating func uniform() -> Double { Double(random.next() >> 11) / Double(1 << 53) }

  /// Of mean 0 and deviation 1 (Box and Muller).
  public mutating func next() -> Double {
    let radius = (-2 * naturalLogarithm(1 - uniform())).squareRoot()
    return radius * cosine(2 * Double.pi * uniform())
  }
}

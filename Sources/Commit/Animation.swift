/// How a layer's properties change with time, by itself: no further commit is needed for any frame of it.
///
/// It moves what is shown and leaves the layer's own values alone; what it shows when it has ended is those.
public struct Animation: Sendable, Hashable {
  public var timing: AnimationTiming
  public var content: Content
  /// By which its end is told; 0 tells nobody.
  public var token: UInt64

  public indirect enum Content: Sendable, Hashable {
    case property(PropertyAnimation)
    /// Each in this one's time: its beginTime counts from this one's beginning, and it is cut off at this one's end.
    case group([Animation])
  }

  public init(timing: AnimationTiming = AnimationTiming(), content: Content, token: UInt64 = 0) {
    self.timing = timing
    self.content = content
    self.token = token
  }

  public init(_ animation: PropertyAnimation, timing: AnimationTiming = AnimationTiming(), token: UInt64 = 0) {
    self.init(timing: timing, content: .property(animation), token: token)
  }
}

/// What an animation does to one property, or to a part of one.
public struct PropertyAnimation: Sendable, Hashable {
  public var keyPath: AnimationKeyPath
  public var motion: Motion
  /// Its value is added to what the property has without it: numbers are added, transforms applied first.
  public var isAdditive: Bool

  public enum Motion: Sendable, Hashable {
    case basic(Interval)
    case spring(Interval, Spring)
    case keyframes(Keyframes)
  }

  /// From where to where. What is not given: `from` is what the property shows when the animation is added (none, if
  /// additive), or lies `by` before `to`; `to` lies `by` after `from`, or is the layer's own value (none, if additive).
  public struct Interval: Sendable, Hashable {
    public var from: AnimationValue?
    public var to: AnimationValue?
    public var by: AnimationValue?

    public init(from: AnimationValue? = nil, to: AnimationValue? = nil, by: AnimationValue? = nil) {
      self.from = from
      self.to = to
      self.by = by
    }
  }

  public init(_ keyPath: AnimationKeyPath, _ motion: Motion, isAdditive: Bool = false) {
    self.keyPath = keyPath
    self.motion = motion
    self.isAdditive = isAdditive
  }
}

/// Values at times (`CAKeyframeAnimation`).
public struct Keyframes: Sendable, Hashable {
  /// How it goes from one value to the next (`CAAnimationCalculationMode`).
  public enum CalculationMode: UInt8, Sendable, CaseIterable {
    case linear
    /// Each value stands until the next one's time.
    case discrete
    /// Straight, at one speed from the first to the last value, whatever the key times.
    case paced
    /// A smooth curve through the values (Catmull-Rom).
    case cubic
    /// A smooth curve through the values, each part of it as long as the values are apart.
    case cubicPaced
  }

  public var values: [AnimationValue]
  /// One for each value, rising from 0 to 1, in shares of the duration; with `discrete`, one more, since each value has a
  /// beginning and an end. Empty: evenly.
  public var keyTimes: [Double]
  /// One for each step from a value to the next; empty: linear. Of no effect on paced ones.
  public var functions: [TimingFunction]
  public var calculationMode: CalculationMode

  public init(
    _ values: [AnimationValue], keyTimes: [Double] = [], functions: [TimingFunction] = [],
    calculationMode: CalculationMode = .linear
  ) {
    self.values = values
    self.keyTimes = keyTimes
    self.functions = functions
    self.calculationMode = calculationMode
  }
}

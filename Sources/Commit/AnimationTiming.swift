/// When an animation runs and how its time goes: Core Animation's `CAMediaTiming`. Times are in seconds.
public struct AnimationTiming: Sendable, Hashable {
  /// Of the renderer's time, or of the group that it stands in; 0 outside of a group is the time of its commit.
  public var beginTime: Double
  /// Of one run. 0 is over at once; for a spring, it lasts until the spring has settled.
  public var duration: Double
  /// How fast its own time goes. A negative one runs from the end to the beginning; at 0 it stands at `timeOffset`, and
  /// never ends.
  public var speed: Double
  /// Where in its own time it begins; what is left out comes at the end.
  public var timeOffset: Double
  /// How many runs, fractions too; 0 is one, and it may be infinite.
  public var repeatCount: Double
  /// For how long it is repeated, in its own time; 0 leaves that to `repeatCount`. It may be infinite.
  public var repeatDuration: Double
  /// Each run is followed by one back.
  public var autoreverses: Bool
  public var fillMode: FillMode
  /// Off: it stays when it has ended, and shows what `fillMode` says until it is removed.
  public var isRemovedOnCompletion: Bool
  public var function: TimingFunction

  /// What is shown before it begins and after it has ended (`CAMediaTimingFillMode`).
  public enum FillMode: UInt8, Sendable, CaseIterable {
    /// The layer's own value.
    case removed
    /// After the end, the last value.
    case forwards
    /// Before it begins, the first value.
    case backwards
    case both
  }

  public init(
    beginTime: Double = 0, duration: Double = 0.25, speed: Double = 1, timeOffset: Double = 0, repeatCount: Double = 0,
    repeatDuration: Double = 0, autoreverses: Bool = false, fillMode: FillMode = .removed,
    isRemovedOnCompletion: Bool = true, function: TimingFunction = .linear
  ) {
    self.beginTime = beginTime
    self.duration = duration
    self.speed = speed
    self.timeOffset = timeOffset
    self.repeatCount = repeatCount
    self.repeatDuration = repeatDuration
    self.autoreverses = autoreverses
    self.fillMode = fillMode
    self.isRemovedOnCompletion = isRemovedOnCompletion
    self.function = function
  }

  /// How long it lasts in its own time, for runs of this duration.
  public func activeDuration(ofRuns duration: Double) -> Double {
    if repeatDuration > 0 { return repeatDuration }
    let run = autoreverses ? duration * 2 : duration
    return run > 0 ? run * (repeatCount > 0 ? repeatCount : 1) : 0
  }
}

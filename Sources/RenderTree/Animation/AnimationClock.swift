import Commit

/// One animation's time, or one group's: from the time of what it stands in to its own.
struct AnimationClock: Sendable {
  /// Index of the group's clock in the same animation; -1 for the tree's own time.
  var parent: Int32
  var begin: Double
  /// Of one run.
  var duration: Double
  var speed: Double
  var timeOffset: Double
  /// How long all runs take, in its own time; may be infinite.
  var active: Double
  var autoreverses: Bool
  var fillsBackwards: Bool
  var fillsForwards: Bool
  var function: TimingFunction

  init(_ timing: AnimationTiming, parent: Int32, begin: Double, duration: Double) {
    self.parent = parent
    self.begin = begin
    self.duration = duration
    speed = timing.speed
    timeOffset = timing.timeOffset
    active = timing.activeDuration(ofRuns: duration)
    autoreverses = timing.autoreverses
    fillsBackwards = timing.fillMode == .backwards || timing.fillMode == .both
    fillsForwards = timing.fillMode == .forwards || timing.fillMode == .both
    function = timing.function
  }

  /// When it ends, in the time of what it stands in; infinite for one that does not.
  var end: Double { speed == 0 ? .infinity : begin + active / speed.magnitude }

  /// How far its run is, from 0 to 1; nil where it has nothing to show.
  func progress(at time: Double) -> Double? {
    var elapsed = (time - begin) * speed.magnitude
    if time < begin {
      guard fillsBackwards else { return nil }
      elapsed = 0
    } else if speed != 0, elapsed >= active {
      guard fillsForwards else { return nil }
      elapsed = active
    }
    guard duration > 0 else { return 1 }
    if speed < 0 { elapsed = active - elapsed }
    let period = autoreverses ? duration * 2 : duration
    let whole = elapsed + timeOffset
    var place = whole - (whole / period).rounded(.down) * period
    // The end of the last run is its end, not the beginning of one more; so is where the way back begins.
    if elapsed >= active, whole > 0, place < period * 1e-9 { place = period }
    if autoreverses, place > duration { place = period - place }
    return function.progress(at: place / duration)
  }

  /// Its own time: seconds into its run.
  func local(at time: Double) -> Double? { progress(at: time).map { $0 * duration } }
}

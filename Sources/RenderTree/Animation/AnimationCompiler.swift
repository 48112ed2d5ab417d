import Commit
import Geometry

/// Works out what an animation leaves open, once, when it is added.
struct AnimationCompiler {
  /// The tree's time: that of the commit.
  var time: Double
  /// What a key path showed before the commit, and what it moved with.
  var captured: [AnimationKeyPath: CapturedValue]

  func compile(_ animation: Animation, key: String) -> RunningAnimation {
    var running = RunningAnimation(key: key, animation: animation, clocks: [], tracks: [])
    let begin = animation.timing.beginTime == 0 ? time : animation.timing.beginTime
    add(animation, parent: -1, begin: begin, to: &running)
    return running
  }

  private func add(_ animation: Animation, parent: Int32, begin: Double, to running: inout RunningAnimation) {
    let clock = Int32(running.clocks.count)
    var duration = animation.timing.duration
    switch animation.content {
    case .group(let animations):
      running.clocks.append(AnimationClock(animation.timing, parent: parent, begin: begin, duration: duration))
      for inner in animations { add(inner, parent: clock, begin: inner.timing.beginTime, to: &running) }
    case .property(let property):
      let track = track(property, clock: clock)
      if duration == 0, case .spring(let spring) = track.motion {
        duration = Self.settlingDuration(of: spring, track)
      }
      running.clocks.append(AnimationClock(animation.timing, parent: parent, begin: begin, duration: duration))
      running.tracks.append(track)
    }
  }

  private func track(_ animation: PropertyAnimation, clock: Int32) -> AnimationTrack {
    var track = AnimationTrack(
      keyPath: animation.keyPath, clock: clock, isAdditive: animation.isAdditive, motion: .basic, keys: [], width: 0)
    switch animation.motion {
    case .basic(let interval): setEnds(interval, of: &track)
    case .spring(let interval, let spring):
      track.motion = .spring(spring)
      setEnds(interval, of: &track)
    case .keyframes(let keyframes):
      let values = keyframes.values.map(\.animatedNumbers)
      track.width = values.first?.count ?? 0
      track.keys = values.flatMap { $0 }
      track.motion = .keyframes(KeyframePlan(keyframes, keys: track.keys, width: track.width))
    }
    return track
  }

  private func setEnds(_ interval: PropertyAnimation.Interval, of track: inout AnimationTrack) {
    var from = interval.from?.animatedNumbers
    var to = interval.to?.animatedNumbers
    let by = interval.by?.animatedNumbers
    let count = (from ?? to ?? by)?.count ?? track.keyPath.kind.count
    if let by {
      if let start = from { to = zip(start, by).map { $0 + $1 } }
      if let end = to, from == nil { from = zip(end, by).map { $0 - $1 } }
    }
    if track.isAdditive {
      let nothing = track.keyPath.kind == .transform ? Transform3D.identity.elements : []
      let none = nothing.isEmpty ? [Double](repeating: 0, count: count ?? 0) : nothing
      from = from ?? none
      to = to ?? by ?? none
    } else if from == nil, let captured = captured[track.keyPath] {
      from = captured.value
      track.velocity = captured.velocity
      if let by { to = zip(captured.value, by).map { $0 + $1 } }
    }
    track.width = from?.count ?? 0
    track.keys = (from ?? []) + (to ?? [])
    track.endsAtModel = to == nil
    if case .spring = track.motion {} else { track.velocity = [] }
  }

  /// From how far its value goes, and what it moves with.
  private static func settlingDuration(of spring: Spring, _ track: AnimationTrack) -> Double {
    let moved = track.velocity.reduce(0) { $0 + $1 * $1 }.squareRoot()
    guard moved > 0, track.keyPath.kind != .transform, !track.endsAtModel else {
      // How far it goes is not known, or in no one unit: as if its velocity carried it as far again.
      let extra = moved > 0 ? (spring.stiffness / spring.mass).squareRoot() : 0
      return spring.settlingDuration(velocity: spring.initialVelocity.magnitude + extra)
    }
    var square = 0.0
    for index in 0..<track.width where track.keys.count >= 2 * track.width {
      let step = track.keys[track.width + index] - track.keys[index]
      square += step * step
    }
    let distance = square.squareRoot()
    guard distance > 0 else { return spring.settlingDuration(velocity: moved, isAtGoal: true) }
    return spring.settlingDuration(velocity: spring.initialVelocity.magnitude + moved / distance)
  }
}

/// What a property showed before a commit.
struct CapturedValue: Sendable {
  var value: [Double]
  /// In units a second; empty where it stood still. A transform's as `TransformDecomposition.way` has it.
  var velocity: [Double]
}

extension AnimationValue {
  /// Its numbers as they are mixed: colours premultiplied.
  var animatedNumbers: [Double] {
    switch self {
    case .color(let color): color.premultiplied.numbers
    case .colors(let colors): colors.flatMap { $0.premultiplied.numbers }
    default: numbers
    }
  }

  /// The reverse of `animatedNumbers`.
  init?(_ kind: Kind, animated n: [Double]) {
    switch kind {
    case .color where n.count == 4: self = .color(PremultipliedColor(numbers: n, at: 0).straight)
    case .colors:
      self = .colors(
        stride(from: 0, to: n.count - n.count % 4, by: 4).map { PremultipliedColor(numbers: n, at: $0).straight })
    default: self.init(kind, n)
    }
  }
}

extension PremultipliedColor {
  fileprivate var numbers: [Double] { [Double(red), Double(green), Double(blue), Double(alpha)] }
}

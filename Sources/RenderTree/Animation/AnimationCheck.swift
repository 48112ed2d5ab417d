import Commit
import Geometry

/// What an animation has to be like; where it is not, in words that name layer, key path and number.
struct AnimationCheck {
  var layer: LayerID
  var kind: LayerKind
  var key: String
  /// What the words begin with; nil for the animation's key and layer.
  var subject: String?

  static let mostOfOneLayer = 64
  /// Groups within groups.
  static let deepest = 8
  /// Numbers in all values of one animation.
  static let mostNumbers = 65_536
  /// A spring that takes longer to settle counts as one that does not.
  static let longestSettling = 3600.0

  func check(_ animation: Animation) throws(CommitError) {
    var numbers = 0
    try check(animation, depth: 1, &numbers)
  }

  private func check(_ animation: Animation, depth: Int, _ numbers: inout Int) throws(CommitError) {
    guard depth <= Self.deepest else {
      throw fault(.outOfRange, nil, "groups must not be nested deeper than \(Self.deepest)")
    }
    switch animation.content {
    case .group(let animations):
      try check(animation.timing, of: nil, settling: nil)
      for inner in animations { try check(inner, depth: depth + 1, &numbers) }
    case .property(let property):
      var settling: Double?
      if case .spring(_, let spring) = property.motion {
        try check(spring, of: property.keyPath, duration: animation.timing.duration)
        settling = spring.settlingDuration
      }
      try check(animation.timing, of: property.keyPath, settling: settling)
      try check(property, &numbers)
    }
  }

  // MARK: Timing

  private func check(
    _ timing: AnimationTiming, of path: AnimationKeyPath?, settling: Double?
  ) throws(CommitError) {
    let finite = [
      ("beginTime", timing.beginTime), ("duration", timing.duration), ("speed", timing.speed),
      ("timeOffset", timing.timeOffset),
    ]
    for (name, value) in finite where !value.isFinite {
      throw fault(.notFinite, path, "\(name) must be a finite number, not \(value)")
    }
    for (name, value) in [("repeatCount", timing.repeatCount), ("repeatDuration", timing.repeatDuration)]
    where !(value >= 0) {
      throw fault(
        value.isNaN ? .notFinite : .outOfRange, path, "\(name) must be 0 or more, infinite at most, not \(value)")
    }
    guard timing.duration >= 0 else {
      throw fault(.outOfRange, path, "duration must be 0 or more, not \(timing.duration)")
    }
    guard timing.timeOffset >= 0 else {
      throw fault(.outOfRange, path, "timeOffset must be 0 or more, not \(timing.timeOffset)")
    }
    let duration = timing.duration == 0 ? settling ?? 0 : timing.duration
    let repeats = timing.repeatCount > 0 || timing.repeatDuration > 0
    guard duration > 0 || !repeats else {
      throw fault(.outOfRange, path, "duration must be more than 0 where it is repeated, not \(duration)")
    }
    let active = timing.activeDuration(ofRuns: duration)
    guard timing.speed >= 0 || active.isFinite else {
      throw fault(.outOfRange, path, "speed must be 0 or more where it is repeated for ever, not \(timing.speed)")
    }
    try check(timing.function, of: path)
  }

  private func check(_ function: TimingFunction, of path: AnimationKeyPath?) throws(CommitError) {
    for value in [function.x1, function.y1, function.x2, function.y2] where !value.isFinite {
      throw fault(.notFinite, path, "a timing function must have finite numbers, not \(value)")
    }
    for value in [function.x1, function.x2] where !(0...1 ~= value) {
      throw fault(.outOfRange, path, "x of a timing function's points must lie between 0 and 1, not \(value)")
    }
  }

  private func check(
    _ spring: Spring, of path: AnimationKeyPath, duration: Double
  ) throws(CommitError) {
    let numbers = [("mass", spring.mass), ("stiffness", spring.stiffness), ("damping", spring.damping)]
    for (name, value) in numbers + [("initialVelocity", spring.initialVelocity)] where !value.isFinite {
      throw fault(.notFinite, path, "\(name) of a spring must be a finite number, not \(value)")
    }
    for (name, value) in numbers where !(value > 0) {
      throw fault(
        .outOfRange, path, "\(name) of a spring must be more than 0, or it never settles, not \(value)")
    }
    let settling = spring.settlingDuration
    guard duration > 0 || settling <= Self.longestSettling else {
      throw fault(
        .outOfRange, path,
        "a spring without a duration must settle in \(Int(Self.longestSettling)) s, not in \(settling) s; give it more damping, or a duration"
      )
    }
  }

  // MARK: Values

  private func check(_ animation: PropertyAnimation, _ numbers: inout Int) throws(CommitError) {
    let path = animation.keyPath
    if path.property.isPortalOnly, kind != .portal {
      throw CommitError(
        .notAPortal, layer: layer, property: path.description,
        "\(subject ?? layer.description) is no portal, so it has no \(path)")
    }
    if animation.isAdditive, path.kind == .flag {
      throw fault(.outOfRange, path, "it can't be additive: true and false have no sum")
    }
    switch animation.motion {
    case .basic(let interval), .spring(let interval, _): try check(interval, of: path, &numbers)
    case .keyframes(let keyframes): try check(keyframes, of: path, &numbers)
    }
  }

  private func check(
    _ interval: PropertyAnimation.Interval, of path: AnimationKeyPath, _ numbers: inout Int
  ) throws(CommitError) {
    guard interval.from == nil || interval.to == nil || interval.by == nil else {
      throw fault(.outOfRange, path, "of from, to and by no more than two may be given")
    }
    if interval.by != nil, path.kind == .transform || path.kind == .flag {
      throw fault(.outOfRange, path, "by is no value of \(path.kind.words); give from and to")
    }
    var count: Int?
    for (name, value) in [("from", interval.from), ("to", interval.to), ("by", interval.by)] {
      guard let value else { continue }
      try check(value, name, of: path, count: &count, &numbers)
    }
  }

  private func check(
    _ keyframes: Keyframes, of path: AnimationKeyPath, _ numbers: inout Int
  ) throws(CommitError) {
    guard !keyframes.values.isEmpty else { throw fault(.outOfRange, path, "it must have at least one value") }
    var count: Int?
    for (index, value) in keyframes.values.enumerated() {
      try check(value, "values[\(index)]", of: path, count: &count, &numbers)
    }
    let steps = keyframes.values.count - 1
    if !keyframes.keyTimes.isEmpty {
      let wanted = keyframes.calculationMode == .discrete ? steps + 2 : steps + 1
      guard keyframes.keyTimes.count == wanted else {
        throw fault(.outOfRange, path, "it must have \(wanted) key times, not \(keyframes.keyTimes.count)")
      }
      var last = 0.0
      for (index, time) in keyframes.keyTimes.enumerated() {
        guard time.isFinite else {
          throw fault(.notFinite, path, "keyTimes[\(index)] must be a finite number, not \(time)")
        }
        guard time >= last, time <= 1, index > 0 || time == 0 else {
          throw fault(.outOfRange, path, "keyTimes must rise from 0 to 1; keyTimes[\(index)] is \(time)")
        }
        last = time
      }
      guard last == 1 || wanted == 1 else {
        throw fault(.outOfRange, path, "the last of keyTimes must be 1, not \(last)")
      }
    }
    guard keyframes.functions.isEmpty || keyframes.functions.count == steps else {
      throw fault(
        .outOfRange, path,
        "it must have \(steps) timing functions, one less than values, not \(keyframes.functions.count)")
    }
    for function in keyframes.functions { try check(function, of: path) }
  }

  private func check(
    _ value: AnimationValue, _ name: String, of path: AnimationKeyPath, count: inout Int?, _ total: inout Int
  ) throws(CommitError) {
    guard value.kind == path.kind else {
      throw fault(.outOfRange, path, "\(name) must be \(path.kind.words), not \(value.kind.words)")
    }
    let numbers = value.numbers
    if let bad = numbers.first(where: { !$0.isFinite }) {
      throw fault(.notFinite, path, "\(name) must have finite numbers, not \(bad)")
    }
    guard count == nil || count == numbers.count else {
      throw fault(.outOfRange, path, "\(name) must be as long a list as the value before it")
    }
    count = numbers.count
    total += numbers.count
    guard total <= Self.mostNumbers else {
      throw fault(.outOfRange, path, "all its values together must not have more than \(Self.mostNumbers) numbers")
    }
  }

  private func fault(_ code: CommitError.Code, _ path: AnimationKeyPath?, _ wanted: String) -> CommitError {
    CommitError(
      code, layer: layer, property: path?.description,
      "\(subject ?? "animation \"\(key)\" of \(layer)")\(path.map { ", \($0)" } ?? ""): \(wanted)")
  }
}

extension Animation {
  /// Why no layer of that kind, called `subject`, can have it; nil where one can.
  public func fault(on kind: LayerKind, called subject: String) -> String? {
    let check = AnimationCheck(layer: LayerID(rawValue: 0), kind: kind, key: "", subject: subject)
    do throws(CommitError) {
      try check.check(self)
      return nil
    } catch {
      return error.description
    }
  }
}

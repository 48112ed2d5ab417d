import Commit
import Geometry

/// An animation as a sequence of doubles, as `porthole_layer_v1.add_animation` takes it: its content's kind, its timing,
/// and what the content needs. Its key and token travel beside it.
public enum AnimationRecord {
  /// No longer than an array in a message of 4096 bytes, with room for a key.
  public static let longest = 440
  /// Of groups in groups.
  public static let deepest = 8

  // What follows the timing.
  static let group = 0
  static let basic = 1
  static let spring = 2
  static let keyframes = 3
  // Flags.
  static let autoreverses = 1
  static let isRemovedOnCompletion = 2
  static let isAdditive = 4
  // Of an interval.
  static let from = 1
  static let to = 2
  static let by = 4

  /// - Throws: `tooLong`.
  public static func encode(_ animation: Animation) throws(AnimationRecordError) -> [Double] {
    var numbers: [Double] = []
    append(animation, to: &numbers)
    guard numbers.count <= longest else { throw AnimationRecordError(.tooLong, at: numbers.count) }
    return numbers
  }

  /// As `encode`, however long: for traces.
  public static func encodeWhole(_ animation: Animation) -> [Double] {
    var numbers: [Double] = []
    append(animation, to: &numbers)
    return numbers
  }

  private static func append(_ animation: Animation, to n: inout [Double]) {
    switch animation.content {
    case .group(let animations):
      append(animation.timing, kind: group, isAdditive: false, to: &n)
      n.append(Double(animations.count))
      for inner in animations { append(inner, to: &n) }
    case .property(let property):
      switch property.motion {
      case .basic(let interval):
        append(animation.timing, kind: basic, isAdditive: property.isAdditive, to: &n)
        append(property.keyPath, to: &n)
        append(interval, to: &n)
      case .spring(let interval, let spring):
        append(animation.timing, kind: self.spring, isAdditive: property.isAdditive, to: &n)
        append(property.keyPath, to: &n)
        n += [spring.mass, spring.stiffness, spring.damping, spring.initialVelocity]
        append(interval, to: &n)
      case .keyframes(let keyframes):
        append(animation.timing, kind: self.keyframes, isAdditive: property.isAdditive, to: &n)
        append(property.keyPath, to: &n)
        append(keyframes, to: &n)
      }
    }
  }

  private static func append(_ timing: AnimationTiming, kind: Int, isAdditive: Bool, to n: inout [Double]) {
    let flags =
      (timing.autoreverses ? autoreverses : 0) + (timing.isRemovedOnCompletion ? isRemovedOnCompletion : 0)
      + (isAdditive ? self.isAdditive : 0)
    n += [
      Double(kind), Double(flags), Double(timing.fillMode.rawValue), timing.beginTime, timing.duration, timing.speed,
      timing.timeOffset, timing.repeatCount, timing.repeatDuration,
    ]
    append(timing.function, to: &n)
  }

  private static func append(_ function: TimingFunction, to n: inout [Double]) {
    n += [function.x1, function.y1, function.x2, function.y2]
  }

  private static func append(_ keyPath: AnimationKeyPath, to n: inout [Double]) {
    n += [Double(keyPath.property.rawValue), Double(keyPath.part.rawValue), Double(keyPath.index)]
  }

  private static func append(_ interval: PropertyAnimation.Interval, to n: inout [Double]) {
    let given = (interval.from == nil ? 0 : from) + (interval.to == nil ? 0 : to) + (interval.by == nil ? 0 : by)
    n.append(Double(given))
    for value in [interval.from, interval.to, interval.by] {
      if let value { append(value, to: &n) }
    }
  }

  /// Lists say how long they are.
  private static func append(_ value: AnimationValue, to n: inout [Double]) {
    let numbers = value.numbers
    if value.kind.count == nil { n.append(Double(numbers.count)) }
    n += numbers
  }

  private static func append(_ keyframes: Keyframes, to n: inout [Double]) {
    n += [
      Double(keyframes.calculationMode.rawValue), Double(keyframes.values.count), Double(keyframes.keyTimes.count),
      Double(keyframes.functions.count),
    ]
    for value in keyframes.values { append(value, to: &n) }
    n += keyframes.keyTimes
    for function in keyframes.functions { append(function, to: &n) }
  }
}

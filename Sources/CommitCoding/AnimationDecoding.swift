import Commit
import Geometry

extension AnimationRecord {
  /// Reads the one animation that `bytes` hold, doubles in little-endian order. They may lie at any address and hold
  /// anything. Numbers that no animation may have are passed on; a tree refuses them by name.
  public static func decode(
    _ bytes: UnsafeRawBufferPointer
  ) throws(AnimationRecordError) -> Animation {
    var numbers: [Double] = []
    numbers.reserveCapacity(bytes.count / 8)
    for offset in stride(from: 0, through: bytes.count - 8, by: 8) {
      let word = UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      numbers.append(Double(bitPattern: word))
    }
    guard bytes.count % 8 == 0 else { throw AnimationRecordError(.cutShort, at: numbers.count) }
    return try decode(numbers)
  }

  public static func decode(_ numbers: [Double]) throws(AnimationRecordError) -> Animation {
    var reader = AnimationReader(numbers: numbers)
    let animation = try reader.animation(depth: 1)
    guard reader.place == numbers.count else { throw AnimationRecordError(.tooMuch, at: reader.place) }
    return animation
  }
}

/// Reads numbers one after the other.
private struct AnimationReader {
  let numbers: [Double]
  var place = 0

  mutating func animation(depth: Int) throws(AnimationRecordError) -> Animation {
    guard depth <= AnimationRecord.deepest else { throw AnimationRecordError(.tooDeep, at: place) }
    let kind = try whole(in: 0...3)
    let flags = try whole(in: 0...7)
    let timing = try timing(flags)
    if kind == AnimationRecord.group {
      let count = try whole(in: 0...numbers.count)
      var animations: [Animation] = []
      for _ in 0..<count { animations.append(try animation(depth: depth + 1)) }
      return Animation(timing: timing, content: .group(animations))
    }
    let keyPath = try keyPath()
    let motion: PropertyAnimation.Motion
    switch kind {
    case AnimationRecord.spring:
      let spring = Spring(
        mass: try number(), stiffness: try number(), damping: try number(), initialVelocity: try number())
      motion = .spring(try interval(keyPath), spring)
    case AnimationRecord.keyframes: motion = .keyframes(try keyframes(keyPath))
    default: motion = .basic(try interval(keyPath))
    }
    return Animation(
      PropertyAnimation(keyPath, motion, isAdditive: flags & AnimationRecord.isAdditive != 0), timing: timing)
  }

  private mutating func timing(_ flags: Int) throws(AnimationRecordError) -> AnimationTiming {
    let mode = AnimationTiming.FillMode(rawValue: UInt8(try whole(in: 0...3))) ?? .removed
    return AnimationTiming(
      beginTime: try number(), duration: try number(), speed: try number(), timeOffset: try number(),
      repeatCount: try number(), repeatDuration: try number(),
      autoreverses: flags & AnimationRecord.autoreverses != 0, fillMode: mode,
      isRemovedOnCompletion: flags & AnimationRecord.isRemovedOnCompletion != 0, function: try function())
  }

  private mutating func function() throws(AnimationRecordError) -> TimingFunction {
    TimingFunction(try number(), try number(), try number(), try number())
  }

  private mutating func keyPath() throws(AnimationRecordError) -> AnimationKeyPath {
    let start = place
    let property = AnimationKeyPath.Property(rawValue: UInt8(try whole(in: 0...255)))
    let part = AnimationKeyPath.Part(rawValue: UInt8(try whole(in: 0...255)))
    let index = try whole(in: 0...255)
    guard let property, let part, let keyPath = AnimationKeyPath(property, part, index: index) else {
      throw AnimationRecordError(.wrongValue, at: start)
    }
    return keyPath
  }

  private mutating func interval(
    _ keyPath: AnimationKeyPath
  ) throws(AnimationRecordError) -> PropertyAnimation.Interval {
    let given = try whole(in: 0...7)
    var interval = PropertyAnimation.Interval()
    if given & AnimationRecord.from != 0 { interval.from = try value(keyPath.kind) }
    if given & AnimationRecord.to != 0 { interval.to = try value(keyPath.kind) }
    if given & AnimationRecord.by != 0 { interval.by = try value(keyPath.kind) }
    return interval
  }

  private mutating func keyframes(_ keyPath: AnimationKeyPath) throws(AnimationRecordError) -> Keyframes {
    let mode = Keyframes.CalculationMode(rawValue: UInt8(try whole(in: 0...4))) ?? .linear
    let limits = 0...numbers.count
    let (values, times, functions) = (try whole(in: limits), try whole(in: limits), try whole(in: limits))
    var keyframes = Keyframes([], calculationMode: mode)
    for _ in 0..<values { keyframes.values.append(try value(keyPath.kind)) }
    for _ in 0..<times { keyframes.keyTimes.append(try number()) }
    for _ in 0..<functions { keyframes.functions.append(try function()) }
    return keyframes
  }

  private mutating func value(_ kind: AnimationValue.Kind) throws(AnimationRecordError) -> AnimationValue {
    let count: Int
    if let fixed = kind.count { count = fixed } else { count = try whole(in: 0...numbers.count) }
    guard count <= numbers.count - place else { throw AnimationRecordError(.cutShort, at: numbers.count) }
    let start = place
    place += count
    if kind == .flag, numbers[start] != 0, numbers[start] != 1 {
      throw AnimationRecordError(.wrongValue, at: start)
    }
    guard let value = AnimationValue(kind, Array(numbers[start..<place])) else {
      throw AnimationRecordError(.wrongValue, at: start)
    }
    return value
  }

  private mutating func number() throws(AnimationRecordError) -> Double {
    guard place < numbers.count else { throw AnimationRecordError(.cutShort, at: place) }
    defer { place += 1 }
    return numbers[place]
  }

  private mutating func whole(in range: ClosedRange<Int>) throws(AnimationRecordError) -> Int {
    let number = try number()
    guard let value = Int(exactly: number), range.contains(value) else {
      throw AnimationRecordError(.wrongValue, at: place - 1)
    }
    return value
  }
}

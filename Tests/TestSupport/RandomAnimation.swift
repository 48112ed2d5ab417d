import Commit
import Geometry

/// Makes animations of every kind and key path, from a seed: ones that a tree accepts for a layer of any kind but those of
/// portals alone.
public struct RandomAnimation {
  public var random: SeededGenerator

  public init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  public mutating func animation(groups: Int = 2) -> Animation {
    if groups > 0, random.oneIn(5) {
      let count = Int.random(in: 1...3, using: &random)
      var timing = timing()
      timing.duration = random.eighth(1...4)
      return Animation(timing: timing, content: .group((0..<count).map { _ in animation(groups: groups - 1) }))
    }
    let keyPath = keyPath()
    var timing = timing()
    let motion: PropertyAnimation.Motion
    switch Int.random(in: 0..<3, using: &random) {
    case 0: motion = .basic(interval(keyPath))
    case 1:
      let spring = Spring(
        mass: random.eighth(1...2), stiffness: random.whole(20...300), damping: random.whole(4...40),
        initialVelocity: random.whole(-3...3))
      if random.oneIn(2) {
        timing.duration = 0
        timing.repeatCount = 0
        timing.repeatDuration = 0
      }
      motion = .spring(interval(keyPath), spring)
    default: motion = .keyframes(keyframes(keyPath))
    }
    let isAdditive = keyPath.kind != .flag && random.oneIn(4)
    return Animation(
      PropertyAnimation(keyPath, motion, isAdditive: isAdditive), timing: timing,
      token: random.oneIn(2) ? UInt64.random(in: 1...1000, using: &random) : 0)
  }

  public mutating func keyPath() -> AnimationKeyPath {
    let all = AnimationKeyPath.Property.allCases.filter { !$0.isPortalOnly }
    let property = all.randomElement(using: &random) ?? .position
    let part = random.oneIn(2) ? .whole : property.parts.randomElement(using: &random) ?? .whole
    return AnimationKeyPath(property, part) ?? AnimationKeyPath(whole: property)
  }

  private mutating func timing() -> AnimationTiming {
    var timing = AnimationTiming(duration: random.eighth(1...3))
    if random.oneIn(3) { timing.beginTime = random.eighth(0...3) }
    if random.oneIn(4) { timing.speed = [0.5, 2, -1, 0].randomElement(using: &random) ?? 1 }
    if random.oneIn(5) { timing.timeOffset = random.eighth(0...2) }
    if random.oneIn(4) { timing.repeatCount = random.eighth(1...3) }
    if random.oneIn(8), timing.speed > 0 { timing.repeatCount = .infinity }
    if random.oneIn(6) { timing.repeatDuration = random.eighth(1...5) }
    timing.autoreverses = random.oneIn(4)
    timing.fillMode = AnimationTiming.FillMode.allCases.randomElement(using: &random) ?? .removed
    timing.isRemovedOnCompletion = !random.oneIn(3)
    if random.oneIn(2) { timing.function = function() }
    return timing
  }

  private mutating func function() -> TimingFunction {
    TimingFunction(random.real(0...1), random.real(-0.5...1.5), random.real(0...1), random.real(-0.5...1.5))
  }

  private mutating func interval(_ keyPath: AnimationKeyPath) -> PropertyAnimation.Interval {
    var interval = PropertyAnimation.Interval()
    let isSummed = keyPath.kind != .transform && keyPath.kind != .flag
    switch Int.random(in: 0..<7, using: &random) {
    case 0: interval.from = value(keyPath)
    case 1: interval.to = value(keyPath)
    case 2 where isSummed: interval.by = value(keyPath)
    case 3 where isSummed: (interval.from, interval.by) = (value(keyPath), value(keyPath))
    case 4 where isSummed: (interval.to, interval.by) = (value(keyPath), value(keyPath))
    case 5: break
    default: (interval.from, interval.to) = (value(keyPath), value(keyPath))
    }
    return interval
  }

  private mutating func keyframes(_ keyPath: AnimationKeyPath) -> Keyframes {
    let count = Int.random(in: 1...4, using: &random)
    var keyframes = Keyframes(
      (0..<count).map { _ in value(keyPath) },
      calculationMode: Keyframes.CalculationMode.allCases.randomElement(using: &random) ?? .linear)
    if random.oneIn(2) {
      let times = keyframes.calculationMode == .discrete ? count + 1 : count
      let inner = (0..<max(0, times - 2)).map { _ in random.real(0...1) }.sorted()
      keyframes.keyTimes = times == 1 ? [0] : [0] + inner + [1]
    }
    if random.oneIn(3) { keyframes.functions = (0..<(count - 1)).map { _ in function() } }
    return keyframes
  }

  /// Lists have three entries.
  private mutating func value(_ keyPath: AnimationKeyPath) -> AnimationValue {
    switch keyPath.kind {
    case .number: return .number(random.eighth(-2...4))
    case .point: return .point(Point(random.eighth(0...40), random.eighth(0...40)))
    case .size: return .size(Size(width: random.eighth(0...40), height: random.eighth(0...40)))
    case .rect:
      return .rect(
        Rect(
          x: random.eighth(-4...4), y: random.eighth(-4...4), width: random.eighth(0...40), height: random.whole(0...40)
        ))
    case .color: return .color(color())
    case .transform: return .transform(transform())
    case .flag: return .flag(random.oneIn(2))
    case .numbers: return .numbers([0, random.real(0...1), 1])
    case .colors: return .colors([color(), color(), color()])
    }
  }

  private mutating func color() -> Color {
    Color(
      red: Float(random.real(0...1)), green: Float(random.real(0...1)), blue: Float(random.real(0...1)),
      alpha: Float(random.real(0...1)))
  }

  private mutating func transform() -> Transform3D {
    switch Int.random(in: 0..<5, using: &random) {
    case 0: .translation(x: random.eighth(-9...9), y: random.eighth(-9...9))
    case 1: .scale(x: random.real(-2...2), y: random.real(0...2))
    case 2: .rotation(angle: random.real(-3...3)) * .translation(x: 3, y: 4)
    case 3: .rotation(angle: random.real(-1...1), x: 1, y: random.real(-1...1), z: 0) * .perspective(distance: 200)
    default: .identity
    }
  }
}

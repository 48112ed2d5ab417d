import Commit

/// How much a renderer lets move, for people whom motion makes ill.
public enum MotionPolicy: Sendable, Hashable {
  case full
  /// What moves, turns or grows is where it ends at once; colours and opacity go on fading. Ends are told as ever, those of
  /// what does not move at once.
  case reduced
}

extension Animation {
  /// What is left of it.
  func under(_ policy: MotionPolicy) -> Animation {
    guard policy == .reduced, movesThings else { return self }
    var copy = self
    switch content {
    case .group(let animations):
      // A group that also fades keeps its time.
      copy.content = .group(animations.map { $0.under(policy) })
      if animations.allSatisfy(\.movesThings) { copy.timing = copy.timing.instant }
    case .property(var property):
      copy.timing = copy.timing.instant
      // A spring has no end to be at.
      if case .spring(let interval, _) = property.motion { property.motion = .basic(interval) }
      copy.content = .property(property)
    }
    return copy
  }

  private var movesThings: Bool {
    switch content {
    case .group(let animations): animations.contains(where: \.movesThings)
    case .property(let property): property.keyPath.property.movesThings
    }
  }
}

extension AnimationTiming {
  /// Over when it begins.
  fileprivate var instant: AnimationTiming {
    AnimationTiming(
      beginTime: beginTime, duration: 0, fillMode: fillMode,
      isRemovedOnCompletion: isRemovedOnCompletion)
  }
}

extension AnimationKeyPath.Property {
  fileprivate var movesThings: Bool {
    switch self {
    case .bounds, .position, .zPosition, .anchorPoint, .anchorPointZ, .transform, .sublayerTransform, .contentsRect,
      .sourceRect, .gradientStart, .gradientEnd, .gradientLocations:
      true
    default: false
    }
  }
}

import Commit
import Geometry

/// An animation that a layer has, with its groups flattened.
struct RunningAnimation: Sendable {
  var key: String
  /// As it was added, for who asks.
  var animation: Animation
  /// The first is the animation's own; a group's comes before those in it.
  var clocks: [AnimationClock]
  var tracks: [AnimationTrack]
  var hasEnded = false

  /// In the tree's time.
  var begin: Double { clocks[0].begin }
  var end: Double { clocks[0].end }
  var isPaused: Bool { clocks[0].speed == 0 }

  /// As it would have to be added to a tree that knows nothing of what was before it: with the time at which it began and,
  /// where one property alone is moved, with what it began at. The speed that a spring has inherited is not part of that.
  var resolved: Animation {
    var animation = animation
    animation.timing.beginTime = begin
    guard case .property(var property) = animation.content, let track = tracks.first, !track.isAdditive else {
      return animation
    }
    animation.timing.duration = clocks[0].duration
    let start = AnimationValue(track.keyPath.kind, animated: Array(track.keys.prefix(track.width)))
    switch property.motion {
    case .basic(var interval) where interval.from == nil && interval.by == nil:
      interval.from = start
      property.motion = .basic(interval)
    case .spring(var interval, let spring) where interval.from == nil && interval.by == nil:
      interval.from = start
      property.motion = .spring(interval, spring)
    default: break
    }
    animation.content = .property(property)
    return animation
  }

  /// Whether it has a say at a time: what is removed once it has run through shows no longer than it runs, though for an
  /// instance that runs later it may still be there, and for one that runs ahead be there too long.
  func counts(at time: Double) -> Bool { !(animation.timing.isRemovedOnCompletion && time >= end) }

  /// How far a clock's run is, and how many seconds that is; nil where it has nothing to show.
  func place(ofClock index: Int32, at time: Double) -> (progress: Double, seconds: Double)? {
    let clock = clocks[Int(index)]
    // Groups are few levels deep: the commit's check sees to it.
    guard let outer = clock.parent < 0 ? time : place(ofClock: clock.parent, at: time)?.seconds,
      let progress = clock.progress(at: outer)
    else { return nil }
    return (progress, progress * clock.duration)
  }
}

/// A layer's animations, and its own values of the properties that they move.
struct AnimatedLayer: Sendable {
  var slot: Int32
  var animations: [RunningAnimation] = []
  private(set) var properties: [MovedProperty] = []
  /// The layer's own values, one property after the other.
  var model: [Double] = []
  /// What of its own is no list of numbers, where something of it is moved.
  var ownEffects: LayerEffects?
  var ownGradient: Gradient?
  /// The tree's records hold what is shown, and `model` the layer's own values.
  var isShown = false
  /// Something of it is another value in the next frame, wherever that lies.
  var isMoving = false
  /// How much later than the tree's time instances of replicators show it; 0 is among it.
  private(set) var lag = 0.0...0.0
  /// When it was last shown.
  private var shownTime = -Double.infinity
  /// When something of it begins that has not; infinite for nothing.
  var wake = Double.infinity

  /// A property that some animation moves.
  struct MovedProperty: Sendable {
    var property: AnimationKeyPath.Property
    /// Of the filter.
    var index: Int
    /// Where its numbers lie in `model`.
    var offset = 0
    var count = 0
  }

  init(slot: Int32) { self.slot = slot }

  /// To be called when the animations have changed, and the records hold the layer's own values.
  mutating func findProperties() {
    properties.removeAll(keepingCapacity: true)
    for animation in animations {
      for track in animation.tracks
      where !properties.contains(where: { $0.property == track.keyPath.property && $0.index == track.keyPath.index }) {
        properties.append(MovedProperty(property: track.keyPath.property, index: track.keyPath.index))
      }
    }
  }

  /// Takes note of the layer's own values.
  mutating func readModel(_ tree: RenderTree, _ scratch: inout AnimationScratch) {
    model.removeAll(keepingCapacity: true)
    for place in properties.indices {
      scratch.value.removeAll(keepingCapacity: true)
      tree.load(properties[place].property, properties[place].index, of: slot, into: &scratch.value)
      properties[place].offset = model.count
      properties[place].count = scratch.value.count
      model.append(contentsOf: scratch.value)
    }
    ownEffects = movesEffects ? tree.effects[slot] : nil
    ownGradient = movesGradient ? tree.gradients[Int(slot)] : nil
  }

  var movesEffects: Bool { properties.contains { $0.property.isOfEffects } }
  var movesGradient: Bool { properties.contains { $0.property.isOfGradient } }

  /// What a property shows at a time, into `scratch.value`.
  func evaluate(_ place: Int, at time: Double, _ scratch: inout AnimationScratch) {
    let moved = properties[place]
    scratch.value.removeAll(keepingCapacity: true)
    scratch.value.append(contentsOf: model[moved.offset..<(moved.offset + moved.count)])
    // What the layer does not have, a gradient or a filter, can't be moved.
    guard moved.count > 0 else { return }
    for animation in animations where animation.counts(at: time) {
      for track in animation.tracks
      where track.keyPath.property == moved.property && track.keyPath.index == moved.index {
        guard let (progress, seconds) = animation.place(ofClock: track.clock, at: time) else { continue }
        let part = track.keyPath.part
        if part == .whole {
          scratch.backup.removeAll(keepingCapacity: true)
          scratch.backup.append(contentsOf: scratch.value)
          if !track.apply(progress: progress, seconds: seconds, to: &scratch.value, scratch: &scratch.mixed) {
            swap(&scratch.value, &scratch.backup)
          }
        } else {
          scratch.part.removeAll(keepingCapacity: true)
          part.extract(from: scratch.value, into: &scratch.part)
          if track.apply(progress: progress, seconds: seconds, to: &scratch.part, scratch: &scratch.mixed) {
            part.insert(scratch.part, into: &scratch.value)
          }
        }
      }
    }
  }

  /// Which of the properties a key path is about.
  func place(of keyPath: AnimationKeyPath) -> Int? {
    properties.firstIndex { $0.property == keyPath.property && $0.index == keyPath.index }
  }

  /// Nothing of it changes from when it was last shown until `time`.
  func isQuiet(at time: Double) -> Bool { !isMoving && time >= shownTime && time < wake }

  /// Some animation of it has come to its end since it was last shown, wherever it shows.
  func hasEnding(at time: Double) -> Bool {
    animations.contains { !$0.hasEnded && time >= $0.end || isSpent($0, at: time) }
  }

  /// Nothing shows the animation any more, and it is not to stay.
  func isSpent(_ animation: RunningAnimation, at time: Double) -> Bool {
    animation.hasEnded && animation.animation.timing.isRemovedOnCompletion && time >= animation.end + lag.upperBound
  }

  mutating func noteActivity(at time: Double, lag: ClosedRange<Double>) {
    self.lag = lag
    shownTime = time
    isMoving = false
    wake = .infinity
    for animation in animations {
      // One that stands still changes once more, where its last instance begins to show it.
      let last = (animation.isPaused ? animation.begin : animation.end) + lag.upperBound
      if time < animation.begin + lag.lowerBound {
        wake = min(wake, animation.begin + lag.lowerBound)
      } else if time < last {
        isMoving = true
      }
    }
  }
}

/// Buffers for values on their way, kept from frame to frame.
struct AnimationScratch: Sendable {
  var value: [Double] = []
  var part: [Double] = []
  var mixed: [Double] = []
  var backup: [Double] = []
}

extension AnimationKeyPath.Property {
  var isOfEffects: Bool {
    switch self {
    case .shadowColor, .shadowOpacity, .shadowRadius, .shadowOffset, .filter, .backdropFilter: true
    default: false
    }
  }

  var isOfGradient: Bool {
    switch self {
    case .gradientStart, .gradientEnd, .gradientColors, .gradientLocations: true
    default: false
    }
  }

  /// Whether it says where a layer lies in its parent, rather than what it shows in its own space.
  var isPlacement: Bool {
    switch self {
    case .position, .zPosition, .transform, .opacity, .anchorPoint, .anchorPointZ: true
    default: false
    }
  }
}

extension ClosedRange<Double> {
  /// All show the layer at one time.
  var isEmptyOfTime: Bool { lowerBound == upperBound }
}

import Commit
import Geometry

/// An animation has come to its end, or was taken away before it.
public struct AnimationEvent: Sendable, Hashable {
  public var layer: LayerID
  public var key: String
  /// As the animation was added with.
  public var token: UInt64
  /// It ran to its end.
  public var isFinished: Bool

  public init(layer: LayerID, key: String, token: UInt64, isFinished: Bool) {
    self.layer = layer
    self.key = key
    self.token = token
    self.isFinished = isFinished
  }
}

/// What moves in a tree. The records hold what is shown; a moved layer's own values stand here.
struct AnimationTable: Sendable {
  /// In no order; a layer's record has its index.
  var layers: [AnimatedLayer] = []
  var events: [AnimationEvent] = []
  var scratch = AnimationScratch()
  /// Slots whose own values stand in the records, while a commit is applied.
  var bare: [Int32] = []
  var ended: [Int32] = []
}

// Time: what a frame shows is a function of the tree and of the frame's time alone.

extension RenderTree {
  /// Makes the tree show what it does at `time`, in seconds of the caller's clock; animations whose end that is, or was,
  /// end. Going back is allowed: what has ended and was removed stays so.
  /// - Complexity: O(animations that run), and nothing for layers without any.
  public mutating func advance(to time: Double) {
    guard time.isFinite else { return }
    self.time = time
    guard !animations.layers.isEmpty else { return }
    let shown = version
    // Taken out of the tree while it is written to, so that nothing is copied.
    var layers: [AnimatedLayer] = []
    var scratch = AnimationScratch()
    swap(&layers, &animations.layers)
    swap(&scratch, &animations.scratch)
    for index in layers.indices {
      if layers[index].isQuiet(at: time) { continue }
      if layers[index].hasEnding(at: time) {
        animations.ended.append(layers[index].slot)
        continue
      }
      for place in layers[index].properties.indices {
        layers[index].evaluate(place, at: time, &scratch)
        show(scratch.value, as: layers[index].properties[place], of: layers[index].slot, since: shown)
      }
      let lag = lag(of: layers[index].slot)
      if !lag.isEmptyOfTime { noteInstances(of: layers[index], since: shown) }
      layers[index].noteActivity(at: time, lag: lag)
    }
    swap(&layers, &animations.layers)
    swap(&scratch, &animations.scratch)
    guard !animations.ended.isEmpty else { return }
    if version == shown { version += 1 }
    for slot in animations.ended { endAnimations(of: slot) }
    animations.ended.removeAll(keepingCapacity: true)
    dressAnimated()
  }

  /// Some animation runs, so that the next frame differs from this one.
  public var isAnimating: Bool { animations.layers.contains { $0.isMoving } }

  /// When the next frame is due, if no commit comes: the tree's own time while something moves, the time at which
  /// something will begin, nil for never.
  public var nextWake: Double? { nextWake { _ in true } }

  /// The same, of a frame that shows what `snapshot` does.
  /// - Complexity: O(animated layers · their depth + trees in the snapshot).
  public func nextWake(of snapshot: Snapshot) -> Double? {
    guard !animations.layers.isEmpty else { return nil }
    var tops: Set<Int32> = []
    var index = 0
    while index < snapshot.nodes.count {
      if let slot = slots[snapshot.nodes[index].layer] { tops.insert(top(of: slot)) }
      index = max(index + 1, Int(snapshot.nodes[index].end))
    }
    return nextWake { tops.contains(top(of: $0)) }
  }

  /// What a layer stands in, up to what stands in nothing.
  private func top(of slot: Int32) -> Int32 {
    var slot = slot
    while records[Int(slot)].container >= 0 { slot = records[Int(slot)].container }
    return slot
  }

  private func nextWake(where isMeant: (_ slot: Int32) -> Bool) -> Double? {
    var wake = Double.infinity
    for layer in animations.layers where (layer.isMoving || layer.wake < wake) && isMeant(layer.slot) {
      if layer.isMoving { return time }
      wake = layer.wake
    }
    return wake < .infinity ? wake : nil
  }

  /// When the next animation with a token ends; nil for none.
  public var nextEnd: Double? {
    var end = Double.infinity
    for layer in animations.layers {
      for animation in layer.animations where animation.animation.token != 0 && !animation.hasEnded {
        end = min(end, animation.end)
      }
    }
    return end < .infinity ? end : nil
  }

  /// The ends since it was last asked, in order. Only of animations that were added with a token.
  public mutating func takeAnimationEvents() -> [AnimationEvent] {
    guard !animations.events.isEmpty else { return [] }
    defer { animations.events.removeAll(keepingCapacity: true) }
    return animations.events
  }

  /// The keys of the layer's animations, by the order in which they apply.
  public func animationKeys(of layer: LayerID) -> [String] {
    animatedLayer(layer)?.animations.map(\.key) ?? []
  }

  public func animation(of layer: LayerID, key: String) -> Animation? {
    animatedLayer(layer)?.animations.first { $0.key == key }?.animation
  }

  private func animatedLayer(_ layer: LayerID) -> AnimatedLayer? {
    guard let slot = slots[layer], records[Int(slot)].animations >= 0 else { return nil }
    return animations.layers[Int(records[Int(slot)].animations)]
  }

  /// What the layer shows at the tree's time, of the properties that animations move; nil for a layer that does not exist.
  public func presentation(of layer: LayerID) -> [PropertyChange]? {
    guard let slot = slots[layer] else { return nil }
    var changes: [PropertyChange] = []
    var names: Set<String> = []
    for moved in animatedLayer(layer)?.properties ?? [] where moved.count > 0 {
      let change = shownChange(moved.property, of: slot)
      if names.insert(change.name).inserted { changes.append(change) }
    }
    return changes
  }

  // MARK: Steps

  /// Puts a value where it shows, and notes that the picture has changed since `shown`, if it has.
  private mutating func show(
    _ value: [Double], as moved: AnimatedLayer.MovedProperty, of slot: Int32, since shown: UInt64
  ) {
    guard !value.isEmpty, store(value, in: moved.property, moved.index, of: slot) else { return }
    if version == shown { version += 1 }
    noteMoved(moved.property, of: slot)
  }

  /// Some instance of the layer shows another time, and so something else, whatever the layer itself shows.
  private mutating func noteInstances(of layer: AnimatedLayer, since shown: UInt64) {
    if version == shown { version += 1 }
    for moved in layer.properties where moved.count > 0 { noteMoved(moved.property, of: layer.slot) }
  }

  private mutating func noteMoved(_ property: AnimationKeyPath.Property, of slot: Int32) {
    pending.note(property, of: slot)
    if property.isPlacement {
      records[Int(slot)].placementVersion = version
      records[Int(slot)].placementTime = time
      noteContentChange(from: records[Int(slot)].container)
    } else {
      noteContentChange(from: slot)
    }
  }

  private mutating func endAnimations(of slot: Int32) {
    undressAnimated(slot)
    let index = Int(records[Int(slot)].animations)
    let id = records[Int(slot)].id
    for place in animations.layers[index].animations.indices {
      let running = animations.layers[index].animations[place]
      guard !running.hasEnded, time >= running.end else { continue }
      animations.layers[index].animations[place].hasEnded = true
      tellEnd(of: running, on: id, isFinished: true)
    }
    let layer = animations.layers[index]
    if layer.animations.contains(where: { layer.isSpent($0, at: time) }) {
      animations.layers[index].animations.removeAll { layer.isSpent($0, at: time) }
    }
  }

  /// Not of one that has told its end already.
  mutating func tellEnd(of running: RunningAnimation, on layer: LayerID, isFinished: Bool) {
    guard running.animation.token != 0, !running.hasEnded else { return }
    animations.events.append(
      AnimationEvent(layer: layer, key: running.key, token: running.animation.token, isFinished: isFinished))
  }

  /// Puts the layer's own values into its record, for a commit to change.
  mutating func undressAnimated(_ slot: Int32) {
    let index = Int(records[Int(slot)].animations)
    guard index >= 0, animations.layers[index].isShown else { return }
    animations.layers[index].isShown = false
    animations.bare.append(slot)
    let layer = animations.layers[index]
    for moved in layer.properties where moved.count > 0 {
      noteMoved(moved.property, of: slot)
      if moved.property.isOfEffects || moved.property.isOfGradient { continue }
      restore(Array(layer.model[moved.offset..<(moved.offset + moved.count)]), in: moved.property, of: slot)
    }
    if layer.movesEffects {
      effects[slot] = layer.ownEffects
      noteEffects(of: slot)
    }
    if layer.movesGradient { gradients[Int(slot)] = layer.ownGradient }
  }

  /// Puts what is shown back into the records that `undressAnimated` left bare.
  mutating func dressAnimated() {
    guard !animations.bare.isEmpty else { return }
    var bare: [Int32] = []
    swap(&bare, &animations.bare)
    for slot in bare {
      let index = Int(records[Int(slot)].animations)
      guard index >= 0, !animations.layers[index].isShown else { continue }
      if animations.layers[index].animations.isEmpty {
        dropAnimated(index)
        continue
      }
      var layer = AnimatedLayer(slot: slot)
      var scratch = AnimationScratch()
      swap(&layer, &animations.layers[index])
      swap(&scratch, &animations.scratch)
      layer.findProperties()
      layer.readModel(self, &scratch)
      for place in layer.properties.indices {
        layer.evaluate(place, at: time, &scratch)
        guard !scratch.value.isEmpty else { continue }
        _ = store(scratch.value, in: layer.properties[place].property, layer.properties[place].index, of: slot)
        noteMoved(layer.properties[place].property, of: slot)
      }
      layer.isShown = true
      layer.noteActivity(at: time, lag: lag(of: slot))
      swap(&layer, &animations.layers[index])
      swap(&scratch, &animations.scratch)
    }
    bare.removeAll(keepingCapacity: true)
    swap(&bare, &animations.bare)
  }

  /// The layer has no animations any more. Its own values stand in its record.
  mutating func dropAnimated(_ index: Int) {
    records[Int(animations.layers[index].slot)].animations = -1
    let last = animations.layers.removeLast()
    guard index < animations.layers.count else { return }
    animations.layers[index] = last
    records[Int(last.slot)].animations = Int32(index)
  }
}

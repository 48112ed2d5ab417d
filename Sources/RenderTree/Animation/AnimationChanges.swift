import Commit
import Geometry

// Adding and removing animations, as a step of a commit.

extension RenderTree {
  /// What every key path shows, and moves with, where an animation of `commit` begins at what is shown. To be asked before
  /// anything of the commit is applied.
  func capture(for commit: Commit) -> [LayerID: [AnimationKeyPath: CapturedValue]] {
    var captured: [LayerID: [AnimationKeyPath: CapturedValue]] = [:]
    for case .addAnimation(let id, _, let animation) in commit.changes {
      guard let slot = slots[id] else { continue }
      for keyPath in animation.openKeyPaths where captured[id]?[keyPath] == nil {
        captured[id, default: [:]][keyPath] = capture(keyPath, of: slot)
      }
    }
    return captured
  }

  private func capture(_ keyPath: AnimationKeyPath, of slot: Int32) -> CapturedValue? {
    let index = Int(records[Int(slot)].animations)
    guard index >= 0, let place = animations.layers[index].place(of: keyPath) else {
      return ownValue(keyPath, of: slot).map { CapturedValue(value: $0, velocity: []) }
    }
    let layer = animations.layers[index]
    guard layer.properties[place].count > 0 else { return nil }
    var scratch = AnimationScratch()
    func value(at time: Double) -> [Double] {
      layer.evaluate(place, at: time, &scratch)
      var part: [Double] = []
      keyPath.part.extract(from: scratch.value, into: &part)
      return part
    }
    let now = value(at: time)
    guard layer.isMoving else { return CapturedValue(value: now, velocity: []) }
    // From two points of the past, or of the future where the motion has only begun: exact to the second order.
    let step = 1e-5
    let hasBegun = layer.animations.allSatisfy { $0.begin > time || $0.begin <= time - 2 * step }
    let h = hasBegun ? -step : step
    let near = keyPath.way(from: now, to: value(at: time + h))
    let far = keyPath.way(from: now, to: value(at: time + 2 * h))
    guard near.count == far.count else { return CapturedValue(value: now, velocity: []) }
    let velocity = zip(near, far).map { (4 * $0 - $1) / (2 * h) }
    let isMoving = velocity.contains { $0 != 0 } && velocity.allSatisfy(\.isFinite)
    return CapturedValue(value: now, velocity: isMoving ? velocity : [])
  }

  /// The numbers of a layer that no animation moves, or whose own values stand in its record.
  private func ownValue(_ keyPath: AnimationKeyPath, of slot: Int32) -> [Double]? {
    var whole: [Double] = []
    load(keyPath.property, keyPath.index, of: slot, into: &whole)
    guard !whole.isEmpty else { return nil }
    var part: [Double] = []
    keyPath.part.extract(from: whole, into: &part)
    return part
  }

  /// Adds and removes what `commit` says, in order, when everything else of it is applied.
  mutating func changeAnimations(
    _ commit: Commit, captured: [LayerID: [AnimationKeyPath: CapturedValue]]
  ) {
    for change in commit.changes {
      switch change {
      case .addAnimation(let id, let key, let animation):
        guard let slot = slots[id] else { continue }
        let index = bareAnimations(of: slot)
        var starts = captured[id] ?? [:]
        for keyPath in animation.openKeyPaths where starts[keyPath] == nil {
          starts[keyPath] = ownValue(keyPath, of: slot).map { CapturedValue(value: $0, velocity: []) }
        }
        let running = AnimationCompiler(time: time, captured: starts).compile(animation, key: key)
        remove(from: index) { $0.key == key }
        animations.layers[index].animations.append(running)
      case .removeAnimation(let id, let key):
        guard let slot = slots[id], records[Int(slot)].animations >= 0 else { continue }
        remove(from: bareAnimations(of: slot)) { key == nil || $0.key == key }
      default: break
      }
    }
  }

  /// The index of the layer's animations, which it may not have had yet, with its own values in its record.
  private mutating func bareAnimations(of slot: Int32) -> Int {
    if records[Int(slot)].animations >= 0 {
      undressAnimated(slot)
    } else {
      records[Int(slot)].animations = Int32(animations.layers.count)
      animations.layers.append(AnimatedLayer(slot: slot))
      animations.bare.append(slot)
    }
    return Int(records[Int(slot)].animations)
  }

  private mutating func remove(from index: Int, where isMeant: (RunningAnimation) -> Bool) {
    let layer = animations.layers[index]
    guard layer.animations.contains(where: isMeant) else { return }
    let id = records[Int(layer.slot)].id
    for running in layer.animations where isMeant(running) { tellEnd(of: running, on: id, isFinished: false) }
    animations.layers[index].animations.removeAll(where: isMeant)
  }

  /// The layer is about to be freed.
  mutating func forgetAnimations(of slot: Int32) {
    let index = Int(records[Int(slot)].animations)
    guard index >= 0 else { return }
    remove(from: index) { _ in true }
    dropAnimated(index)
  }
}

extension AnimationKeyPath {
  /// What leads from one value to another: for a transform, that of its parts.
  fileprivate func way(from a: [Double], to b: [Double]) -> [Double] {
    guard a.count == b.count else { return [] }
    guard kind == .transform else { return zip(a, b).map { $1 - $0 } }
    guard let start = TransformDecomposition(Transform3D(numbers: a, at: 0)),
      let end = TransformDecomposition(Transform3D(numbers: b, at: 0))
    else { return [] }
    return start.way(to: end)
  }
}

extension Animation {
  /// What its parts move from a value that is not given.
  fileprivate var openKeyPaths: [AnimationKeyPath] {
    switch content {
    case .group(let animations): animations.flatMap(\.openKeyPaths)
    case .property(let property):
      switch property.motion {
      case .basic(let interval), .spring(let interval, _):
        property.isAdditive || interval.from != nil || interval.to != nil && interval.by != nil
          ? [] : [property.keyPath]
      case .keyframes: []
      }
    }
  }
}

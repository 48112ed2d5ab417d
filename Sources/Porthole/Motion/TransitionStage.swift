import Commit
import Geometry

/// What a transition plays on, in the place of the layer that leaves: a layer of the same space, with both of them.
final class TransitionStage: Layer {
  private let leaving: Layer
  private let coming: Layer
  private let transition: Transition
  private let area: Rect
  private var blendMode0 = BlendMode.normal

  private static let key = "transition"

  /// - Parameters:
  ///   - leaving: the old layer, or the stage on which it still comes in.
  ///   - coming: the new one.
  init(_ leaving: Layer, _ old: Layer, _ coming: Layer, _ transition: Transition) {
    self.leaving = leaving
    self.coming = coming
    self.transition = transition
    area = old.frame.union(coming.frame)
    super.init()
    // Its space is that of the layer which it stands in.
    anchorPoint = .zero
    bounds = area
    position = area.origin
  }

  private var effect: Transition.Kind { transition.motion == .reduced ? .fade : transition.kind }

  func run(in parent: Layer, _ completion: (() -> Void)?) {
    Transaction.begin()
    Transaction.disablesActions = true
    Transaction.setCompletion { [self] in
      finish()
      completion?()
    }
    let place = parent.sublayers.firstIndex { $0 === leaving } ?? parent.sublayers.count
    zPosition = leaving.zPosition
    parent.insertSublayer(self, at: place)
    let isBelow = effect == .reveal
    addSublayer(leaving)
    insertSublayer(coming, at: isBelow ? 0 : 1)
    masksToBounds = effect != .fade
    play()
    Transaction.commit()
  }

  private func play() {
    let step = offset
    switch effect {
    case .fade:
      // Two pictures of which each has its share, added: in a group of their own, which this filter makes and in which
      // it changes nothing that eight bits could show.
      filters = [.opacity(1 - 1e-5)]
      blendMode0 = coming.blendMode
      coming.blendMode = .plusLighter
      fade(coming, from: 0, to: nil)
      fade(leaving, from: nil, to: 0)
    case .moveIn: slide(coming, from: Point(-step.x, -step.y), to: .zero)
    case .push:
      slide(coming, from: Point(-step.x, -step.y), to: .zero)
      slide(leaving, from: .zero, to: step)
    case .reveal: slide(leaving, from: .zero, to: step)
    }
  }

  /// The way of what leaves.
  private var offset: Point {
    switch transition.edge {
    case .left: Point(area.width, 0)
    case .right: Point(-area.width, 0)
    case .top: Point(0, area.height)
    case .bottom: Point(0, -area.height)
    }
  }

  private func fade(_ layer: Layer, from: Double?, to: Double?) {
    let interval = PropertyAnimation.Interval(from: from.map { .number($0) }, to: to.map { .number($0) })
    add(PropertyAnimation(AnimationKeyPath(whole: .opacity), .basic(interval)), to: layer)
  }

  /// By so much beside where the layer lies, or moves to by itself.
  private func slide(_ layer: Layer, from: Point, to: Point) {
    let interval = PropertyAnimation.Interval(from: .point(from), to: .point(to))
    add(PropertyAnimation(AnimationKeyPath(whole: .position), .basic(interval), isAdditive: true), to: layer)
  }

  private func add(_ animation: PropertyAnimation, to layer: Layer) {
    // What leaves stays away in the frame in which the end is told.
    let timing = AnimationTiming(
      duration: transition.duration, fillMode: .both, isRemovedOnCompletion: false, function: transition.function)
    layer.add(Animation(animation, timing: timing), forKey: Self.key)
  }

  private func finish() {
    Transaction.withoutActions {
      for layer in [leaving, coming] { layer.removeAnimation(forKey: Self.key) }
      if effect == .fade { coming.blendMode = blendMode0 }
      let isHere = coming.superlayer === self
      if let parent = superlayer, !(parent is TransitionStage), isHere {
        let place = parent.sublayers.firstIndex { $0 === self } ?? parent.sublayers.count
        parent.insertSublayer(coming, at: place)
        removeFromSuperlayer()
      }
      // On a stage of a later transition it stays what leaves there, and goes with it.
      if leaving.superlayer === self { leaving.removeFromSuperlayer() }
    }
  }
}

import Commit
import Synchronization

/// A layer's animations, as its application sees them: until they have ended and were removed.
final class LayerAnimations {
  struct Entry {
    var key: String
    var animation: Animation
    /// Who is told of its end.
    var groups: [AnimationGroup]
    var completion: ((Bool) -> Void)?
    /// Renderers that run it.
    var renderers: Int
    var isOver = false
  }

  private(set) var entries: [Entry] = []

  private static let lastToken = Atomic<UInt64>(0)
  /// Keys of those that were given none.
  private static let lastKey = Atomic<UInt64>(0)

  static func newToken() -> UInt64 { lastToken.add(1, ordering: .relaxed).newValue }
  static func newKey() -> String { "animation \(lastKey.add(1, ordering: .relaxed).newValue)" }

  func add(_ entry: Entry) {
    for group in entry.groups { group.add() }
    let replaced = take { $0.key == entry.key }
    entries.append(entry)
    for old in replaced { tell(old, isFinished: false) }
  }

  func remove(_ key: String?) {
    let removed = take { key == nil || $0.key == key }
    for entry in removed { tell(entry, isFinished: false) }
  }

  /// Another renderer runs them.
  func attached() { for index in entries.indices { entries[index].renderers += 1 } }

  /// A renderer that ran them is closed.
  func detached() {
    for token in entries.map(\.animation.token) { ended(token, isFinished: false) }
  }

  /// A renderer has come to an animation's end.
  func ended(_ token: UInt64, isFinished: Bool) {
    guard let index = entries.firstIndex(where: { $0.animation.token == token }) else { return }
    entries[index].renderers -= 1
    guard entries[index].renderers <= 0, !entries[index].isOver else { return }
    let entry = entries[index]
    entries[index].isOver = true
    if !isFinished || entry.animation.timing.isRemovedOnCompletion { entries.remove(at: index) }
    tell(entry, isFinished: isFinished)
  }

  private func take(where isMeant: (Entry) -> Bool) -> [Entry] {
    let taken = entries.filter(isMeant)
    entries.removeAll(where: isMeant)
    return taken
  }

  private func tell(_ entry: Entry, isFinished: Bool) {
    guard !entry.isOver else { return }
    entry.completion?(isFinished)
    for group in entry.groups { group.end() }
  }
}

extension Layer {
  /// Adds an animation, in the place of one by the same key. It runs in every renderer that shows the layer, from the next
  /// frame on and with no further call, and leaves the layer's properties alone.
  /// - Parameters:
  ///   - key: without one, it takes the place of none and can't be removed by itself.
  ///   - completion: called on the thread of the layers, once, with whether it ran to its end. A renderer calls it where it
  ///     draws a frame or hears from its server.
  public final func add(_ animation: Animation, forKey key: String? = nil, completion: ((Bool) -> Void)? = nil) {
    var animation = animation
    animation.token = LayerAnimations.newToken()
    let key = key ?? LayerAnimations.newKey()
    let known = animations ?? LayerAnimations()
    animations = known
    dropClosedLinks()
    known.add(
      LayerAnimations.Entry(
        key: key, animation: animation, groups: TransactionStack.groups, completion: completion,
        renderers: links.count))
    for link in links { link.context.record(animation: .addAnimation(id, key: key, animation)) }
  }

  public final func removeAnimation(forKey key: String) {
    guard let animations, animations.entries.contains(where: { $0.key == key }) else { return }
    for link in links { link.context.record(animation: .removeAnimation(id, key: key)) }
    animations.remove(key)
  }

  public final func removeAllAnimations() {
    guard let animations, !animations.entries.isEmpty else { return }
    for link in links { link.context.record(animation: .removeAnimation(id, key: nil)) }
    animations.remove(nil)
  }

  /// As it was added; nil where there is none, or it has ended.
  public final func animation(forKey key: String) -> Animation? {
    animations?.entries.first { $0.key == key }?.animation
  }

  /// In the order in which they were added.
  public final var animationKeys: [String] { animations?.entries.map(\.key) ?? [] }

  /// What a transaction starts where the property is set.
  final func act(on property: LayerProperty) {
    guard !links.isEmpty, let settings = TransactionStack.actions else { return }
    act(on: property, property.animatedProperties.map { AnimationKeyPath(whole: $0) }, settings)
  }

  /// The same for filters, of which those move that are still what they were.
  final func act(on property: LayerProperty, from old: [Filter], to new: [Filter]) {
    guard !links.isEmpty, let settings = TransactionStack.actions, old.count == new.count,
      zip(old, new).allSatisfy({ $0.isOfKind($1) })
    else { return }
    let list: AnimationKeyPath.Property = property == .filters ? .filter : .backdropFilter
    act(on: property, new.indices.compactMap { AnimationKeyPath(list, index: $0) }, settings)
  }

  private func act(on property: LayerProperty, _ moved: [AnimationKeyPath], _ settings: TransactionStack.Settings) {
    guard let first = moved.first else { return }
    func motion(_ keyPath: AnimationKeyPath) -> PropertyAnimation {
      let motion: PropertyAnimation.Motion =
        settings.spring.map { .spring(.init(), $0) } ?? .basic(.init())
      return PropertyAnimation(keyPath, motion)
    }
    var timing = AnimationTiming(duration: settings.duration, function: settings.function)
    guard moved.count > 1 else {
      if settings.spring != nil { (timing.duration, timing.function) = (0, .linear) }
      // An instance of a replicator that runs later shows until then what was shown before.
      timing.fillMode = .backwards
      return add(Animation(motion(first), timing: timing), forKey: "\(property)")
    }
    if let spring = settings.spring { timing = AnimationTiming(duration: spring.settlingDuration) }
    var whole = AnimationTiming(duration: timing.duration)
    whole.fillMode = .backwards
    add(
      Animation(timing: whole, content: .group(moved.map { Animation(motion($0), timing: timing) })),
      forKey: "\(property)")
  }
}

extension Filter {
  /// Whether its amount can become the other's.
  fileprivate func isOfKind(_ other: Filter) -> Bool {
    switch (self, other) {
    case (.gaussianBlur, .gaussianBlur), (.brightness, .brightness), (.contrast, .contrast), (.saturate, .saturate),
      (.grayscale, .grayscale), (.invert, .invert), (.sepia, .sepia), (.hueRotate, .hueRotate), (.opacity, .opacity):
      true
    default: false
    }
  }
}

extension LayerProperty {
  /// What moves where it is set in a transaction.
  fileprivate var animatedProperties: [AnimationKeyPath.Property] {
    switch self {
    case .bounds: [.bounds]
    case .position: [.position]
    case .zPosition: [.zPosition]
    case .anchorPoint: [.anchorPoint]
    case .anchorPointZ: [.anchorPointZ]
    case .transform: [.transform]
    case .sublayerTransform: [.sublayerTransform]
    case .opacity: [.opacity]
    case .backgroundColor: [.backgroundColor]
    case .cornerRadius: [.cornerRadius]
    case .borderWidth: [.borderWidth]
    case .borderColor: [.borderColor]
    case .contentsRect: [.contentsRect]
    case .contentsScale: [.contentsScale]
    case .shadow: [.shadowColor, .shadowOpacity, .shadowRadius, .shadowOffset]
    case .gradient: [.gradientStart, .gradientEnd, .gradientColors, .gradientLocations]
    case .sourceLayerOpacityScale: [.sourceLayerOpacityScale]
    case .sourceRect: [.sourceRect]
    default: []
    }
  }
}

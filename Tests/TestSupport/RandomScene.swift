import Commit
import Geometry
import RenderTree

/// Scenes in which every property is mixed, from a seed: a random tree with a portal, and then more of everything put into it.
public struct RandomScene {
  /// Contents that an application's layer would make of itself: a path, text. They lie in `frame` of the layer's space.
  public struct Drawing: Sendable {
    public var image: Image
    public var frame: Rect

    public init(image: Image, frame: Rect) {
      self.image = image
      self.frame = frame
    }
  }

  /// How far apart two right renderers may be, for what is in the scene.
  public struct Traits: OptionSet, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Something is scaled, turned or not on the grid of pixels.
    public static let resampled = Traits(rawValue: 1)
    public static let perspective = Traits(rawValue: 2)
    /// Something is blurred, or bent by a lens.
    public static let blurred = Traits(rawValue: 4)
  }

  public private(set) var roots: [TestLayer]
  /// Of the frame, in seconds after the scene was made.
  public let time: Double

  private var random: SeededGenerator
  private var mover: RandomAnimation
  private let drawings: [Drawing]
  private let isUpright: Bool
  private var nextID: UInt64 = 800_000

  /// - Parameter drawings: some of its layers show one of them.
  public init(seed: UInt64, drawings: [Drawing]) {
    random = SeededGenerator(seed: seed ^ 0x5CE4E)
    mover = RandomAnimation(seed: seed ^ 0x30BE)
    self.drawings = drawings
    // A third stands upright, a third is turned and scaled by numbers that are exact, a third in any way.
    isUpright = seed % 3 == 0
    time = [0, 0.25, 0.625, 1.5, 3].randomElement(using: &random) ?? 0
    var maker = RandomTree(seed: seed, isExact: seed % 3 == 1)
    maker.isUpright = isUpright
    maker.sortsByDepth = random.oneIn(2)
    let scene = maker.portalScene(matchesPosition: random.oneIn(3), matchesTransform: random.oneIn(4))
    roots = scene.roots
    if random.oneIn(2) {
      var glass = RandomGlass(seed: seed)
      roots = roots.map { glass.added(to: $0) }
    }
    let sources = roots.flatMap(\.subtree).map(\.id)
    roots = roots.map { root in
      var root = root
      root.sublayers = root.sublayers.map { mixed($0, sources) }
      return root
    }
    let isBlurred = traits.contains(.blurred)
    roots = roots.map { root in root.mapping { $0.settled(isBlurred: isBlurred) } }
  }

  /// A layer, changed or not, with what stands in it.
  private mutating func mixed(_ layer: TestLayer, _ sources: [LayerID]) -> TestLayer {
    var layer = layer
    if layer.kind != .portal, !drawings.isEmpty, random.oneIn(6) {
      let drawing = random.pick(drawings)
      layer.properties += [.contents(drawing.image), .contentsFrame(drawing.frame)]
    }
    if random.oneIn(12) { layer.properties.append(.isDoubleSided(false)) }
    if !isUpright, random.oneIn(12) { layer.properties.append(.anchorPointZ(random.eighth(-12...12))) }
    if random.oneIn(10) {
      layer.properties.append(.anchorPoint(Point(random.whole(0...4) / 4, random.whole(0...4) / 4)))
    }
    if layer.kind == .replicator, random.oneIn(2) { layer.delay(by: random.pick([0.25, 0.5, -0.25])) }
    if layer.kind == .layer, !layer.sublayers.isEmpty, random.oneIn(8) { layer.kind = .transform }
    if random.oneIn(4) { layer.animations = [animation()] }
    layer.sublayers = layer.sublayers.map { mixed($0, sources) }
    layer.masks = layer.masks.map { mixed($0, sources) }
    // Portals that show themselves and each other draw so many copies that three are enough.
    if layer.kind != .portal, nextID < 800_003, random.oneIn(8) { layer.sublayers.append(portal(sources)) }
    return layer
  }

  /// Of any layer: one that it stands in, too.
  private mutating func portal(_ sources: [LayerID]) -> TestLayer {
    nextID += 1
    var portal = TestLayer.portal(
      nextID, of: random.pick(sources).rawValue, x: random.eighth(0...24), y: random.eighth(0...24),
      random.eighth(8...32), random.eighth(8...32))
    portal.properties += [
      .recursion(nextID == 800_001 ? random.pick([.none, .depth(2), .previousFrame]) : .none),
      .sampling(random.pick(PortalSampling.allCases)), .masksToBounds(random.oneIn(2)),
      .matchesPosition(random.oneIn(3)), .matchesTransform(random.oneIn(3)), .matchesOpacity(random.oneIn(2)),
      .hidesSourceLayer(random.oneIn(8)), .hidesSourceLayerInOtherPortals(random.oneIn(10)),
      .allowsBackdropGroups(random.oneIn(3)), .sourceLifetime(random.oneIn(2) ? .weak : .retained),
      .backgroundColor(Color(red: 0.25, green: 0.75, blue: 0.5, alpha: random.oneIn(2) ? 1 : 0.25)),
    ]
    if random.oneIn(3) { portal.properties.append(.cornerRadius(random.eighth(1...8))) }
    if random.oneIn(3) { portal.properties.append(.opacity(0.75)) }
    if !isUpright, random.oneIn(2) { portal.properties.append(.transform(.scale(x: 0.5, y: 0.5))) }
    return portal
  }

  /// Of a property that does not turn an upright scene.
  private mutating func animation() -> Animation {
    while true {
      let animation = mover.animation(groups: 1)
      if !isUpright || !animation.movesTransforms { return animation }
    }
  }

  /// Of what the layers have set and what moves them.
  public var traits: Traits {
    roots.flatMap(\.subtree).reduce(into: isUpright ? [] : .resampled) { traits, layer in
      for property in layer.properties { traits.formUnion(Self.traits(of: property)) }
      if layer.animations.contains(where: \.movesTransforms) { traits.formUnion([.resampled, .perspective]) }
      if layer.animations.contains(where: \.blurs) { traits.insert(.blurred) }
    }
  }

  fileprivate static func traits(of property: PropertyChange) -> Traits {
    switch property {
    case .transform(let matrix), .sublayerTransform(let matrix):
      return matrix.isAffine2D ? (matrix.isIdentity ? [] : .resampled) : [.resampled, .perspective]
    case .anchorPointZ: return .perspective
    case .replication(let value): return value.instanceTransform.isIdentity ? [] : .resampled
    case .contents(let image): return image == nil ? [] : .resampled
    case .shadow(let shadow): return shadow == nil ? [] : .blurred
    case .lens(let lens): return lens == nil ? [] : .blurred
    case .filters(let filters), .backdropFilters(let filters):
      return filters.contains { if case .gaussianBlur = $0 { true } else { false } } ? .blurred : []
    default: return []
    }
  }
}

extension TestLayer {
  /// It and all in it.
  public var subtree: [TestLayer] { [self] + (sublayers + masks).flatMap(\.subtree) }

  fileprivate mutating func delay(by delay: Double) {
    properties = properties.map { property in
      guard case .replication(var value) = property else { return property }
      value.instanceDelay = delay
      return .replication(value)
    }
  }
}

// Eight bits a component round each drawing by up to a half, each renderer in its own order, and a blur rounds every pixel.
// What makes differences larger makes these differences show. So that is done to layers of one plain colour, and not to
// pictures that were rounded on the way, and see-through portals, and what is filtered twice, are not copied over each
// other, and what is blurred no more than once. A wide blur, which GL shows enlarged, is off by up to two; where several
// lie over each other that is more than a blur's class allows, so here they are narrow, and blurs of blurs narrower.

extension TestLayer {
  /// Something in it is blurred, or bent by a lens.
  fileprivate var isBlurred: Bool {
    properties.contains { RandomScene.traits(of: $0).contains(.blurred) } || animations.contains(where: \.blurs)
  }

  fileprivate func settled(isBlurred: Bool) -> TestLayer {
    var layer = self
    // What is blurred already, or shown by something that is.
    let widest = (sublayers + masks).flatMap(\.subtree).contains(where: \.isBlurred) ? 0.5 : 2.5
    if kind == .replicator {
      layer.sublayers = sublayers.map { $0.mapping(\.withOpaquePortals) }
      let copied = sublayers.flatMap(\.subtree)
      if copied.contains(where: \.isFiltered) { layer.properties = properties.map(\.uncolored) }
      if copied.contains(where: \.isBlurred) { layer.properties = layer.properties.map(\.twofold) }
    }
    layer.properties = layer.properties.map { property in
      switch property {
      case .filters(let filters): .filters(filters.map { $0.settled(isPlain: isPlain, widest: widest) })
      case .backdropFilters(let filters):
        .backdropFilters(filters.map { $0.settled(isPlain: false, widest: widest) })
      case .shadow(let shadow?): .shadow(shadow.narrowed(to: widest))
      case .blendMode(let mode) where isBlurred && mode.enlargesDifferences: .blendMode(.exclusion)
      default: property
      }
    }
    layer.animations = animations.map(\.narrowed)
    return layer
  }

  fileprivate var withOpaquePortals: TestLayer {
    var layer = self
    guard kind == .portal else { return layer }
    layer.properties += [
      .opacity(1), .backgroundColor(Color(red: 0.25, green: 0.75, blue: 0.5)), .recursion(.none),
    ]
    return layer
  }

  fileprivate var isFiltered: Bool {
    properties.contains { if case .filters(let filters) = $0 { !filters.isEmpty } else { false } }
  }

  /// Nothing but one opaque colour.
  private var isPlain: Bool {
    kind == .layer && sublayers.isEmpty && masks.isEmpty
      && properties.allSatisfy { property in
        switch property {
        case .backgroundColor(let color): color.alpha == 1
        case .contents, .gradient, .shadow, .lens: false
        default: true
        }
      }
  }
}

extension PropertyChange {
  /// A replicator's of no more than two copies.
  fileprivate var twofold: PropertyChange {
    guard case .replication(var value) = self else { return self }
    value.instanceCount = min(2, value.instanceCount)
    return .replication(value)
  }

  /// A replicator's without its colours, which are one more filter.
  fileprivate var uncolored: PropertyChange {
    guard case .replication(var value) = self else { return self }
    (value.instanceColor, value.instanceRedOffset, value.instanceGreenOffset) = (.white, 0, 0)
    (value.instanceBlueOffset, value.instanceAlphaOffset) = (0, 0)
    return .replication(value)
  }
}

extension Shadow {
  fileprivate func narrowed(to widest: Double) -> Shadow {
    var shadow = self
    shadow.radius = min(widest, radius)
    return shadow
  }
}

extension Filter {
  /// The same, or what does not make differences larger.
  fileprivate func settled(isPlain: Bool, widest: Double) -> Filter {
    switch self {
    case .gaussianBlur(let radius): .gaussianBlur(radius: min(widest, radius))
    case _ where isPlain: self
    case .brightness(let amount): .brightness(min(1, amount))
    case .contrast(let amount): .contrast(min(1, amount))
    case .saturate(let amount): .saturate(min(1, amount))
    case .hueRotate: .grayscale(0.5)
    case .colorMatrix: .sepia(0.5)
    default: self
    }
  }
}

extension BlendMode {
  fileprivate var enlargesDifferences: Bool {
    switch self {
    case .colorBurn, .colorDodge, .hardLight, .softLight, .overlay, .hue, .saturation, .color, .luminosity: true
    default: false
    }
  }
}

extension Animation {
  /// The key paths of it, and of what is in it.
  fileprivate var properties: [AnimationKeyPath.Property] {
    switch content {
    case .property(let property): [property.keyPath.property]
    case .group(let animations): animations.flatMap(\.properties)
    }
  }

  fileprivate var movesTransforms: Bool {
    properties.contains { $0 == .transform || $0 == .sublayerTransform || $0 == .anchorPointZ }
  }

  /// The same, but that it makes no filter stronger and no blur wider than layers may have them by themselves: of the
  /// numbers that two may be added of, each has half.
  fileprivate var narrowed: Animation {
    var animation = self
    switch content {
    case .group(let animations): animation.content = .group(animations.map(\.narrowed))
    case .property(var property):
      let most: Double
      switch property.keyPath.property {
      case .filter, .backdropFilter: most = 0.5
      case .shadowRadius: most = 1.25
      default: return self
      }
      property.motion = property.motion.mapping { value in
        guard case .number(let number) = value else { return value }
        return .number(min(most, number))
      }
      animation.content = .property(property)
    }
    return animation
  }

  fileprivate var blurs: Bool {
    properties.contains(where: \.isOfShadow)
  }
}

extension PropertyAnimation.Motion {
  fileprivate func mapping(_ change: (AnimationValue) -> AnimationValue) -> Self {
    func mapped(_ interval: PropertyAnimation.Interval) -> PropertyAnimation.Interval {
      PropertyAnimation.Interval(
        from: interval.from.map(change), to: interval.to.map(change), by: interval.by.map(change))
    }
    switch self {
    case .basic(let interval): return .basic(mapped(interval))
    case .spring(let interval, let spring): return .spring(mapped(interval), spring)
    case .keyframes(var keyframes):
      keyframes.values = keyframes.values.map(change)
      return .keyframes(keyframes)
    }
  }
}

extension AnimationKeyPath.Property {
  fileprivate var isOfShadow: Bool {
    switch self {
    case .shadowColor, .shadowOpacity, .shadowRadius, .shadowOffset: true
    default: false
    }
  }
}

import Commit
import Geometry

/// Makes trees of every property that is drawn, from a seed.
public struct RandomTree {
  public var random: SeededGenerator
  /// Numbers whose sums and products are exact: then two ways of multiplying the same matrices agree to the last bit.
  public var isExact: Bool
  /// For filters and the like: apart, so that what is added to them leaves the trees of all seeds as they were.
  private var effectRandom: SeededGenerator
  /// For what few layers have: see `rarities`.
  var rareRandom: SeededGenerator
  /// Layers turned in space are sorted by depth and cut each other.
  public var sortsByDepth = false
  /// Nothing is turned or scaled.
  public var isUpright = false
  public let size: Size
  private var nextID: UInt64 = 1
  private var effectID: UInt64 = 500_000
  private let pictures: [Image]

  public init(seed: UInt64, isExact: Bool, size: Size = Size(width: 96, height: 72)) {
    self.random = SeededGenerator(seed: seed)
    self.effectRandom = SeededGenerator(seed: seed ^ 0xEFFEC7)
    self.rareRandom = SeededGenerator(seed: seed ^ 0x4A4E)
    self.isExact = isExact
    self.size = size
    var random = SeededGenerator(seed: seed ^ 0xABCD)
    self.pictures = (0..<2).compactMap { index in
      let (width, height) = (8 + 4 * index, 8)
      let pixels = (0..<width * height).flatMap { texel -> [UInt8] in
        let shade = UInt8.random(in: 0...255, using: &random)
        return [shade, UInt8(texel * 2 % 256), 255 - shade, index == 0 ? 255 : UInt8(128 + texel % 128)]
      }
      return Image(
        size: PixelSize(width: width, height: height), alpha: index == 0 ? .opaque : .straight, pixels: pixels)
    }
  }

  /// What a scene for the portal tests is made of: a root that holds the source (in a container of its own, which is
  /// turned and scaled) and the portal (likewise), with other layers before, between and behind.
  public struct PortalScene {
    public var roots: [TestLayer]
    public var source: LayerID
    public var portal: LayerID
  }

  public mutating func id() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  public mutating func portalScene(matchesPosition: Bool, matchesTransform: Bool) -> PortalScene {
    let root = id()
    let named = overriding(layer(depth: 2))
    var source = named.source
    source.properties.append(.isHidden(false))
    var portal = layer(depth: 0, sublayers: random.oneIn(3) ? 1 : 0)
    portal.kind = .portal
    portal.properties += [
      .sourceLayer(source.id), .matchesPosition(matchesPosition), .matchesTransform(matchesTransform),
      .matchesOpacity(random.oneIn(2)), .hidesSourceLayer(random.oneIn(3)), .isHidden(false),
      .sublayerTransform(.identity), .allowsGroupOpacity(true), .overrides(named.overrides),
    ]
    if random.oneIn(4) { portal.properties.append(.sourceLayerOpacityScale(0.5)) }
    if random.oneIn(4) {
      portal.properties.append(
        .sourceRect(
          Rect(
            x: random.eighth(-4...20), y: random.eighth(-4...20), width: random.eighth(0...40),
            height: random.eighth(0...40))))
    }
    var groups = [container(source), container(portal), layer(depth: 1), layer(depth: 1)]
    groups.shuffle(using: &random)
    let whole = TestLayer.box(
      root, x: 0, y: 0, size.width, size.height, color: .white, [.sortsSublayersByDepth(sortsByDepth)], groups)
    return PortalScene(roots: [whole], source: source.id, portal: portal.id)
  }

  /// A layer that only places what is in it.
  private mutating func container(_ layer: TestLayer) -> TestLayer {
    let properties: [PropertyChange] = [
      .bounds(Rect(x: 0, y: 0, width: 40, height: 40)),
      .position(Point(random.eighth(20...70), random.eighth(20...50))),
      .transform(transform()), .sortsSublayersByDepth(sortsByDepth),
    ]
    return TestLayer(id(), .layer, properties, [layer])
  }

  /// A layer with random properties and sublayers.
  public mutating func layer(depth: Int, sublayers: Int? = nil) -> TestLayer {
    let bounds = Rect(
      x: random.oneIn(3) ? random.eighth(-8...8) : 0, y: random.oneIn(3) ? random.eighth(-8...8) : 0,
      width: random.eighth(4...48), height: random.eighth(4...40))
    var properties: [PropertyChange] = [
      .bounds(bounds), .position(Point(random.eighth(0...48), random.eighth(0...40))), .transform(transform()),
    ]
    if !random.oneIn(5) { properties.append(.backgroundColor(color())) }
    if random.oneIn(3) { properties.append(.cornerRadius(random.eighth(1...14))) }
    if random.oneIn(6) { properties.append(.maskedCorners([.topLeft, .bottomRight])) }
    if random.oneIn(4) { properties += [.borderWidth(random.eighth(1...5)), .borderColor(color())] }
    if random.oneIn(4) { properties.append(.opacity(Float(random.whole(1...7)) / 8)) }
    if random.oneIn(10) { properties.append(.allowsGroupOpacity(false)) }
    if random.oneIn(4) { properties.append(.masksToBounds(true)) }
    if random.oneIn(4) { properties.append(.zPosition(random.whole(-2...2))) }
    if random.oneIn(5) {
      properties.append(.anchorPoint(Point(Double(Int.random(in: 0...4, using: &random)) / 4, 0.5)))
    }
    if random.oneIn(12) { properties.append(.isHidden(true)) }
    if random.oneIn(8) { properties.append(.sublayerTransform(transform())) }
    if random.oneIn(3) {
      properties += [
        .contents(pictures.randomElement(using: &random)),
        .contentsGravity(ContentsGravity.allCases.randomElement(using: &random) ?? .resize),
      ]
      if random.oneIn(2) { properties.append(.magnificationFilter(.nearest)) }
      if random.oneIn(4) { properties.append(.contentsRect(Rect(x: 0.25, y: 0, width: 0.5, height: 0.75))) }
    }
    if effectRandom.oneIn(5) { properties.append(.filters(filters())) }
    let kind = effectRandom.oneIn(5) ? LayerKind.gradient : .layer
    if kind == .gradient { properties.append(.gradient(gradient())) }
    let count = sublayers ?? (depth > 0 ? Int.random(in: 0...3, using: &random) : 0)
    if effectRandom.oneIn(8) {
      properties.append(
        .shadow(
          Shadow(
            color: Color(red: Float(effectRandom.whole(0...2)) / 2, green: 0, blue: 0.5), opacity: 0.75,
            radius: effectRandom.eighth(0...4), offset: Point(effectRandom.eighth(-6...6), effectRandom.eighth(-6...6)),
            path: effectRandom.oneIn(3) ? .init(rect: bounds, radius: effectRandom.eighth(0...6)) : nil)))
    }
    let isMasked = depth > 0 && effectRandom.oneIn(5)
    let rarities = rarities(bounds: bounds, sublayers: count)
    properties += rarities.properties
    if !sortsByDepth { properties.append(.sortsSublayersByDepth(false)) }
    var made = TestLayer(id(), rarities.kind ?? kind, properties, (0..<count).map { _ in layer(depth: depth - 1) })
    if isMasked { made.masks = [mask(of: bounds)] }
    return made
  }

  /// A mask over most of a layer of these bounds: apart from the other layers' random numbers, as all effects are.
  private mutating func mask(of bounds: Rect) -> TestLayer {
    let place = Rect(
      x: bounds.x + effectRandom.eighth(-4...4), y: bounds.y + effectRandom.eighth(-4...4),
      width: bounds.width * Double(Int.random(in: 4...8, using: &effectRandom)) / 8, height: bounds.height)
    effectID += 2
    var mask = TestLayer(effectID, .gradient, [.bounds(place), .position(place.center)])
    switch Int.random(in: 0..<4, using: &effectRandom) {
    case 0: mask.properties.append(.gradient(gradient()))
    case 1: mask.properties += [.backgroundColor(.black), .cornerRadius(effectRandom.eighth(1...14))]
    case 2: mask.properties += [.backgroundColor(Color(red: 1, green: 0, blue: 0, alpha: 0.5)), .opacity(0.75)]
    default:
      let half = Rect(x: place.x, y: place.y, width: place.width / 2, height: place.height)
      mask.sublayers = [
        TestLayer(
          effectID + 1, .layer,
          [
            .bounds(half), .position(half.center), .backgroundColor(.black), .filters([.gaussianBlur(radius: 1)]),
          ])
      ]
    }
    return mask
  }

  private mutating func gradient() -> Gradient {
    func point(_ random: inout SeededGenerator) -> Point {
      Point(Double(Int.random(in: 0...4, using: &random)) / 4, Double(Int.random(in: 0...4, using: &random)) / 4)
    }
    let stops = (0..<Int.random(in: 1...4, using: &effectRandom)).map { index in
      // No two at one place: where colours jump, the place of a single pixel decides.
      Gradient.Stop(
        location: Double(index) * 0.25 + Double(Int.random(in: 0...3, using: &effectRandom)) / 16,
        color: Color(
          red: Float(effectRandom.whole(0...4)) / 4, green: Float(effectRandom.whole(0...4)) / 4,
          blue: Float(effectRandom.whole(0...4)) / 4, alpha: Float(effectRandom.whole(1...4)) / 4))
    }
    return Gradient(
      type: GradientType.allCases.randomElement(using: &effectRandom) ?? .axial, start: point(&effectRandom),
      end: point(&effectRandom), stops: stops)
  }

  private mutating func filters() -> [Filter] {
    (0..<Int.random(in: 1...2, using: &effectRandom)).map { _ in
      // Strong ones would strengthen the rounding of eight bits.
      let amount = Double(Int.random(in: 0...5, using: &effectRandom)) / 4
      switch Int.random(in: 0..<12, using: &effectRandom) {
      case 0: return .brightness(amount)
      case 1: return .contrast(amount)
      case 2: return .saturate(amount)
      case 3: return .grayscale(amount)
      case 4: return .invert(amount)
      case 5: return .sepia(amount)
      case 6: return .hueRotate(degrees: effectRandom.whole(0...360))
      case 7: return .opacity(amount)
      case 8:
        return .colorMatrix(
          ColorMatrix(
            red: SIMD4(0, 0.25, 0, 0), green: SIMD4(0, 0.5, 1, 0), blue: SIMD4(1, 0, 0, 0), alpha: SIMD4(0, 0, 0, 0.75),
            constant: SIMD4(0.125, 0, 0, 0)))
      default: return .gaussianBlur(radius: effectRandom.eighth(0...6))
      }
    }
  }

  private mutating func color() -> Color {
    func component(_ random: inout SeededGenerator) -> Float { Float(Int.random(in: 0...255, using: &random)) / 255 }
    let alpha: Float = random.oneIn(3) ? Float(random.whole(1...3)) / 4 : 1
    return Color(red: component(&random), green: component(&random), blue: component(&random), alpha: alpha)
  }

  private mutating func transform() -> Transform3D {
    if isUpright { return .identity }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      // A quarter turn.
      return Transform3D(m11: 0, m12: 1, m21: -1, m22: 0)
    case 1:
      let scales = [0.5, 1, 2, -1, 0.25]
      return .scale(x: scales.randomElement(using: &random) ?? 1, y: scales.randomElement(using: &random) ?? 1)
    case 2: return Transform3D(m21: random.oneIn(2) ? 0.5 : -0.25)
    case 3 where !isExact: return .rotation(angle: random.real(-3...3))
    case 4 where !isExact:
      return .rotation(angle: random.real(-1...1), x: 1, y: random.real(-1...1), z: 0) * .perspective(distance: 200)
    case 5 where !isExact: return .scale(x: random.real(0.4...1.8), y: random.real(0.4...1.8))
    default: return .identity
    }
  }
}

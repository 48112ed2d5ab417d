import Commit
import Geometry
import RenderTree

/// Sources in sources, and portals of all of them in each other and in the window, from a seed; and what happens to them from
/// frame to frame.
public struct RandomNesting {
  public static let size = PixelSize(width: 192, height: 144)
  public static let root = LayerID(rawValue: 1)

  public private(set) var roots: [TestLayer] = []
  private var random: SeededGenerator
  private var nextID: UInt64 = 1
  /// Layers without sublayers.
  private var leaves: [LayerID] = []
  private var holders: [LayerID] = []
  /// The portals that stand in the window itself.
  private var wall: [LayerID] = []
  private let picture: Image?
  /// What few scenes have, since it has a part in all that is in them.
  private let isAnimated: Bool
  private let isInSpace: Bool
  private let matches: Bool

  public init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    picture = Image(
      size: PixelSize(width: 8, height: 6), alpha: .opaque,
      pixels: (0..<8 * 6 * 4).map { $0 % 4 == 3 ? 255 : UInt8(truncatingIfNeeded: $0 &* 37) })
    nextID = 2
    (isAnimated, isInSpace, matches) = (random.oneIn(4), random.oneIn(8), random.oneIn(3))
    var sources: [TestLayer] = []
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      sources.append(source(showing: sources.map(\.id)))
    }
    let names = sources.map(\.id)
    var standing: [TestLayer] = []
    for source in sources {
      if random.oneIn(4) { roots.append(source) } else { standing.append(source) }
    }
    let boxes = (0..<4).map { _ in leaf() }
    // Sometimes so many that a picture is worth its while, and sometimes so few that none is.
    let count = [3, 12, 40].randomElement(using: &random) ?? 12
    let isWall = random.oneIn(2)
    let portals = (0..<count).map { _ in portal(of: names, isPlain: isWall) }
    wall = portals.map(\.id)
    roots.insert(
      .box(1, x: 0, y: 0, 192, 144, color: .black, [], standing + boxes + portals), at: 0)
  }

  private mutating func id() -> UInt64 {
    defer { nextID += 1 }
    return nextID
  }

  // MARK: What there is

  private mutating func source(showing sources: [LayerID]) -> TestLayer {
    let id = id()
    var sublayers = (0..<Int.random(in: 1...7, using: &random)).map { _ in leaf() }
    if random.oneIn(2) { sublayers.append(holder(sources)) }
    for _ in 0..<(sources.isEmpty ? 0 : Int.random(in: 0...3, using: &random)) {
      sublayers.append(portal(of: sources, isPlain: false))
    }
    sublayers.shuffle(using: &random)
    var properties: [PropertyChange] = []
    if random.oneIn(3) { properties.append(.masksToBounds(true)) }
    if random.oneIn(4) { properties.append(.cornerRadius(random.eighth(1...12))) }
    if random.oneIn(6) { properties.append(.opacity(0.75)) }
    if random.oneIn(6) { properties.append(.allowsGroupOpacity(false)) }
    if random.oneIn(5) { properties.append(.transform(.rotation(angle: random.real(-1...1)))) }
    holders.append(LayerID(rawValue: id))
    return .box(
      id, x: random.eighth(0...120), y: random.eighth(0...90), 50, 36, color: random.oneIn(2) ? .white : .clear,
      properties, sublayers)
  }

  /// A layer among a source's, with some of its own.
  private mutating func holder(_ sources: [LayerID]) -> TestLayer {
    let id = id()
    var sublayers = (0..<Int.random(in: 1...3, using: &random)).map { _ in leaf() }
    if !sources.isEmpty, random.oneIn(2) { sublayers.append(portal(of: sources, isPlain: false)) }
    var properties: [PropertyChange] = []
    if random.oneIn(3) { properties.append(.masksToBounds(true)) }
    if random.oneIn(5) { properties.append(.opacity(0.5)) }
    if random.oneIn(4) { properties.append(.transform(.scale(x: 0.5, y: 1.25))) }
    holders.append(LayerID(rawValue: id))
    return .box(id, x: random.eighth(0...20), y: random.eighth(0...16), 30, 20, color: .clear, properties, sublayers)
  }

  private mutating func leaf() -> TestLayer {
    let id = id()
    leaves.append(LayerID(rawValue: id))
    var layer = TestLayer.box(
      id, x: random.eighth(-4...44), y: random.eighth(-4...34), random.eighth(4...20), random.eighth(4...14),
      color: color())
    if random.oneIn(2) { layer.properties.append(.cornerRadius(random.eighth(0...5))) }
    if random.oneIn(4) { layer.properties += [.borderWidth(random.eighth(1...2)), .borderColor(color())] }
    if random.oneIn(6) { layer.properties.append(.contents(picture)) }
    if random.oneIn(8) {
      layer.kind = .gradient
      layer.properties.append(
        .gradient(
          Gradient(
            start: .zero, end: Point(1, 1),
            stops: [.init(location: 0, color: color()), .init(location: 1, color: color())])))
    }
    if random.oneIn(8) { layer.properties.append(.isDoubleSided(false)) }
    if isAnimated, random.oneIn(6) { layer.animations = [animation()] }
    return layer
  }

  private mutating func portal(of sources: [LayerID], isPlain: Bool) -> TestLayer {
    let id = id()
    leaves.append(LayerID(rawValue: id))
    var layer = TestLayer.portal(
      id, of: random.pick(sources).rawValue, x: random.eighth(-10...150), y: random.eighth(-10...110),
      random.eighth(10...50), random.eighth(8...40))
    if isPlain {
      layer.properties.append(.transform(.scale(x: 0.5 + random.eighth(0...1) / 4, y: 0.5)))
      return layer
    }
    if random.oneIn(3) { layer.properties.append(.masksToBounds(true)) }
    if random.oneIn(3) { layer.properties.append(.cornerRadius(random.eighth(1...8))) }
    if random.oneIn(4) { layer.properties.append(.opacity(0.625)) }
    if random.oneIn(4) { layer.properties.append(.backgroundColor(color())) }
    if random.oneIn(5) {
      layer.properties.append(
        .sourceRect(
          Rect(
            x: random.eighth(-4...10), y: random.eighth(-4...10), width: random.eighth(4...40),
            height: random.eighth(4...30))))
    }
    if matches, random.oneIn(3) { layer.properties.append(.matchesPosition(true)) }
    if matches, random.oneIn(4) { layer.properties.append(.matchesTransform(true)) }
    if matches, random.oneIn(5) { layer.properties.append(.matchesOpacity(true)) }
    if random.oneIn(8) { layer.properties.append(.hidesSourceLayer(true)) }
    if random.oneIn(8) { layer.properties.append(.sampling(.linear)) }
    if isAnimated, random.oneIn(10) { layer.animations = [animation()] }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: layer.properties.append(.transform(.rotation(angle: random.eighth(0...3))))
    case 1: layer.properties.append(.transform(.scale(x: 0.5, y: 0.75)))
    case 2 where isInSpace:
      layer.properties.append(
        .transform(.rotation(angle: 0.5, x: 1, y: 0.5, z: 0) * .perspective(distance: 300)))
    default: break
    }
    return layer
  }

  private mutating func color() -> Color {
    let shade = Float(Int.random(in: 0...8, using: &random)) / 8
    return Color(red: shade, green: 1 - shade, blue: 0.5, alpha: random.oneIn(3) ? 0.5 : 1)
  }

  private mutating func animation() -> Animation {
    var timing = AnimationTiming(duration: random.eighth(1...3))
    timing.autoreverses = true
    timing.repeatCount = .infinity
    var interval = PropertyAnimation.Interval()
    let path: AnimationKeyPath
    if random.oneIn(3) {
      path = AnimationKeyPath(whole: .opacity)
      (interval.from, interval.to) = (.number(0.25), .number(1))
    } else {
      path = AnimationKeyPath(whole: .position)
      interval.to = .point(Point(random.eighth(0...60), random.eighth(0...50)))
    }
    return Animation(PropertyAnimation(path, .basic(interval)), timing: timing)
  }

  // MARK: What happens

  /// What a frame changes: mostly a few layers without sublayers.
  public mutating func changes() -> [Change] {
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return []
    case 1: return [.set(random.pick(holders), .position(Point(random.eighth(10...100), random.eighth(10...80))))]
    case 2: return [.set(random.pick(leaves), .isHidden(random.oneIn(2)))]
    case 3, 4:
      // All that stand in the window, as when one scrolls.
      let (dx, dy) = (random.eighth(-3...3), random.eighth(-3...3))
      return wall.enumerated().map { index, layer in
        .set(layer, .position(Point(Double(index % 8) * 22 + 12 + dx, Double(index / 8) * 24 + 12 + dy)))
      }
    default: return (0..<Int.random(in: 1...3, using: &random)).map { _ in change(of: random.pick(leaves)) }
    }
  }

  private mutating func change(of layer: LayerID) -> Change {
    let shade = Float(Int.random(in: 0...4, using: &random)) / 4
    switch Int.random(in: 0..<14, using: &random) {
    case 0...5: return .set(layer, .position(Point(random.eighth(-4...90), random.eighth(-4...90))))
    case 6, 7:
      return .set(
        layer, .backgroundColor(Color(red: shade, green: 0.5, blue: 1 - shade, alpha: random.oneIn(4) ? shade : 1)))
    case 8: return .set(layer, .transform(.rotation(angle: Double(shade))))
    case 9: return .set(layer, .transform(.scale(x: 0.5 + Double(shade), y: 1)))
    case 10: return .set(layer, .opacity(random.oneIn(6) ? 0 : 0.5 + shade / 2))
    case 11:
      return .set(layer, .bounds(Rect(x: 0, y: 0, width: random.eighth(0...50), height: random.eighth(4...40))))
    case 12: return .set(layer, .borderWidth(random.eighth(0...3)))
    default: return .set(layer, .cornerRadius(random.eighth(0...6)))
    }
  }
}

import Commit
import Geometry

/// Adds what reads what lies behind it to a random tree, from a seed: blend modes, backdrops alone and in groups, lenses,
/// portals that let their content see through. Apart from `RandomTree`, whose scenes stay as they are.
public struct RandomGlass {
  private var random: SeededGenerator

  public init(seed: UInt64) { random = SeededGenerator(seed: seed ^ 0x61A55) }

  /// The tree with some of its layers changed; never its root.
  public mutating func added(to root: TestLayer) -> TestLayer {
    var root = root
    root.sublayers = root.sublayers.map { changed($0) }
    return root
  }

  /// One layer, changed or not, with what stands in it.
  public mutating func changed(_ layer: TestLayer) -> TestLayer {
    var layer = layer
    if random.oneIn(6) {
      layer.properties.append(.blendMode(BlendMode.allCases.randomElement(using: &random) ?? .screen))
    }
    switch layer.kind {
    case .portal: layer.properties.append(.allowsBackdropGroups(random.oneIn(2)))
    case .layer where random.oneIn(4):
      layer.kind = .backdrop
      layer.properties += [
        .backdropFilters(filters()), .backdropGroup([nil, "a", "b"].randomElement(using: &random) ?? nil),
      ]
      if random.oneIn(3) { layer.properties.append(.lens(lens(.backdrop))) }
    case .layer where random.oneIn(8): layer.properties.append(.lens(lens(.content)))
    default: break
    }
    layer.sublayers = layer.sublayers.map { changed($0) }
    return layer
  }

  private mutating func filters() -> [Filter] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in
      let amount = Double(Int.random(in: 0...5, using: &random)) / 4
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .invert(min(1, amount))
      case 1: return .saturate(amount)
      case 2: return .brightness(amount)
      default: return .gaussianBlur(radius: random.eighth(0...5))
      }
    }
  }

  private mutating func lens(_ subject: Lens.Subject) -> Lens {
    let shapes = (0..<(random.oneIn(2) ? 0 : 2)).map { _ in
      Lens.Shape(
        rect: Rect(
          x: random.eighth(-4...16), y: random.eighth(-4...12), width: random.eighth(6...20),
          height: random.eighth(6...20)), radius: random.eighth(0...10))
    }
    return Lens(
      subject: subject, shapes: shapes, smoothing: random.eighth(0...8), rim: random.eighth(0...12),
      thickness: random.eighth(0...10), refractiveIndex: 1 + random.eighth(0...1),
      chromaticSpread: random.oneIn(2) ? 0 : 0.25, highlight: random.oneIn(2) ? .clear : .white,
      highlightWidth: random.eighth(0...4))
  }
}

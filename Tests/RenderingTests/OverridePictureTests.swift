import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("A portal with overrides shows what a copy with these values would")
struct OverridePictureTests {
  private let size = PixelSize(width: 192, height: 144)

  /// A random layer with names throughout, and the path to each.
  private func named(_ layer: TestLayer, _ path: String, _ paths: inout [(path: String, id: LayerID)]) -> TestLayer {
    var layer = layer
    paths.append((path, layer.id))
    let prefix = path.isEmpty ? "" : path + "."
    layer.sublayers = layer.sublayers.map { sublayer in
      var sublayer = sublayer
      let name = "n\(sublayer.id.rawValue)"
      sublayer.properties.append(.name(name))
      return named(sublayer, prefix + "sublayers." + name, &paths)
    }
    layer.masks = layer.masks.map { named($0, prefix + "mask", &paths) }
    return layer
  }

  private func value(_ random: inout SeededGenerator) -> PropertyChange {
    switch Int.random(in: 0..<9, using: &random) {
    case 0: .backgroundColor(Color(red: 0, green: 0.75, blue: 0.25, alpha: 0.75))
    case 1: .opacity(0.25)
    case 2: .isHidden(random.oneIn(2))
    case 3: .cornerRadius(5)
    case 4: .filters([.invert(1)])
    case 5: .shadow(Shadow(radius: 2, offset: Point(3, 3)))
    case 6: .zPosition(3)
    case 7: .transform(.scale(x: 0.5, y: 0.5))
    default: .bounds(Rect(x: 2, y: 2, width: 16, height: 12))
    }
  }

  @Test("bit for bit, in both renderers (seeds 1…60)", arguments: Witness.allCases)
  func equalsCopy(_ witness: Witness) throws {
    var changed = 0
    for seed in UInt64(1)...60 {
      var maker = RandomTree(seed: seed, isExact: false)
      var random = SeededGenerator(seed: seed ^ 0x0E77)
      var paths: [(path: String, id: LayerID)] = []
      let source = named(maker.layer(depth: 2), "", &paths)
      let chosen = (0..<Int.random(in: 1...4, using: &random)).compactMap { _ -> (String, LayerID, PropertyChange)? in
        guard let place = paths.randomElement(using: &random) else { return nil }
        return (place.path, place.id, value(&random))
      }
      let overrides = chosen.compactMap { PortalOverride($0.0, $0.2) }
      #expect(overrides.count == chosen.count)
      func scene(_ portal: [PropertyChange], of id: UInt64, _ source: TestLayer, _ other: TestLayer) -> [TestLayer] {
        let portals: [TestLayer] = [
          .portal(800_000, of: id, x: 48, y: 10, 40, 40, [.masksToBounds(true)] + portal),
          .portal(800_001, of: source.id.rawValue, x: 0, y: 40, 40, 30),
        ]
        return [.box(700_000, x: 0, y: 0, 96, 72, color: .white, [], [source] + portals), other]
      }
      let copy = source.mapping { layer in
        var layer = layer
        for (_, id, property) in chosen where id == layer.id { layer.properties.append(property) }
        layer.id = LayerID(rawValue: layer.id.rawValue + 1_000_000)
        return layer
      }
      let id = source.id.rawValue
      // The copy's tree is there in both, so that nothing but the override differs.
      var overridden = try RenderTree(roots: scene([.overrides(overrides)], of: id, source, copy))
      var copied = try RenderTree(roots: scene([], of: id + 1_000_000, source, copy))
      var plain = try RenderTree(roots: scene([], of: id, source, copy))
      let expected = try Stage.shared.draw(copied.snapshot(root: 700_000), witness, size: size, scale: 2)
      let got = try Stage.shared.draw(overridden.snapshot(root: 700_000), witness, size: size, scale: 2)
      #expect(Difference(expected, got).isNone, "seed \(seed): \(Difference(expected, got))")
      #expect(overridden.invariantViolations() == [])
      let without = try Stage.shared.draw(plain.snapshot(root: 700_000), witness, size: size, scale: 2)
      changed += without.pixels == got.pixels ? 0 : 1
    }
    #expect(changed > 30)
  }

  @Test("through a portal of the portal, and of one that overrides again", arguments: Witness.allCases)
  func nested(_ witness: Witness) throws {
    let red = Color(red: 1, green: 0, blue: 0)
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 96, 72, color: .white, [],
        [
          .box(2, x: 0, y: 0, 20, 20, color: .black, [], [.box(3, x: 5, y: 5, 10, 10, color: .white, [.name("dot")])]),
          .box(
            4, x: 24, y: 0, 20, 20, [],
            [.portal(5, of: 2, x: 0, y: 0, 20, 20, [.name("p"), .overrides([PortalOverride(.backgroundColor(red))])])]),
          .portal(6, of: 4, x: 48, y: 0, 20, 20),
          .portal(
            7, of: 4, x: 0, y: 40, 20, 20,
            [.overrides([PortalOverride(path: [.sublayer("p")], .opacity(0.5))])]),
        ]))
    let image = try Stage.shared.draw(tree.snapshot(root: 1), witness, size: PixelSize(width: 96, height: 72))
    #expect(image.pixel(2, 2) == [0, 0, 0, 255])
    for x in [26, 50] {
      #expect(image.pixel(x, 2) == [255, 0, 0, 255] && image.pixel(x + 8, 10) == [255, 255, 255, 255])
    }
    #expect(image.pixel(2, 42).near([255, 128, 128, 255]))
  }
}

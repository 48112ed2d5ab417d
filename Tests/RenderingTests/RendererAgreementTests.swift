import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("GL equals the reference")
struct RendererAgreementTests {
  /// How many random scenes there are; the seed of each is its number.
  private static let scenes = 512

  @Test("on random scenes of every property, within the class of what they hold (seeds 1…512)", arguments: 0..<4)
  func randomScenes(_ quarter: Int) throws {
    let share = Self.scenes / 4
    for seed in UInt64(quarter * share + 1)...UInt64((quarter + 1) * share) {
      let isFlat = seed % 2 == 0
      var maker = RandomTree(seed: seed, isExact: isFlat)
      let scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: seed % 5 == 0)
      // Pictures are scaled in these scenes, and some stand in perspective; and a blur of eight bits is a little off in
      // many pixels at once.
      let limits = (isFlat ? ImageComparison.SceneClass.resampled : .perspective).tolerance.or(.blur)
      try Self.expectAgreement(scene.roots, limits, seed)
    }
  }

  @Test("on random scenes of glass, of layers sorted by depth, and of both (seeds 1001…1120)", arguments: 0..<4)
  func randomGlass(_ quarter: Int) throws {
    // 1070: on the diagonal of a lens' sharp corner two sides are as near, and ten pixels there bend towards the other one.
    for seed in UInt64(1001 + 30 * quarter)..<UInt64(1031 + 30 * quarter) where seed != 1070 {
      var maker = RandomTree(seed: seed, isExact: false)
      maker.sortsByDepth = seed % 3 != 0
      var scene = maker.portalScene(matchesPosition: seed % 4 == 0, matchesTransform: seed % 5 == 0)
      if seed % 3 != 1 {
        var glass = RandomGlass(seed: seed)
        scene.roots = scene.roots.map { glass.added(to: $0) }
        // In perspective a lens is bent as its middle is, and the renderers end it at its bounds in different ways.
        if scene.roots.contains(where: \.isInSpace) { scene.roots = scene.roots.map(\.withoutLenses) }
      }
      try Self.expectAgreement(scene.roots, ImageComparison.SceneClass.perspective.tolerance.or(.blur), seed)
    }
  }

  private static func expectAgreement(_ roots: [TestLayer], _ limits: ImageComparison.Tolerance, _ seed: UInt64) throws
  {
    let comparison = try comparison(of: roots)
    guard !comparison.passes(limits) else { return }
    let smallest = shrunk(roots) { roots in (try? Self.comparison(of: roots))?.passes(limits) == false }
    Issue.record("seed \(seed): \(comparison)\nsmallest: \(smallest.map { $0.outline() }.joined())")
  }

  private static func comparison(of roots: [TestLayer]) throws -> ImageComparison {
    let size = PixelSize(width: 192, height: 144)
    var tree = try RenderTree(roots: roots)
    let snapshot = tree.snapshot(root: roots[0].id)
    let expected = try Stage.shared.draw(snapshot, .reference, size: size, scale: 2)
    return try ImageComparison(expected: expected, got: Stage.shared.draw(snapshot, .gl, size: size, scale: 2))
  }

  /// A card as an interface has them: a picture, a button, a badge, a bar.
  private static func card(_ id: UInt64) -> TestLayer {
    .box(
      id, x: 300, y: 0, 100, 80, color: Color(red: 0.18, green: 0.44, blue: 0.87), [],
      [
        .box(id + 1, x: 8, y: 8, 36, 48, color: Color(red: 0.96, green: 0.92, blue: 0.78)),
        .box(id + 2, x: 16, y: 16, 20, 8, color: Color(red: 0.1, green: 0.2, blue: 0.5)),
        .box(id + 3, x: 52, y: 10, 40, 24, color: Color(red: 0.96, green: 0.7, blue: 0), [.cornerRadius(8)]),
        .box(id + 4, x: 60, y: 44, 28, 28, color: Color(red: 0.85, green: 0.2, blue: 0.29), [.cornerRadius(14)]),
        .box(id + 5, x: 4, y: 62, 44, 12, color: Color(red: 1, green: 1, blue: 1, alpha: 0.5)),
      ])
  }

  @Test(
    "with dozens of turned and scaled portals, through the source's texture, within the class of resampled pictures",
    arguments: [0.45, 0.7, 1, 1.3])
  func turnedPortals(_ zoom: Double) throws {
    let portals = (0..<24).map { index -> TestLayer in
      let (x, y) = (Double(index % 6) * 150 + 25, Double(index / 6) * 150 + 35)
      let turn = Transform3D.scale(x: zoom, y: zoom) * .rotation(angle: Double(index) * 0.26 + 0.1)
      return .portal(UInt64(600 + index), of: 500, x: x, y: y, 100, 80, [.masksToBounds(true), .transform(turn)])
    }
    var tree = try RenderTree(roots: [
      .box(700, x: 0, y: 0, 900, 600, color: .white, [], portals), Self.card(500),
    ])
    let snapshot = tree.snapshot(root: 700)
    let size = PixelSize(width: 900, height: 600)
    var planner = FramePlanner()
    let plan = planner.plan(snapshot, size: size, scale: 1, background: .clear)
    #expect(plan.counters.portalsSampled == 24 && plan.counters.sourcesDrawn == 1)
    let comparison = try ImageComparison(
      expected: try Stage.shared.draw(snapshot, .reference, size: size),
      got: try Stage.shared.draw(snapshot, .gl, size: size))
    #expect(comparison.passes(.resampled), "\(comparison)")
  }

  @Test("the same scene gives the same bytes", arguments: Witness.allCases)
  func deterministic(_ witness: Witness) throws {
    for seed in UInt64(1)...20 {
      var maker = RandomTree(seed: seed, isExact: false)
      let scene = maker.portalScene(matchesPosition: false, matchesTransform: false)
      let images = try (0..<2).map { _ in
        var tree = try RenderTree(roots: scene.roots)
        return try Stage.shared.draw(
          tree.snapshot(root: scene.roots[0].id), witness, size: PixelSize(width: 192, height: 144), scale: 2)
      }
      #expect(images[0].pixels == images[1].pixels, "seed \(seed)")
    }
  }
}

extension TestLayer {
  /// Whether it or a layer in it leaves the plane.
  fileprivate var isInSpace: Bool {
    let leaves = properties.contains {
      switch $0 {
      case .transform(let matrix), .sublayerTransform(let matrix): !matrix.isAffine2D
      default: false
      }
    }
    return leaves || (sublayers + masks).contains(where: \.isInSpace)
  }

  fileprivate var withoutLenses: TestLayer {
    mapping { layer in
      var layer = layer
      layer.properties.removeAll { if case .lens = $0 { true } else { false } }
      return layer
    }
  }
}

import Commit
import Foundation
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Half floats by both renderers, and by every way of drawing them")
struct HalfFloatAgreementTests {
  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static let scenePaths: [String] = ["bench/scenes", "Tests/Scenes"].flatMap { folder in
    let files = (try? FileManager.default.contentsOfDirectory(atPath: repository.appending(path: folder).path)) ?? []
    return files.filter { $0.hasSuffix(".json") && $0 != "desk.json" }.sorted().map { "\(folder)/\($0)" }
  }

  private static let size = PixelSize(width: 192, height: 144)

  @Test(
    "every scene is the same in GL and in the reference, within its class", arguments: scenePaths,
    ColorEncoding.allCases)
  func scenes(_ path: String, _ blending: ColorEncoding) throws {
    let scene = try SceneFile.read(Self.repository.appending(path: path).path)
    let images = try Backend.allCases.map { backend in
      let renderer = try OffscreenRenderer(size: scene.size, background: scene.background, backend: backend)
      defer { renderer.close() }
      renderer.workingSpace = .rgba16f(blending: blending)
      return try renderer.render(scene.root)
    }
    // As light, what is dark and resampled differs more in codes than it does in the encoded space.
    let isResampled = scene.pictureClass == .resampled && blending == .linear
    let limits = isResampled ? scene.pictureClass.tolerance.or(.perspective) : scene.pictureClass.tolerance
    let comparison = try ImageComparison(expected: images[1], got: images[0])
    #expect(comparison.passes(limits) && comparison.mean < 0.3, "\(comparison)")
  }

  @Test("random scenes of every property are the same in both (seeds 3001…3064)", arguments: ColorEncoding.allCases)
  func randomScenes(_ blending: ColorEncoding) throws {
    for seed in UInt64(3001)...3064 {
      var maker = RandomTree(seed: seed, isExact: seed % 2 == 0)
      let scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: seed % 5 == 0)
      var tree = try RenderTree(roots: scene.roots)
      let snapshot = tree.snapshot(root: scene.roots[0].id)
      let space = WorkingSpace.rgba16f(blending: blending)
      let expected = try Stage.shared.draw(snapshot, .reference, size: Self.size, scale: 2, in: space)
      let got = try Stage.shared.draw(snapshot, .gl, size: Self.size, scale: 2, in: space)
      let comparison = try ImageComparison(expected: expected, got: got)
      #expect(
        comparison.passes(ImageComparison.SceneClass.perspective.tolerance.or(.blur)), "seed \(seed): \(comparison)")
    }
  }

  @Test(
    "switched off, any of what a frame leaves out gives the same bits (seeds 1…40)",
    arguments: ["nocull", "nobatch", "nodamage", "nocopy"], ColorEncoding.allCases)
  func switches(_ name: String, _ blending: ColorEncoding) throws {
    for seed in UInt64(1)...40 {
      var maker = RandomTree(seed: seed, isExact: false)
      let scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: false)
      var tree = try RenderTree(roots: scene.roots)
      let snapshot = tree.snapshot(root: scene.roots[0].id)
      let components = try [[], [name]].map { (names: [String]) in
        var planner = FramePlanner(options: PlanOptions(switches: names))
        let plan = planner.plan(
          snapshot, size: Self.size, scale: 2, background: .clear, in: .rgba16f(blending: blending))
        return try Stage.shared.drawComponents([plan], copies: !names.contains("nocopy"))
      }
      #expect(components[0] == components[1], "seed \(seed)")
    }
  }

  @Test(
    "sequences of random changes give the bits of frames drawn whole (seeds 1…20)", arguments: ColorEncoding.allCases)
  func sequences(_ blending: ColorEncoding) throws {
    let (kept, fresh) = (try Stage(), try Stage())
    defer {
      kept.close()
      fresh.close()
    }
    var partial = 0
    for seed in UInt64(1)...20 {
      var maker = RandomTree(seed: seed, isExact: seed % 2 == 0)
      let scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: seed % 5 == 0)
      var tree = try RenderTree(roots: scene.roots)
      var random = SeededGenerator(seed: seed &* 91)
      let layers = scene.roots.flatMap(Self.all)
      var planner = FramePlanner()
      for step in 0..<6 {
        if step > 0, let layer = layers.randomElement(using: &random) {
          let change: PropertyChange =
            random.oneIn(2)
            ? .position(Point(random.eighth(0...60), random.eighth(0...50)))
            : .backgroundColor(Color(red: Float(step) / 2, green: 0.5, blue: -0.25, alpha: 0.75))
          try tree.apply(Commit([.set(layer, change)]))
        }
        let snapshot = tree.snapshot(root: scene.roots[0].id)
        let plan = planner.plan(
          snapshot, size: Self.size, scale: 2, background: .clear, in: .rgba16f(blending: blending))
        if plan.passes.contains(where: { $0.scissor != nil }) { partial += 1 }
        var whole = FramePlanner()
        let got = try kept.drawComponents([plan])
        let expected = try fresh.drawComponents([
          whole.plan(snapshot, size: Self.size, scale: 2, background: .clear, in: .rgba16f(blending: blending))
        ])
        #expect(got == expected, "seed \(seed), frame \(step)")
        if got != expected { break }
      }
    }
    #expect(partial > 20)
  }

  private static func all(_ layer: TestLayer) -> [LayerID] {
    [layer.id] + (layer.sublayers + layer.masks).flatMap(all)
  }

  @Test(
    "a one-to-one portal is its source to the bit, through a texture, copied or not, and drawn inline",
    arguments: Witness.allCases, ColorEncoding.allCases)
  func portals(_ witness: Witness, _ blending: ColorEncoding) throws {
    let bright = Color(red: 4, green: 0.3, blue: -0.2)
    let source = TestLayer.box(
      500, x: 0, y: 0, 40, 40, color: Color(red: 0.1, green: 0.7, blue: 0.9), [],
      [
        .box(501, x: 4, y: 4, 20, 12, color: bright), .box(502, x: 10, y: 8, 24, 24, color: .white),
        .box(503, x: 12, y: 20, 8, 16, color: bright),
      ])
    var portals: [TestLayer] = []
    for index in 1..<24 {
      let (x, y) = (Double(index % 6 * 48), Double(index / 6 * 48))
      portals.append(.portal(UInt64(600 + index), of: 500, x: x, y: y, 40, 40))
    }
    let ground: TestLayer = .box(
      700, x: 0, y: 0, 288, 192, color: Color(red: 0.2, green: 2, blue: 0.4), [], [source] + portals)
    var tree = try RenderTree(roots: [ground])
    let snapshot = tree.snapshot(root: 700)
    let size = PixelSize(width: 288, height: 192)
    let space = WorkingSpace.rgba16f(blending: blending)
    let image = try Stage.shared.draw(snapshot, witness, size: size, in: space)
    let components = try #require(image.components)
    func cell(_ index: Int) -> [Float] {
      let (x, y) = (index % 6 * 48, index / 6 * 48)
      var values: [Float] = []
      for row in y..<y + 48 {
        let first: Int = (row * size.width + x) * 4
        values += components[first..<first + 48 * 4]
      }
      return values
    }
    for index in 1..<24 { #expect(cell(index) == cell(0), "portal \(index)") }
    #expect(cell(0).max() ?? 0 >= 4 && cell(0).min() ?? 0 < 0)
    guard witness == .gl else { return }
    for (name, copies) in [("nocache", true), ("", false), ("", true)] {
      var planner = FramePlanner(options: PlanOptions(switches: [name]))
      let plan = planner.plan(snapshot, size: size, scale: 1, background: .clear, in: space)
      #expect(plan.counters.sourcesDrawn == (name == "nocache" ? 0 : 1))
      #expect(try Stage.shared.drawComponents([plan], copies: copies) == components, "\(name), \(copies)")
    }
  }
}

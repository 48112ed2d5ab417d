import Commit
import Foundation
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("GL equals the reference")
struct RendererAgreementTests {
  /// How many random scenes there are; the seed of each is its number. `SCENES` asks for more, `FIRST` for others.
  private static let scenes = wanted("SCENES") ?? 2000
  private static let first = UInt64(wanted("FIRST") ?? 1)
  private static let parts = 16

  private static let isOneWanted = ProcessInfo.processInfo.environment["SEED"] != nil

  private static func wanted(_ name: String) -> Int? { ProcessInfo.processInfo.environment[name].flatMap { Int($0) } }

  @Test(
    "on 2,000 random scenes of every property mixed, each within the class of what it holds (seeds 1…2000)",
    arguments: 0..<RendererAgreementTests.parts)
  func randomScenes(_ part: Int) throws {
    let share = UInt64((Self.scenes + Self.parts - 1) / Self.parts)
    let start = Self.first + UInt64(part) * share
    for seed in start..<min(start + share, Self.first + UInt64(Self.scenes)) {
      let scene = RandomScene(seed: seed, drawings: RandomDrawings.of(seed: seed))
      let agreement = Agreement(time: scene.time, limits: .of(scene.traits))
      guard let comparison = try agreement.fault(in: scene.roots) else { continue }
      let smallest = shrunk(scene.roots, while: agreement.fails)
      Issue.record(
        "seed \(seed) at \(scene.time) s: \(comparison)\nsmallest: \(smallest.map { $0.outline() }.joined())")
    }
  }

  @Test("of the seed that SEED names, as files in OUT", .enabled(if: isOneWanted))
  func oneScene() throws {
    for seed in (ProcessInfo.processInfo.environment["SEED"] ?? "").split(separator: ",").compactMap({ UInt64($0) }) {
      let scene = RandomScene(seed: seed, drawings: RandomDrawings.of(seed: seed))
      let agreement = Agreement(time: scene.time, limits: .of(scene.traits))
      func write(_ roots: [TestLayer], _ name: String) throws {
        print("\(name) at \(scene.time) s:\n\(roots.map { $0.outline() }.joined())")
        let pictures = try agreement.pictures(of: roots)
        let comparison = try ImageComparison(expected: pictures.expected, got: pictures.got)
        print("\(name): \(comparison)")
        print("\(name) in half floats: \(try agreement.comparison(of: roots, in: .rgba16f(blending: .encoded)))")
        let folder = ProcessInfo.processInfo.environment["OUT"] ?? "."
        try PNG.write(pictures.expected, to: "\(folder)/\(name)-reference.png")
        try PNG.write(pictures.got, to: "\(folder)/\(name)-gl.png")
        if let image = try ImageComparison.difference(expected: pictures.expected, got: pictures.got) {
          try PNG.write(image, to: "\(folder)/\(name)-difference.png")
        }
      }
      try write(scene.roots, "\(seed)")
      if agreement.fails(scene.roots) { try write(shrunk(scene.roots, while: agreement.fails), "\(seed)-smallest") }
    }
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

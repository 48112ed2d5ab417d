import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("A portal is a copy of its source's subtree")
struct PortalEqualsCopyTests {
  static let modes: [(position: Bool, transform: Bool)] = [(false, false), (true, false), (false, true), (true, true)]

  @Test(
    "in the reference renderer to the last bit, on 125 random trees in each mode (seeds 1…500)",
    arguments: PortalEqualsCopyTests.modes.indices)
  func exact(_ mode: Int) throws {
    let (position, transform) = Self.modes[mode]
    let size = PixelSize(width: 96, height: 72)
    var shown = 0
    for seed in UInt64(mode * 125 + 1)...UInt64(mode * 125 + 125) {
      // A picture laid exactly on its source is placed by the source's own matrix, and the copy by a product that is
      // the same only in exact numbers.
      var maker = RandomTree(seed: seed, isExact: position && transform)
      let scene = maker.portalScene(matchesPosition: position, matchesTransform: transform)
      var tree = try RenderTree(roots: scene.roots)
      let snapshot = tree.snapshot(root: scene.roots[0].id)
      var copied = try RenderTree(roots: scene.replacingPortalByCopy(snapshot))
      let expected = try Stage.shared.draw(
        copied.snapshot(root: scene.roots[0].id), .reference, size: size, background: .clear)
      let got = try Stage.shared.draw(snapshot, .reference, size: size, background: .clear)
      let difference = Difference(expected, got)
      #expect(difference.isNone, "seed \(seed): \(difference)")
      if snapshot.portal(scene.portal.rawValue)?.source ?? -1 >= 0 { shown += 1 }
    }
    // The test would prove nothing if the portals were empty.
    #expect(shown > 100)
  }

  @Test(
    "in GL within the class of resampled pictures, on random trees of every transform (seeds 1001…1120)",
    arguments: PortalEqualsCopyTests.modes.indices)
  func resampled(_ mode: Int) throws {
    let (position, transform) = Self.modes[mode]
    let size = PixelSize(width: 192, height: 144)
    for seed in UInt64(1001 + mode * 30)...UInt64(1030 + mode * 30) {
      var maker = RandomTree(seed: seed, isExact: false)
      let scene = maker.portalScene(matchesPosition: position, matchesTransform: transform)
      var tree = try RenderTree(roots: scene.roots)
      let snapshot = tree.snapshot(root: scene.roots[0].id)
      var copied = try RenderTree(roots: scene.replacingPortalByCopy(snapshot))
      let expected = try Stage.shared.draw(copied.snapshot(root: scene.roots[0].id), .gl, size: size, scale: 2)
      let got = try Stage.shared.draw(snapshot, .gl, size: size, scale: 2)
      let comparison = try ImageComparison(expected: expected, got: got)
      #expect(comparison.passes(.resampled), "seed \(seed): \(comparison)")
    }
  }
}

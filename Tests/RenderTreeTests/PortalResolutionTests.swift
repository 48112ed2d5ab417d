import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Where portals show their source")
struct PortalResolutionTests {
  /// A source at (10, 20) turned by a quarter, and a portal at (100, 50) in a parent scaled by two.
  private func tree(_ properties: PropertyChange...) throws -> RenderTree {
    try RenderTree(
      .box(
        1, x: 0, y: 0, 400, 300, [],
        [
          TestLayer(
            2, .layer,
            [
              .bounds(Rect(x: 4, y: 6, width: 40, height: 20)), .position(Point(30, 40)),
              .transform(Transform3D(m11: 0, m12: 1, m21: -1, m22: 0)), .opacity(0.5),
            ]),
          .box(
            3, x: 0, y: 0, 200, 100, [.transform(.scale(x: 2, y: 2))],
            [
              .portal(4, of: 2, x: 50, y: 25, 30, 30, properties)
            ]),
        ]))
  }

  private func place(_ p: Point, _ tree: RenderTree) throws -> Point {
    var tree = tree
    let snapshot = tree.snapshot(root: 1)
    let portal = try #require(snapshot.portal(4))
    let node = try #require(snapshot.node(4))
    return try #require((portal.matrix * node.window).apply(p))
  }

  @Test("unmatched, the source's bounds origin lies at the portal's local zero, on its plane")
  func unmatched() throws {
    // The portal's local zero in the window: its parent is scaled by two about (100, 50).
    #expect(try place(Point(4, 6), tree()) == Point(0, 0))
    #expect(try place(Point(14, 6), tree()) == Point(20, 0))
  }

  @Test("sourceRect's origin takes the bounds origin's place, a negative size being turned about")
  func sourceRect() throws {
    #expect(try place(Point(10, 10), tree(.sourceRect(Rect(x: 10, y: 10, width: 5, height: 5)))) == Point(0, 0))
    #expect(try place(Point(10, 10), tree(.sourceRect(Rect(x: 15, y: 15, width: -5, height: -5)))) == Point(0, 0))
  }

  @Test("matching the position alone puts the source's anchor where it is, turned and scaled as the portal")
  func position() throws {
    #expect(try place(Point(24, 16), tree(.matchesPosition(true))) == Point(30, 40))
    #expect(try place(Point(25, 16), tree(.matchesPosition(true))) == Point(32, 40))
  }

  @Test("matching the transform alone turns the picture as the source is, with its anchor where unmatched puts it")
  func transform() throws {
    let tree = try tree(.matchesTransform(true))
    let unmatched = try place(Point(24, 16), self.tree())
    #expect(try place(Point(24, 16), tree) == unmatched)
    // One point along the source's x runs one pixel down the window, whatever the portal's scale.
    let along = try place(Point(25, 16), tree)
    #expect(along == Point(unmatched.x, unmatched.y + 1))
  }

  @Test("matching both lays the picture on the source")
  func both() throws {
    var tree = try tree(.matchesPosition(true), .matchesTransform(true))
    let snapshot = tree.snapshot(root: 1)
    let source = try #require(snapshot.node(2))
    #expect(snapshot.portal(4)?.usesSourceWindow == true)
    for p in [Point(4, 6), Point(44, 26), Point(24, 16)] {
      #expect(try place(p, tree) == source.window.apply(p))
    }
  }

  @Test("matchesOpacity gives the content the source's own opacity, times its scale, and the portal keeps its own")
  func opacity() throws {
    var plain = try tree(.opacity(0.5))
    #expect(plain.snapshot(root: 1).portal(4)?.contentOpacity == 1)
    var matched = try tree(.opacity(0.5), .matchesOpacity(true))
    #expect(matched.snapshot(root: 1).portal(4)?.contentOpacity == 0.5)
    #expect(matched.snapshot(root: 1).node(4)?.opacity == 0.5)
    var scaled = try tree(.matchesOpacity(true), .sourceLayerOpacityScale(0.5))
    #expect(scaled.snapshot(root: 1).portal(4)?.contentOpacity == 0.25)
  }

  @Test("a source that stands in no drawn tree is shown unmatched")
  func detachedSource() throws {
    var tree = try RenderTree(roots: [
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .portal(2, of: 9, x: 10, y: 10, 50, 50, [.matchesPosition(true), .matchesTransform(true)])
        ]),
      .box(8, x: 0, y: 0, 10, 10, [.isHidden(true)], [.box(9, x: 70, y: 70, 5, 5, color: .black)]),
    ])
    let snapshot = tree.snapshot(root: 1)
    let portal = try #require(snapshot.portal(2))
    #expect(portal.source >= 0)
    #expect(portal.matrix == .identity)
    #expect(!portal.usesSourceWindow)
  }

  @Test("hidesSourceLayer hides from the very commit on, while a portal that is drawn asks for it")
  func hiding() throws {
    var tree = try tree(.hidesSourceLayer(true))
    #expect(tree.snapshot(root: 1).node(2)?.flags.contains(.hiddenByPortal) == true)
    // A portal in no drawn tree hides nothing.
    try tree.set(3, .isHidden(true))
    #expect(tree.snapshot(root: 1).node(2)?.flags.contains(.hiddenByPortal) == false)
    try tree.set(3, .isHidden(false))
    try tree.set(4, .hidesSourceLayer(false))
    #expect(tree.snapshot(root: 1).node(2)?.flags.contains(.hiddenByPortal) == false)
  }

  @Test("hidesSourceLayerInOtherPortals leaves the others empty")
  func hidingInOthers() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 10, 10), .portal(3, of: 2, x: 0, y: 0, 9, 9),
          .portal(4, of: 2, x: 0, y: 0, 9, 9, [.hidesSourceLayerInOtherPortals(true)]),
        ]))
    #expect(tree.snapshot(root: 1).portal(3)?.source == -1)
    #expect((tree.snapshot(root: 1).portal(4)?.source ?? -1) >= 0)
    try tree.set(4, .hidesSourceLayerInOtherPortals(false))
    #expect((tree.snapshot(root: 1).portal(3)?.source ?? -1) >= 0)
  }

  @Test("isHidden of the source empties its portals, of the source's parent does not")
  func hiddenSource() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(5, x: 0, y: 0, 50, 50, [.isHidden(true)], [.box(2, x: 0, y: 0, 10, 10)]),
          .portal(3, of: 2, x: 0, y: 0, 9, 9),
        ]))
    #expect((tree.snapshot(root: 1).portal(3)?.source ?? -1) >= 0)
    try tree.set(2, .isHidden(true))
    #expect(tree.snapshot(root: 1).portal(3)?.source == -1)
  }

  @Test("a weak source leaves its portals empty in the next frame, a retained one goes on")
  func lifetime() throws {
    for lifetime in SourceLifetime.allCases {
      var tree = try RenderTree(
        .box(
          1, x: 0, y: 0, 100, 100, [],
          [
            .box(2, x: 0, y: 0, 10, 10), .portal(3, of: 2, x: 0, y: 0, 9, 9, [.sourceLifetime(lifetime)]),
          ]))
      try tree.apply(Commit([.release(LayerID(rawValue: 2))]))
      #expect((tree.snapshot(root: 1).portal(3)?.source ?? -1) >= 0 ? lifetime == .retained : lifetime == .weak)
      try tree.apply(Commit([.release(LayerID(rawValue: 3))]))
      #expect(tree.layerCount == 1)
      #expect(tree.invariantViolations() == [])
    }
  }

  @Test("a source moved to another parent keeps its portals, with nothing set again")
  func reparenting() throws {
    var tree = try tree()
    try tree.apply(Commit([.insert(LayerID(rawValue: 2), into: LayerID(rawValue: 3), at: 0)]))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.portal(4)?.source == snapshot.index(of: LayerID(rawValue: 2)))
  }
}

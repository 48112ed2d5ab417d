import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Portals that override what their source's layers have")
struct OverrideTests {
  private func override(_ path: String, _ property: PropertyChange) throws -> PortalOverride {
    try #require(PortalOverride(path, property))
  }

  private func tree(_ overrides: [PortalOverride], second: [PortalOverride] = []) throws -> RenderTree {
    let source = TestLayer.box(
      2, x: 0, y: 0, 40, 40, color: .white, [],
      [
        .box(3, x: 0, y: 0, 10, 10, color: .black, [.name("card")], [.box(4, x: 0, y: 0, 5, 5, [.name("shadow")])]),
        .box(5, x: 0, y: 0, 10, 10, color: .black, [.name("other")]),
      ])
    return try RenderTree(
      .box(
        1, x: 0, y: 0, 200, 200, [],
        [
          source, .portal(6, of: 2, x: 50, y: 0, 40, 40, [.overrides(overrides)]),
          .portal(7, of: 2, x: 100, y: 0, 40, 40, [.overrides(second)]),
        ]))
  }

  @Test("a path leads from the source to a layer by names and masks")
  func paths() throws {
    #expect(PortalOverride("", .opacity(1))?.path == [])
    #expect(
      PortalOverride("sublayers.card.mask.sublayers.a b", .opacity(1))?.path == [
        .sublayer("card"), .mask, .sublayer("a b"),
      ])
    for bad in ["card", "sublayers", "sublayers.", "mask.", "sublayers.a.b", ".mask"] {
      #expect(PortalOverride(bad, .opacity(1)) == nil, "\(bad)")
    }
    let override = try override("sublayers.card.sublayers.shadow", .opacity(0.5))
    #expect(override.keyPath == "sublayers.card.sublayers.shadow")
  }

  @Test("the portal shows a copy with the values; source and other portals stay as they are")
  func copies() throws {
    var tree = try tree([
      override("", .backgroundColor(.black)), override("sublayers.card.sublayers.shadow", .isHidden(true)),
      override("sublayers.nobody", .isHidden(true)), override("sublayers.card", .cornerRadius(4)),
    ])
    let snapshot = tree.snapshot(root: 1)
    let copy = try #require(snapshot.portal(6)?.source)
    let original = try #require(snapshot.index(of: LayerID(rawValue: 2)))
    #expect(snapshot.portal(7)?.source == original && copy != original)
    let (a, b) = (snapshot.nodes[Int(original)], snapshot.nodes[Int(copy)])
    #expect(a.backgroundColor == Color.white.premultiplied && b.backgroundColor == Color.black.premultiplied)
    let nodes = snapshot.nodes[Int(copy)..<Int(b.end)]
    #expect(nodes.map(\.layer.rawValue) == [2, 3, 4, 5] && nodes.map(\.isHidden) == [false, false, true, false])
    #expect(nodes.map(\.radii.largest) == [0, 4, 0, 0])
    #expect(snapshot.node(4)?.isHidden == false && snapshot.node(3)?.radii.largest == 0)
    // And the tree is as it was.
    try tree.set(6, .overrides([]))
    #expect(tree.snapshot(root: 1).portal(6)?.source == original && tree.invariantViolations() == [])
  }

  @Test("portals of one source with equal overrides share a copy, others do not")
  func shared() throws {
    let value = try [override("sublayers.card", .isHidden(true))]
    var tree = try tree(value, second: value)
    var snapshot = tree.snapshot(root: 1)
    #expect(snapshot.portal(6)?.source == snapshot.portal(7)?.source)
    try tree.set(7, .overrides([override("sublayers.other", .isHidden(true))]))
    snapshot = tree.snapshot(root: 1)
    #expect(snapshot.portal(6)?.source != snapshot.portal(7)?.source)
  }

  @Test("what can't be overridden, is too much or out of range is refused with the portal and the property")
  func refused() throws {
    var tree = try tree([])
    func refuse(_ overrides: [PortalOverride], _ code: CommitError.Code = .outOfRange) {
      let error = #expect(throws: CommitError.self) { try tree.set(6, .overrides(overrides)) }
      #expect(error?.code == code && error?.layer.rawValue == 6 && error?.property == "overrides")
    }
    refuse([PortalOverride(.isSecure(false))])
    refuse([PortalOverride(.mask(nil))])
    refuse([PortalOverride(.sourceLayer(LayerID(rawValue: 1)))])
    refuse([PortalOverride(.overrides([]))])
    refuse([PortalOverride(.cornerRadius(-1))])
    refuse([PortalOverride(.cornerRadius(.nan))], .notFinite)
    refuse(Array(repeating: PortalOverride(.opacity(1)), count: 1025))
    refuse([PortalOverride(path: Array(repeating: .mask, count: 65), .opacity(1))])
    let error = #expect(throws: CommitError.self) { try tree.set(2, .overrides([])) }
    #expect(error?.code == .notAPortal)
  }

  @Test("hiding is of the source, whichever copy a portal shows")
  func hiding() throws {
    var tree = try tree([override("sublayers.card", .isHidden(true))])
    try tree.set(6, .hidesSourceLayer(true), .hidesSourceLayerInOtherPortals(true))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.node(2)?.flags.contains(.hiddenByPortal) == true)
    #expect(snapshot.portal(6)?.source ?? -1 >= 0 && snapshot.portal(7)?.source == -1)
  }

  @Test("a portal that overrides what it stands in ends")
  func recursive() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 200, 200, [],
        [.portal(2, of: 1, x: 50, y: 0, 40, 40, [.overrides([PortalOverride(.backgroundColor(.black))])])]))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.portals.count == 2 && snapshot.portals.allSatisfy { $0.source == 2 })
    #expect(snapshot.portals[1].isRecursive && snapshot.diagnostics.count == 1)
  }

  @Test("copies of more layers than a frame may have show nothing, with one word about it each")
  func bounded() throws {
    let many = (0..<2000).map { TestLayer(UInt64(1000 + $0)) }
    let portals = (0..<80).map { index in
      TestLayer.portal(
        UInt64(100 + index), of: 2, x: 0, y: 0, 5, 5, [.overrides([PortalOverride(.cornerRadius(Double(index)))])])
    }
    var tree = try RenderTree(.box(1, x: 0, y: 0, 9, 9, [], [TestLayer(2, .layer, [], many)] + portals))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.nodes.count < 140_000 && !snapshot.diagnostics.isEmpty)
    #expect(snapshot.portal(100)?.source ?? -1 >= 0 && snapshot.portal(179)?.source == -1)
  }
}

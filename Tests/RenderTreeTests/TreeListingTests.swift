import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("A tree as the commit that makes it")
struct TreeListingTests {
  /// All that a snapshot shows, but for the count of commits.
  private func picture(_ tree: inout RenderTree, root: LayerID) -> String {
    let snapshot = tree.snapshot(root: root)
    let images = snapshot.images.map(\.identity)
    return "\(snapshot.nodes)\n\(snapshot.portals)\n\(images)\n\(snapshot.gradients)\n\(snapshot.effects)"
  }

  @Test("a tree made of another's listing shows the same and has the same listing", arguments: 1...30)
  func random(seed: UInt64) throws {
    var maker = RandomTree(seed: seed, isExact: seed % 2 == 0)
    let scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: seed % 5 == 0)
    var tree = try RenderTree(roots: scene.roots)
    let root = scene.roots[0].id
    var copy = RenderTree()
    try copy.apply(tree.listing)
    #expect(picture(&copy, root: root) == picture(&tree, root: root), "seed \(seed)")
    #expect("\(copy.listing)" == "\(tree.listing)", "seed \(seed)")
    #expect(copy.invariantViolations() == [])
  }

  private static let portalProperties: [PropertyChange] = [
    .sourceLayer(LayerID(rawValue: 2)), .hidesSourceLayer(true), .hidesSourceLayerInOtherPortals(true),
    .matchesPosition(true), .matchesTransform(true), .matchesOpacity(true), .sourceLayerOpacityScale(0.5),
    .sourceRect(Rect(x: 1, y: 2, width: 3, height: 4)), .recursion(.depth(3)), .sampling(.nearest),
    .sourceLifetime(.retained), .forwardsHitTestingToSource(true),
    .allowsBackdropGroups(true), .overrides([PortalOverride(.opacity(0.5))]),
  ]
  private static let layerProperties: [PropertyChange] = [
    .bounds(Rect(x: 1, y: 2, width: 3, height: 4)), .position(Point(5, 6)), .zPosition(7), .anchorPoint(Point(0, 1)),
    .anchorPointZ(2), .transform(.scale(x: 2, y: 3)), .sublayerTransform(.scale(x: 3, y: 2)), .isDoubleSided(false),
    .isHidden(true), .opacity(0.5), .allowsGroupOpacity(false), .masksToBounds(true),
    .backgroundColor(Color(red: 0.25, green: 0.5, blue: 1, alpha: 0.5)), .cornerRadius(4), .maskedCorners(.topLeft),
    .borderWidth(2), .borderColor(Color(red: 1, green: 0.5, blue: 0.25, alpha: 0.25)),
    .contentsRect(Rect(x: 0, y: 0, width: 0.5, height: 1)), .contentsGravity(.bottomLeft), .contentsScale(2),
    .magnificationFilter(.nearest), .shadow(Shadow(radius: 2)), .filters([.invert(1)]), .allowsHitTesting(false),
    .mask(LayerID(rawValue: 3)), .blendMode(.multiply), .lens(Lens(rim: 4)), .sortsSublayersByDepth(false),
    .backdropFilters([.sepia(1)]),
    .backdropGroup("glass"), .name("pane"), .snapsToPixels(true), .allowsEdgeAntialiasing(false),
    .edgeAntialiasingMask(.left), .isSecure(true), .contentsCenter(Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)),
    .minificationFilter(.nearest), .replication(Replication(instanceCount: 3)),
  ]

  @Test("each property that was set is in it, with its very value")
  func properties() throws {
    for property in Self.layerProperties + Self.portalProperties {
      var tree = try RenderTree(roots: [TestLayer(1, .portal), TestLayer(2), TestLayer(3)])
      #expect(tree.properties(of: LayerID(rawValue: 1)).isEmpty)
      try tree.set(1, property)
      #expect(tree.properties(of: LayerID(rawValue: 1)) == [property])
    }
    #expect(RenderTree().properties(of: LayerID(rawValue: 9)).isEmpty)
  }

  @Test("what only a portal keeps is in it, let go of")
  func retained() throws {
    var tree = try RenderTree(roots: [TestLayer(1, .portal), TestLayer(2)])
    try tree.set(1, .sourceLayer(LayerID(rawValue: 2)), .sourceLifetime(.retained))
    try tree.apply(Commit([.release(LayerID(rawValue: 2))]))
    var copy = RenderTree()
    try copy.apply(tree.listing)
    #expect(copy.layerCount == 2 && copy.invariantViolations() == [])
    try copy.set(1, .sourceLayer(nil))
    #expect(copy.layerCount == 1)
  }

  @Test("what moves is in it with its own values, and moves on in the copy as it would have")
  func moving() throws {
    var tree = try RenderTree(roots: [TestLayer(1)])
    try tree.set(1, .position(Point(3, 4)))
    tree.advance(to: 10)
    let path = try #require(AnimationKeyPath("opacity"))
    let animation = Animation(
      PropertyAnimation(path, .basic(.init(from: .number(1), to: .number(0)))), timing: AnimationTiming(duration: 4))
    try tree.apply(Commit([.addAnimation(LayerID(rawValue: 1), key: "fade", animation)]))
    tree.advance(to: 11)
    var copy = RenderTree()
    copy.advance(to: 11)
    try copy.apply(tree.listing)
    #expect(copy.properties(of: LayerID(rawValue: 1)) == tree.properties(of: LayerID(rawValue: 1)))
    for time in [12.0, 13, 15] {
      tree.advance(to: time)
      copy.advance(to: time)
      #expect(picture(&copy, root: LayerID(rawValue: 1)) == picture(&tree, root: LayerID(rawValue: 1)), "at \(time)")
    }
  }
}

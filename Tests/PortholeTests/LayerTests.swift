import Commit
import Geometry
import Porthole
import Testing

@Suite("Layers")
struct LayerTests {
  @Test("a layer starts with Core Animation's defaults")
  func defaults() {
    let layer = Layer()
    #expect(layer.bounds == .zero && layer.position == .zero && layer.zPosition == 0)
    #expect(layer.anchorPoint == Point(0.5, 0.5) && layer.anchorPointZ == 0)
    #expect(layer.transform.isIdentity && layer.sublayerTransform.isIdentity)
    #expect(layer.isDoubleSided && !layer.isHidden && layer.opacity == 1 && layer.allowsGroupOpacity)
    #expect(!layer.masksToBounds && layer.backgroundColor == .clear)
    #expect(layer.cornerRadius == 0 && layer.maskedCorners == .all)
    #expect(layer.borderWidth == 0 && layer.borderColor == .black)
    #expect(layer.contents == nil && layer.contentsRect == Rect(x: 0, y: 0, width: 1, height: 1))
    #expect(layer.contentsGravity == .resize && layer.contentsScale == 1 && layer.magnificationFilter == .linear)
    #expect(layer.allowsHitTesting && layer.sublayers.isEmpty && layer.superlayer == nil && layer.name == nil)
  }

  @Test("a portal starts with all Booleans off and a scale of 1")
  func portalDefaults() {
    let portal = PortalLayer()
    #expect(portal.sourceLayer == nil && !portal.hidesSourceLayer && !portal.hidesSourceLayerInOtherPortals)
    #expect(!portal.matchesPosition && !portal.matchesTransform && !portal.matchesOpacity)
    #expect(portal.sourceLayerOpacityScale == 1 && portal.sourceRect == nil && portal.recursion == .none)
    #expect(portal.sampling == .automatic && portal.sourceLifetime == .weak && !portal.forwardsHitTestingToSource)
  }

  @Test("a gradient runs from top to bottom, its colours evenly")
  func gradientDefaults() throws {
    let layer = GradientLayer()
    #expect(layer.gradient == nil && layer.startPoint == Point(0.5, 0) && layer.endPoint == Point(0.5, 1))
    layer.colors = [.black, .white, .clear]
    #expect(try #require(layer.gradient).stops.map(\.location) == [0, 0.5, 1])
    layer.locations = [0.5, 0.25, 0.75]
    #expect(try #require(layer.gradient).stops.map(\.location) == [0.5, 0.5, 0.75])
    layer.locations = [0.5]
    #expect(try #require(layer.gradient).stops.map(\.location) == [0, 0.5, 1])
  }

  @Test("setting a frame sets position and size and leaves the bounds' origin")
  func frame() {
    let layer = Layer()
    layer.bounds = Rect(x: 7, y: 8, width: 1, height: 1)
    layer.anchorPoint = Point(0, 1)
    layer.frame = Rect(x: 10, y: 20, width: 30, height: 40)
    #expect(layer.bounds == Rect(x: 7, y: 8, width: 30, height: 40))
    #expect(layer.position == Point(10, 60))
    #expect(layer.frame == Rect(x: 10, y: 20, width: 30, height: 40))
  }

  @Test("the frame of a scaled layer is the rectangle around it")
  func transformedFrame() {
    let layer = Layer()
    layer.frame = Rect(x: 10, y: 10, width: 20, height: 40)
    layer.transform = .scale(x: 2, y: 0.5)
    #expect(layer.frame == Rect(x: 0, y: 20, width: 40, height: 20))
  }

  @Test("sublayers stand where they were put, and an index past an end is that end")
  func insertion() {
    let (root, a, b, c) = (Layer(), Layer(), Layer(), Layer())
    root.addSublayer(a)
    root.insertSublayer(b, at: -5)
    root.insertSublayer(c, at: 1)
    #expect(root.sublayers.map(\.id) == [b.id, c.id, a.id])
    root.insertSublayer(b, at: 99)
    #expect(root.sublayers.map(\.id) == [c.id, a.id, b.id])
    root.insertSublayer(b, above: c)
    #expect(root.sublayers.map(\.id) == [c.id, b.id, a.id])
    root.insertSublayer(a, below: c)
    #expect(root.sublayers.map(\.id) == [a.id, c.id, b.id])
    c.removeFromSuperlayer()
    #expect(root.sublayers.map(\.id) == [a.id, b.id] && c.superlayer == nil)
  }

  @Test("a layer moves from one parent to another")
  func moving() {
    let (first, second, child) = (Layer(), Layer(), Layer())
    first.addSublayer(child)
    second.addSublayer(child)
    #expect(first.sublayers.isEmpty && second.sublayers.first === child && child.superlayer === second)
  }

  @Test("a layer is not put into itself or below itself")
  func cycles() {
    let (top, middle, leaf) = (Layer(), Layer(), Layer())
    top.addSublayer(middle)
    middle.addSublayer(leaf)
    #expect(!top.addSublayer(top))
    #expect(!leaf.addSublayer(top))
    #expect(!leaf.insertSublayer(middle, at: 0))
    #expect(top.superlayer == nil && leaf.sublayers.isEmpty && middle.superlayer === top)
  }
}

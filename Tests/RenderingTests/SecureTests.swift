import Commit
import FramePlan
import Geometry
import Porthole
import ReferenceRenderer
import RenderTree
import TestSupport
import Testing

@Suite("Secure layers")
struct SecureTests {
  private let size = PixelSize(width: 128, height: 96)

  /// A secure layer with something in it, 40 × 30 points at (8, 8), in a scene that brings it out by every way there is.
  private func scene(secret: [TestLayer], _ own: [PropertyChange]) -> [TestLayer] {
    let secure = TestLayer.box(
      10, x: 8, y: 8, 40, 30, [.isSecure(true), .cornerRadius(6)] + own, [.box(11, x: 2, y: 2, 20, 20, [], secret)])
    let group = TestLayer.box(
      2, x: 0, y: 0, 60, 44, color: .white,
      [.shadow(Shadow(radius: 3, offset: Point(4, 4))), .filters([.gaussianBlur(radius: 1)]), .opacity(0.9)], [secure])
    var mask = TestLayer.box(30, x: 0, y: 0, 30, 30, [], [.portal(31, of: 10, x: 0, y: 0, 30, 30)])
    mask.properties.append(.cornerRadius(3))
    // So many small ones that they share a texture with mip levels.
    let thumbnails = (0..<12).map { index -> TestLayer in
      let turn = Transform3D.rotation(angle: Double(index) * 0.3) * .scale(x: 0.3, y: 0.3)
      return .portal(UInt64(40 + index), of: 2, x: Double(index * 9), y: 60, 40, 30, [.transform(turn)])
    }
    return [
      .box(
        1, x: 0, y: 0, 128, 96, color: .white, [],
        [
          group,
          // Of the layer, of what lies in it, and with other values.
          .portal(20, of: 10, x: 64, y: 0, 40, 30), .portal(21, of: 11, x: 64, y: 32, 20, 20),
          .portal(22, of: 12, x: 90, y: 32, 20, 20),
          .portal(23, of: 2, x: 90, y: 50, 40, 30, [.overrides([PortalOverride(.opacity(0.5))])]),
          TestLayer.box(24, x: 100, y: 64, 30, 30, color: .black).masked(by: mask),
          .portal(25, of: 1, x: 96, y: 0, 32, 24, [.recursion(.previousFrame), .transform(.scale(x: 0.25, y: 0.25))]),
        ] + thumbnails)
    ]
  }

  private func secrets() -> [([TestLayer], [PropertyChange])] {
    let pixels = (0..<16 * 16 * 4).map { UInt8(truncatingIfNeeded: $0 &* 37) }
    let image = Image(size: PixelSize(width: 16, height: 16), alpha: .straight, pixels: pixels)
    return [
      ([.box(12, x: 0, y: 0, 12, 12)], []),
      (
        [.box(12, x: 0, y: 0, 12, 12, color: .black, [], [.box(13, x: -30, y: -20, 90, 90, color: .black)])],
        [
          .contents(image), .borderWidth(3), .filters([.invert(1), .gaussianBlur(radius: 4)]),
          .shadow(Shadow(radius: 6)), .backgroundColor(Color(red: 1, green: 0, blue: 0)), .masksToBounds(true),
        ]
      ),
    ]
  }

  @Test(
    "not one bit of what is in them gets out, by any portal, group, mask, texture or frame before",
    arguments: Witness.allCases)
  func nothingLeaks(_ witness: Witness) throws {
    var frames: [[UInt8]] = []
    for (layers, own) in secrets() {
      var tree = try RenderTree(roots: scene(secret: layers, own))
      frames.append(try twoFrames(&tree, witness, showsSecure: false))
    }
    #expect(frames[0] == frames[1])
    // The same scenes do differ where the output is secure: else the test would prove nothing.
    var open: [[UInt8]] = []
    for (layers, own) in secrets() {
      var tree = try RenderTree(roots: scene(secret: layers, own))
      open.append(try twoFrames(&tree, witness, showsSecure: true))
    }
    #expect(open[0] != open[1] && open[1] != frames[1])
  }

  private func twoFrames(_ tree: inout RenderTree, _ witness: Witness, showsSecure: Bool) throws -> [UInt8] {
    var painter = Painter(witness, size)
    _ = try painter.draw(tree.snapshot(root: LayerID(rawValue: 1), showsSecure: showsSecure))
    try tree.set(1, .borderWidth(1))
    return try painter.draw(tree.snapshot(root: LayerID(rawValue: 1), showsSecure: showsSecure))
  }

  @Test("the placeholder is grey, opaque, and of the layer's shape", arguments: Witness.allCases)
  func placeholder(_ witness: Witness) throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 128, 96, color: .white, [],
        [
          .box(
            2, x: 10, y: 10, 40, 40, color: Color(red: 1, green: 0, blue: 0), [.isSecure(true), .cornerRadius(12)],
            [.box(3, x: 30, y: 0, 40, 10, color: .black)])
        ]))
    let image = try Stage.shared.draw(tree.snapshot(root: 1), witness, size: size)
    #expect(image.pixel(30, 30) == [128, 128, 128, 255])
    #expect(image.pixel(10, 10) == [255, 255, 255, 255] && image.pixel(60, 15) == [255, 255, 255, 255])
    let plain = TestLayer.box(
      2, x: 10, y: 10, 40, 40, color: Color(red: 0.5, green: 0.5, blue: 0.5), [.cornerRadius(12)])
    var other = try RenderTree(.box(1, x: 0, y: 0, 128, 96, color: .white, [], [plain]))
    #expect(try Stage.shared.draw(other.snapshot(root: 1), witness, size: size).pixels == image.pixels)
  }

  @Test(
    "what was shown before, by a secure output or while it was no secret, does not come back",
    arguments: Witness.allCases)
  func history(_ witness: Witness) throws {
    let secret = TestLayer.box(2, x: 0, y: 0, 64, 96, color: Color(red: 1, green: 0, blue: 0))
    let mirror = TestLayer.portal(
      3, of: 1, x: 64, y: 0, 64, 96, [.recursion(.previousFrame), .transform(.scale(x: 0.5, y: 0.5))])
    for wasSecure in [true, false] {
      var tree = try RenderTree(.box(1, x: 0, y: 0, 128, 96, color: .black, [], [secret, mirror]))
      var painter = Painter(witness, size)
      if wasSecure { try tree.set(2, .isSecure(true)) }
      for _ in 0..<2 {
        _ = try painter.draw(tree.snapshot(root: LayerID(rawValue: 1), showsSecure: true))
        try tree.set(1, .borderWidth(0))
      }
      try tree.set(2, .isSecure(true))
      for _ in 0..<2 {
        let pixels = try painter.draw(tree.snapshot(root: 1))
        let isRed = stride(from: 0, to: pixels.count, by: 4).contains { pixels[$0] > pixels[$0 + 1] }
        #expect(!isRed, "\(wasSecure)")
        try tree.set(1, .borderWidth(0))
      }
    }
  }

  @Test("what a portal in a secure layer hides stays hidden")
  func hiding() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 128, 96, color: .white, [],
        [
          .box(2, x: 0, y: 0, 20, 20, color: .black),
          .box(
            3, x: 40, y: 0, 20, 20, [.isSecure(true)],
            [.portal(4, of: 2, x: 0, y: 0, 20, 20, [.hidesSourceLayer(true)])]),
        ]))
    #expect(tree.snapshot(root: 1).node(2)?.flags.contains(.hiddenByPortal) == true)
    try tree.set(3, .isHidden(true))
    #expect(tree.snapshot(root: 1).node(2)?.flags.contains(.hiddenByPortal) == false)
  }

  @Test("a renderer shows them only if it is told that it is secure, and finds what a point hits all the same")
  func library() throws {
    for backend in [Backend.gl, .reference] {
      let renderer = try OffscreenRenderer(size: Size(width: 20, height: 20), backend: backend)
      defer { renderer.close() }
      let (root, secret) = (Layer(), Layer())
      for layer in [root, secret] {
        layer.anchorPoint = .zero
        layer.bounds = Rect(x: 0, y: 0, width: 20, height: 20)
      }
      secret.backgroundColor = Color(red: 1, green: 0, blue: 0)
      root.isSecure = true
      root.addSublayer(secret)
      #expect(try renderer.render(root).pixel(5, 5) == [128, 128, 128, 255])
      #expect(try renderer.render(layer: secret).pixel(5, 5) == [128, 128, 128, 255])
      #expect(try renderer.hitTest(Point(5, 5), in: root).last?.layer === secret)
      renderer.isSecure = true
      #expect(try renderer.render(root).pixel(5, 5) == [255, 0, 0, 255])
      renderer.isSecure = false
      #expect(try renderer.render(root).pixel(5, 5) == [128, 128, 128, 255])
    }
  }

  /// One renderer that draws frame after frame.
  private struct Painter {
    let size: PixelSize
    let witness: Witness
    var reference = ReferenceRenderer()
    var planner = FramePlanner()
    var plans: [FramePlan] = []

    init(_ witness: Witness, _ size: PixelSize) {
      self.witness = witness
      self.size = size
    }

    mutating func draw(_ snapshot: Snapshot) throws -> [UInt8] {
      if witness == .reference { return reference.draw(snapshot, size: size, scale: 1, background: .clear) }
      // The tests share one renderer: what it kept for others is not this one's, so all frames are drawn in a row.
      plans.append(planner.plan(snapshot, size: size, scale: 1, background: .clear))
      return try Stage.shared.draw(plans)
    }
  }
}

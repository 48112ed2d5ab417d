import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Hit testing")
struct HitTestTests {
  private func hit(_ tree: RenderTree, _ x: Double, _ y: Double) -> [UInt64] {
    var tree = tree
    return tree.snapshot(root: 1).hitTest(Point(x, y)).map(\.layer.rawValue)
  }

  @Test("the frontmost layer is hit, in its own space")
  func frontmost() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 10, y: 10, 50, 50), .box(3, x: 30, y: 30, 50, 50, [.zPosition(-1)]),
        ]))
    #expect(hit(tree, 40, 40) == [2])
    #expect(hit(tree, 70, 70) == [3])
    #expect(hit(tree, 5, 5) == [1])
    #expect(hit(tree, 500, 5) == [])
    #expect(tree.snapshot(root: 1).hitTest(Point(40, 41)).first?.point == Point(30, 31))
  }

  @Test("hidden, nearly clear and untouchable layers are passed by, with their sublayers")
  func skipped() throws {
    for property in [PropertyChange.isHidden(true), .opacity(0.009), .allowsHitTesting(false)] {
      let tree = try RenderTree(
        .box(1, x: 0, y: 0, 100, 100, [], [.box(2, x: 0, y: 0, 50, 50, [property], [.box(3, x: 0, y: 0, 50, 50)])]))
      #expect(hit(tree, 10, 10) == [1])
    }
  }

  @Test("a rounded corner and a clip cut the hit as they cut the picture")
  func clips() throws {
    let tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 40, 40, [.cornerRadius(20), .masksToBounds(true)], [.box(3, x: 0, y: 0, 80, 80)])
        ]))
    #expect(hit(tree, 2, 2) == [1])
    #expect(hit(tree, 20, 20) == [3])
    #expect(hit(tree, 60, 20) == [1])
  }

  @Test("a mask cuts the hit where it shows nothing: by colour, gradient, picture, border, its own mask and a portal")
  func masks() throws {
    let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
    let pixels = (0..<16).flatMap { index -> [UInt8] in [0, 0, 0, index % 4 < 2 ? 255 : 0] }
    let half = TestLayer.box(10, x: 0, y: 0, 20, 40, color: .black)
    let masks: [(String, TestLayer)] = [
      ("colour", half),
      ("sublayer", .box(10, x: 0, y: 0, 40, 40, [], [.box(11, x: 0, y: 0, 20, 40, color: .black)])),
      (
        "gradient",
        TestLayer(
          10, .gradient,
          [
            .bounds(Rect(x: 0, y: 0, width: 40, height: 40)), .position(Point(20, 20)),
            .gradient(
              Gradient(
                start: Point(0, 0), end: Point(1, 0),
                stops: [
                  .init(location: 0, color: .black), .init(location: 0.5, color: .black),
                  .init(location: 0.5, color: clear),
                ])),
          ])
      ),
      (
        "picture",
        .box(
          10, x: 0, y: 0, 40, 40,
          [.contents(Image(size: PixelSize(width: 4, height: 4), alpha: .straight, pixels: pixels))])
      ),
      ("border", .box(10, x: 0, y: -40, 60, 140, [.borderWidth(20)])),
      (
        "masked",
        TestLayer.box(10, x: 0, y: 0, 40, 40, color: .black).masked(by: .box(11, x: 0, y: 0, 20, 40, color: .black))
      ),
      ("portal", .portal(10, of: 20, x: 0, y: 0, 40, 40)),
      ("clip", .box(10, x: 0, y: 0, 20, 40, [.masksToBounds(true)], [.box(11, x: 0, y: 0, 40, 40, color: .black)])),
    ]
    for (name, mask) in masks {
      let masked = TestLayer.box(2, x: 30, y: 30, 40, 40, [], [.box(3, x: 0, y: 20, 40, 20)]).masked(by: mask)
      let tree = try RenderTree(
        .box(1, x: 0, y: 0, 100, 100, [], [masked]), .box(20, x: 0, y: 0, 20, 40, color: .black))
      #expect(hit(tree, 35, 35) == [2] && hit(tree, 35, 60) == [3], "\(name)")
      #expect(hit(tree, 65, 35) == [1] && hit(tree, 65, 60) == [1], "\(name)")
    }
    for property in [PropertyChange.isHidden(true), .opacity(0.005)] {
      var mask = half
      mask.properties.append(property)
      let tree = try RenderTree(
        .box(1, x: 0, y: 0, 100, 100, [], [TestLayer.box(2, x: 30, y: 30, 40, 40).masked(by: mask)]))
      #expect(hit(tree, 35, 35) == [1])
    }
  }

  @Test("a turned layer is hit where it shows")
  func turned() throws {
    let tree = try RenderTree(
      .box(1, x: 0, y: 0, 100, 100, [], [.box(2, x: 40, y: 20, 20, 60, [.transform(.rotation(angle: .pi / 2))])]))
    #expect(hit(tree, 25, 50) == [2])
    #expect(hit(tree, 50, 25) == [1])
  }

  @Test("a portal returns itself, or with forwarding what stands in its source, at the source's own point")
  func portals() throws {
    let tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 200, 200, [],
        [
          .box(2, x: 100, y: 100, 50, 50, [], [.box(3, x: 10, y: 10, 10, 10)]),
          .portal(
            4, of: 2, x: 0, y: 0, 50, 50, [.transform(.scale(x: 0.5, y: 0.5)), .forwardsHitTestingToSource(true)]),
          .portal(5, of: 2, x: 0, y: 100, 50, 50),
        ]))
    #expect(hit(tree, 15, 115) == [5])
    // The portal lies at 12.5 … 37.5; the small layer at 10 … 20 of the source is at 17.5 … 22.5.
    #expect(hit(tree, 20, 20) == [4, 3])
    #expect(hit(tree, 30, 30) == [4, 2])
    var copy = tree
    let last = copy.snapshot(root: 1).hitTest(Point(20, 20)).last
    #expect(last?.point == Point(5, 5))
  }

  @Test("a recursive portal is followed to its depth and no further", arguments: [1, 3])
  func recursive(_ depth: Int) throws {
    let tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(
            2, x: 0, y: 0, 100, 100, [],
            [
              .portal(3, of: 2, x: 0, y: 0, 100, 100, [.forwardsHitTestingToSource(true), .recursion(.depth(depth))])
            ])
        ]))
    let links = hit(tree, 50, 50)
    #expect(links.count == depth + 1)
    #expect(links.allSatisfy { $0 == 3 })
  }
}

import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Where layers lie")
struct PlacementTests {
  @Test("a layer's anchor lands on its position, and its bounds' origin scrolls what is in it")
  func anchorLandsOnPosition() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          TestLayer(
            2, .layer,
            [
              .bounds(Rect(x: 5, y: 7, width: 20, height: 10)), .position(Point(50, 60)), .anchorPoint(Point(0.25, 1)),
              .transform(.rotation(angle: .pi / 2)),
            ])
        ]))
    let node = try #require(tree.snapshot(root: 1).node(2))
    #expect(node.anchor == Point(10, 17))
    let anchor = try #require(node.window.apply(node.anchor))
    #expect(abs(anchor.x - 50) < 1e-12 && abs(anchor.y - 60) < 1e-12)
    // A quarter turn clockwise takes what is right of the anchor to below it.
    let right = try #require(node.window.apply(Point(11, 17)))
    #expect(abs(right.x - 50) < 1e-12 && abs(right.y - 61) < 1e-12)
  }

  @Test("sublayers are drawn by zPosition, then in order")
  func siblingsByZPosition() throws {
    var tree = try RenderTree(
      TestLayer(
        1, .layer, [],
        [
          TestLayer(2, .layer, [.zPosition(1)]), TestLayer(3, .layer, [.zPosition(-1)]), TestLayer(4), TestLayer(5),
          TestLayer(6, .layer, [.zPosition(1)]),
        ]))
    #expect(tree.snapshot(root: 1).nodes.map(\.layer.rawValue) == [1, 3, 4, 5, 2, 6])
  }

  @Test("sublayerTransform acts about the parent's anchor, after the sublayer's own transform")
  func sublayerTransform() throws {
    var tree = try RenderTree(
      .box(1, x: 0, y: 0, 100, 100, [.sublayerTransform(.scale(x: 2, y: 2))], [.box(2, x: 50, y: 50, 10, 10)]))
    let node = try #require(tree.snapshot(root: 1).node(2))
    #expect(node.window.boundingBox(of: node.bounds) == Rect(x: 50, y: 50, width: 20, height: 20))
  }

  @Test("a layer turned in space shows its back, one mirrored in its plane does not, and two turns cancel")
  func backs() throws {
    let turn = Transform3D.rotation(angle: .pi, x: 0, y: 1, z: 0)
    var tree = try RenderTree(
      TestLayer(
        1, .layer, [],
        [
          TestLayer(2, .layer, [.transform(turn)]), TestLayer(3, .layer, [.transform(.scale(x: -1, y: 1))]),
          TestLayer(4, .layer, [.transform(.rotation(angle: 1, x: 1, y: 0, z: 0))]),
          TestLayer(5, .layer, [.transform(.scale(x: -1, y: 1, z: -1))]),
        ]))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.node(2)?.flags.contains(.turnsBack) == true)
    #expect(snapshot.node(3)?.flags.contains(.turnsBack) == false)
    #expect(snapshot.node(5)?.flags.contains(.turnsBack) == true)
    #expect(snapshot.node(4)?.flags.contains(.turnsBack) == false)
  }

  @Test("a quad that crosses the eye's plane is cut there and stays finite")
  func eyePlane() {
    let steep = Homography(Transform3D.rotation(angle: 1.5, x: 0, y: 1, z: 0) * .perspective(distance: 20))
    let polygon = ProjectedPolygon(Rect(x: -100, y: -10, width: 200, height: 20), under: steep)
    #expect(polygon.points.count >= 3)
    #expect(polygon.points.allSatisfy { $0.isFinite })
  }

  @Test("each gravity puts a picture of half the size where its name says", arguments: ContentsGravity.allCases)
  func gravity(_ gravity: ContentsGravity) throws {
    let image = try #require(
      Image(size: PixelSize(width: 40, height: 20), alpha: .opaque, pixels: [UInt8](repeating: 9, count: 3200)))
    var tree = try RenderTree(
      .box(1, x: 0, y: 0, 100, 100, [.contents(image), .contentsGravity(gravity), .contentsScale(2)]))
    let rect = try #require(tree.snapshot(root: 1).node(1)).imageRect
    let expected: Rect =
      switch gravity {
      case .resize: Rect(x: 0, y: 0, width: 100, height: 100)
      case .resizeAspect: Rect(x: 0, y: 25, width: 100, height: 50)
      case .resizeAspectFill: Rect(x: -50, y: 0, width: 200, height: 100)
      case .center: Rect(x: 40, y: 45, width: 20, height: 10)
      case .top: Rect(x: 40, y: 0, width: 20, height: 10)
      case .bottom: Rect(x: 40, y: 90, width: 20, height: 10)
      case .left: Rect(x: 0, y: 45, width: 20, height: 10)
      case .right: Rect(x: 80, y: 45, width: 20, height: 10)
      case .topLeft: Rect(x: 0, y: 0, width: 20, height: 10)
      case .topRight: Rect(x: 80, y: 0, width: 20, height: 10)
      case .bottomLeft: Rect(x: 0, y: 90, width: 20, height: 10)
      case .bottomRight: Rect(x: 80, y: 90, width: 20, height: 10)
      }
    #expect(rect == expected)
  }
}

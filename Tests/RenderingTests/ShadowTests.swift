import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Shadows")
struct ShadowTests {
  private let size = PixelSize(width: 96, height: 72)

  private func draw(_ layers: [TestLayer], _ witness: Witness, roots: [TestLayer] = []) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 96, 72, color: .white, [], layers)] + roots)
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size)
  }

  private let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

  @Test(
    "a sharp one is the layer's shape in its colour, moved by the offset, as see-through as both",
    arguments: Witness.allCases)
  func sharp(_ witness: Witness) throws {
    let shadow = Shadow(
      color: Color(red: 1, green: 0, blue: 0, alpha: 0.5), opacity: 0.5, radius: 0, offset: Point(20, 10))
    let image = try draw([.box(1, x: 16, y: 16, 24, 24, color: .black, [.shadow(shadow)])], witness)
    #expect(image.pixel(20, 20) == [0, 0, 0, 255])
    #expect(image.pixel(50, 40).near([255, 191, 191, 255]))
    #expect(image.pixel(62, 40) == [255, 255, 255, 255] && image.pixel(50, 52) == [255, 255, 255, 255])
    #expect(image.pixel(38, 42).near([255, 191, 191, 255]))
  }

  @Test("a blurred one has a gaussian's profile, of the layer's alpha and of a path alike", arguments: Witness.allCases)
  func profile(_ witness: Witness) throws {
    // An edge far from the others: half of the shadow's strength on it, 15.9 % one deviation beyond.
    let wide = Rect(x: -100, y: -100, width: 148, height: 300)
    for path in [nil, Shadow.Path(rect: wide)] {
      let shadow = Shadow(opacity: 1, radius: 8, offset: Point(0, 0), path: path)
      let color = path == nil ? Color.white : clear
      let layer = TestLayer(
        1, .layer, [.bounds(wide), .position(wide.center), .backgroundColor(color), .shadow(shadow)])
      let image = try draw([layer], witness)
      for (x, share) in [(48, 0.4751), (56, 0.1441), (64, 0.0194)] {
        let expected = 255 * (1 - share)
        #expect(abs(Double(image.pixel(x, 36)[0]) - expected) <= 2, "x \(x): \(image.pixel(x, 36)), not \(expected)")
      }
    }
  }

  @Test(
    "it shows through the layer, takes in the sublayers, and is not cut by masksToBounds", arguments: Witness.allCases)
  func below(_ witness: Witness) throws {
    let shadow = Shadow(color: Color(red: 0, green: 0, blue: 1), radius: 0, offset: Point(0, 8))
    let image = try draw(
      [
        .box(
          1, x: 16, y: 8, 40, 24, color: Color(red: 1, green: 0, blue: 0, alpha: 0.5),
          [.shadow(shadow), .masksToBounds(true)], [.box(2, x: 0, y: 0, 8, 64, color: .black)])
      ], witness)
    // Half a red over half a blue on white.
    #expect(image.pixel(40, 28).near([191, 64, 128, 255]))
    // Below the layer: of the half, and of the sublayer, as far as the clip shows it.
    #expect(image.pixel(40, 36).near([128, 128, 255, 255]) && image.pixel(18, 36).near([0, 0, 255, 255]))
    #expect(image.pixel(18, 44) == [255, 255, 255, 255])
  }

  @Test("the offset turns and grows with the layer", arguments: Witness.allCases)
  func turned(_ witness: Witness) throws {
    let shadow = Shadow(radius: 0, offset: Point(12, 0))
    let image = try draw(
      [
        .box(
          1, x: 32, y: 8, 16, 16, color: .white,
          [.shadow(shadow), .transform(Transform3D(m11: 0, m12: 2, m21: -2, m22: 0))])
      ], witness)
    // A quarter turn clockwise and twice the size: 24 pixels down.
    #expect(image.pixel(40, 44) == [0, 0, 0, 255] && image.pixel(70, 20) == [255, 255, 255, 255])
  }

  @Test("opacity and filters take it with the layer, and a portal shows it", arguments: Witness.allCases)
  func group(_ witness: Witness) throws {
    let shadow = Shadow(radius: 0, offset: Point(0, 16))
    let source = TestLayer.box(
      1, x: 16, y: 8, 16, 16, color: .black, [.shadow(shadow), .filters([.invert(0.5)]), .opacity(0.5)])
    let image = try draw([source, .portal(2, of: 1, x: 64, y: 8, 16, 16)], witness)
    #expect(image.pixel(24, 16).near([191, 191, 191, 255]) && image.pixel(24, 32).near([191, 191, 191, 255]))
    #expect(image.pixel(72, 16).near([128, 128, 128, 255]) && image.pixel(72, 32).near([128, 128, 128, 255]))
  }

  @Test("a layer that is out of view casts its shadow into it", arguments: Witness.allCases)
  func outside(_ witness: Witness) throws {
    let shadow = Shadow(radius: 1, offset: Point(140, 0))
    let image = try draw([.box(1, x: -100, y: 8, 32, 32, color: .white, [.shadow(shadow)])], witness)
    #expect(image.pixel(56, 24) == [0, 0, 0, 255] && image.pixel(20, 24) == [255, 255, 255, 255])
  }
}

import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Masks")
struct MaskTests {
  private let size = PixelSize(width: 96, height: 72)

  private func draw(_ layers: [TestLayer], _ witness: Witness, roots: [TestLayer] = []) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 96, 72, color: .white, [], layers)] + roots)
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size)
  }

  @Test("a mask of a rounded opaque layer is the clip by masksToBounds", arguments: Witness.allCases, [0.0, 0.25, 0.5])
  func equalsClip(_ witness: Witness, _ offset: Double) throws {
    for transform in [Transform3D.identity, .rotation(angle: 0.4), .scale(x: 1.3, y: 0.8)] {
      let inside = [
        TestLayer.box(2, x: -8, y: -8, 40, 40, color: Color(red: 0.2, green: 0.4, blue: 0.8)),
        TestLayer.box(3, x: 20, y: 12, 40, 40, color: Color(red: 0.9, green: 0.6, blue: 0.1, alpha: 0.5)),
      ]
      func layer(_ properties: [PropertyChange]) -> TestLayer {
        .box(1, x: 20 + offset, y: 12, 48, 40, [.transform(transform)] + properties, inside)
      }
      let clipped = try draw([layer([.cornerRadius(12), .masksToBounds(true)])], witness)
      let mask = TestLayer.box(4, x: 0, y: 0, 48, 40, color: .black, [.cornerRadius(12)])
      let masked = try draw([layer([]).masked(by: mask)], witness)
      let difference = Difference(clipped, masked)
      // GL keeps the mask in eight bits.
      #expect(difference.largest <= (witness == .reference ? 0 : 2), "\(difference)")
    }
  }

  @Test("alpha counts, with opacity and sublayers; colour does not", arguments: Witness.allCases)
  func alpha(_ witness: Witness) throws {
    let mask = TestLayer.box(
      2, x: 0, y: 0, 40, 40, color: Color(red: 0, green: 1, blue: 0, alpha: 0.5), [.opacity(0.5)],
      [.box(3, x: 20, y: 0, 40, 40, color: .white)])
    let image = try draw(
      [TestLayer.box(1, x: 16, y: 16, 64, 40, color: .black, [.opacity(0.5)]).masked(by: mask)], witness)
    // A quarter of half a black; half of half where the sublayer makes the mask opaque; nothing beyond it.
    #expect(image.pixel(20, 30).near([223, 223, 223, 255]))
    #expect(image.pixel(60, 30).near([191, 191, 191, 255]))
    #expect(image.pixel(78, 30) == [255, 255, 255, 255])
  }

  @Test("it follows the filters, and cuts border and what overflows", arguments: Witness.allCases)
  func order(_ witness: Witness) throws {
    let layer = TestLayer.box(
      1, x: 16, y: 16, 40, 40, color: .black, [.filters([.invert(1), .gaussianBlur(radius: 8)])],
      [.box(2, x: -16, y: 0, 16, 16, color: .black)])
    let mask = TestLayer.box(3, x: 0, y: 0, 20, 40, color: .black)
    var tree = try RenderTree(
      .box(900, x: 0, y: 0, 96, 72, color: .black, [], [layer.masked(by: mask)]))
    let image = try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size)
    // White by the inversion, blurred, and cut sharply: the blur does not reach beyond the mask.
    #expect(image.pixel(30, 36)[0] > 200)
    #expect(image.pixel(36, 36)[0] == 0 && image.pixel(15, 20)[0] == 0)
  }

  @Test("a source's own mask shows in its portals, inline and through a texture", arguments: Witness.allCases)
  func portal(_ witness: Witness) throws {
    let mask = TestLayer.box(3, x: 0, y: 0, 12, 16, color: .black)
    let source = TestLayer.box(
      1, x: 0, y: 0, 24, 16, color: .black, [], [.box(2, x: 0, y: 0, 24, 8, color: Color(red: 1, green: 0, blue: 0))]
    ).masked(by: mask)
    for count in [1, 9] {
      let portals = (0..<count).map { index -> TestLayer in
        let (x, y) = (Double(index % 3 * 32), Double(index / 3 * 24))
        return .portal(UInt64(10 + index), of: 1, x: x, y: y, 24, 16)
      }
      let image = try draw(portals, witness, roots: [source])
      #expect(image.pixel(6, 12) == [0, 0, 0, 255] && image.pixel(6, 4) == [255, 0, 0, 255])
      #expect(image.pixel(18, 12) == [255, 255, 255, 255])
    }
  }

  @Test("a portal can be a mask, and one that would show what it masks ends", arguments: Witness.allCases)
  func portalAsMask(_ witness: Witness) throws {
    let shape = TestLayer.box(5, x: 0, y: 0, 20, 20, color: .black, [.cornerRadius(10)])
    let masked = TestLayer.box(1, x: 8, y: 8, 40, 40, color: .black)
      .masked(by: .portal(2, of: 5, x: 0, y: 0, 40, 40))
    let image = try draw([masked], witness, roots: [shape])
    #expect(image.pixel(18, 18) == [0, 0, 0, 255] && image.pixel(40, 40) == [255, 255, 255, 255])
    let loop = TestLayer.box(1, x: 8, y: 8, 40, 40, color: .black).masked(by: .portal(2, of: 1, x: 0, y: 0, 40, 40))
    _ = try draw([loop], witness)
  }
}

import Commit
import Geometry
import Porthole
import Testing

@Suite("A layer's mask")
struct MaskLayerTests {
  private func box(_ rect: Rect, _ color: Color) -> Layer {
    let layer = Layer()
    layer.anchorPoint = .zero
    layer.position = rect.origin
    layer.bounds = Rect(x: 0, y: 0, width: rect.width, height: rect.height)
    layer.backgroundColor = color
    return layer
  }

  @Test("is drawn from the next frame on, stands at one place, and can't hold what it masks")
  func moves() throws {
    let size = Size(width: 32, height: 32)
    let renderer = try OffscreenRenderer(size: size, background: .white, backend: .reference)
    defer { renderer.close() }
    let root = box(Rect(x: 0, y: 0, width: 32, height: 32), .clear)
    let (a, b) = (
      box(Rect(x: 0, y: 0, width: 16, height: 16), .black), box(Rect(x: 16, y: 0, width: 16, height: 16), .black)
    )
    let mask = box(Rect(x: 0, y: 0, width: 16, height: 8), .white)
    root.addSublayer(a)
    root.addSublayer(b)
    func shade(_ x: Int, _ y: Int) throws -> UInt8 { try renderer.render(root).pixels[(y * 32 + x) * 4] }
    #expect(try shade(4, 12) == 0)
    a.mask = mask
    #expect(try shade(4, 12) == 255 && shade(4, 4) == 0)
    // From one layer to another.
    b.mask = mask
    #expect(a.mask == nil && mask.maskedLayer === b)
    #expect(try shade(4, 12) == 0 && shade(20, 12) == 255)
    // Its own changes show.
    mask.bounds = Rect(x: 0, y: 0, width: 16, height: 16)
    #expect(try shade(20, 12) == 0)
    // Into a tree, as a sublayer.
    a.addSublayer(mask)
    #expect(b.mask == nil && mask.superlayer === a)
    #expect(try shade(4, 4) == 255 && shade(20, 12) == 0)
    // Out of the tree again.
    root.mask = mask
    #expect(a.sublayers.isEmpty && mask.superlayer == nil)
    #expect(try shade(4, 12) == 0 && shade(20, 4) == 255)
    // Refused: the layer itself, what holds it, and the masked layer below its mask.
    a.mask = a
    a.mask = root
    #expect(a.mask == nil && root.mask === mask)
    #expect(!mask.addSublayer(a) || a.superlayer === mask)
    #expect(!mask.addSublayer(root))
    root.mask = nil
    #expect(try shade(20, 12) == 0)
  }
}

import Commit
import Geometry
import Porthole

/// A renderer, a white root that fills it, and short words to put layers there: what a case from the field starts from.
struct Theatre {
  let renderer: OffscreenRenderer
  let root = Layer()

  init(_ backend: Backend, width: Double = 64, height: Double = 48, scale: Double = 1) throws {
    renderer = try OffscreenRenderer(size: Size(width: width, height: height), scale: scale, backend: backend)
    root.frame = Rect(x: 0, y: 0, width: width, height: height)
    root.backgroundColor = .white
  }

  func layer(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Color = .clear, in parent: Layer? = nil
  ) -> Layer {
    place(Layer(), x, y, width, height, color, parent ?? root)
  }

  func portal(
    of source: Layer?, _ x: Double, _ y: Double, _ width: Double, _ height: Double, in parent: Layer? = nil
  ) -> PortalLayer {
    let portal = place(PortalLayer(), x, y, width, height, .clear, parent ?? root)
    portal.sourceLayer = source
    return portal
  }

  private func place<Kind: Layer>(
    _ layer: Kind, _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Color, _ parent: Layer
  ) -> Kind {
    layer.frame = Rect(x: x, y: y, width: width, height: height)
    layer.backgroundColor = color
    parent.addSublayer(layer)
    return layer
  }

  func frame() throws -> Image { try renderer.render(root) }

  /// The same layers, drawn by a renderer that has seen nothing before.
  func fresh() throws -> Image {
    let other = try OffscreenRenderer(
      size: renderer.size, scale: renderer.scale, background: renderer.background, backend: renderer.backend)
    defer { other.close() }
    return try other.render(root)
  }
}

extension Backend {
  static let both: [Backend] = [.reference, .gl]
}

extension Color {
  static let red = Color(red: 1, green: 0, blue: 0)
  static let green = Color(red: 0, green: 1, blue: 0)
  static let blue = Color(red: 0, green: 0, blue: 1)
}

extension Image {
  /// The pixel's red, green, blue and alpha.
  subscript(x: Int, y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }

  /// The pixels of a part of the picture.
  func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> [UInt8] {
    var part: [UInt8] = []
    for row in y..<y + height {
      let start = (row * self.width + x) * 4
      part += pixels[start..<start + width * 4]
    }
    return part
  }
}

let red: [UInt8] = [255, 0, 0, 255]
let green: [UInt8] = [0, 255, 0, 255]
let blue: [UInt8] = [0, 0, 255, 255]
let white: [UInt8] = [255, 255, 255, 255]

import Commit
import Geometry
import Porthole

/// A renderer that needs no display, and a root layer that fills it.
struct Rig {
  let renderer: OffscreenRenderer
  let root = Layer()

  init(width: Double = 8, height: Double = 8) throws {
    renderer = try OffscreenRenderer(size: Size(width: width, height: height), backend: .reference)
    root.frame = Rect(x: 0, y: 0, width: width, height: height)
  }

  @discardableResult
  func frame() throws -> FrameReport { try renderer.update(root) }

  /// A layer in the root.
  func add(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ color: Color = .white) -> Layer {
    let layer = Layer()
    layer.frame = Rect(x: x, y: y, width: width, height: height)
    layer.backgroundColor = color
    root.addSublayer(layer)
    return layer
  }

  func portal(of source: Layer?, _ x: Double, _ y: Double, _ width: Double, _ height: Double) -> PortalLayer {
    let portal = PortalLayer()
    portal.frame = Rect(x: x, y: y, width: width, height: height)
    portal.sourceLayer = source
    root.addSublayer(portal)
    return portal
  }
}

extension Image {
  /// A pixel's four bytes.
  subscript(x: Int, y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
}

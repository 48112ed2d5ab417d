import Commit
import Geometry
import ReferenceRenderer
import RenderTree

/// A small tree and the renderer that draws it.
struct Stage {
  var tree = RenderTree()
  var renderer = ReferenceRenderer()
  let size: PixelSize
  static let root = LayerID(rawValue: 1)
  private var last: UInt64 = 1

  /// A root of `width` × `height` points.
  init(_ width: Int, _ height: Int) throws {
    size = PixelSize(width: width, height: height)
    try tree.apply(
      Commit([
        .create(Self.root, .layer), .set(Self.root, .anchorPoint(.zero)),
        .set(Self.root, .bounds(Rect(x: 0, y: 0, width: Double(width), height: Double(height)))),
      ]))
  }

  /// Adds a layer whose top left corner, before its transform, lies at the frame's in `parent`.
  @discardableResult
  mutating func add(
    _ kind: LayerKind = .layer, to parent: LayerID? = Stage.root, frame: Rect, _ properties: PropertyChange...
  ) throws -> LayerID {
    last += 1
    let id = LayerID(rawValue: last)
    var changes: [Change] = [
      .create(id, kind), .set(id, .anchorPoint(.zero)), .set(id, .position(frame.origin)),
      .set(id, .bounds(Rect(size: frame.size))),
    ]
    if let parent { changes.append(.insert(id, into: parent, at: .max)) }
    changes += properties.map { .set(id, $0) }
    try tree.apply(Commit(changes))
    return id
  }

  mutating func set(_ layer: LayerID, _ properties: PropertyChange...) throws {
    try tree.apply(Commit(properties.map { .set(layer, $0) }))
  }

  mutating func draw(scale: Double = 1, background: PremultipliedColor = .clear) -> Raster {
    Raster(
      size: size,
      bytes: renderer.draw(tree.snapshot(root: Self.root), size: size, scale: scale, background: background))
  }

  mutating func draw(only layer: LayerID) -> Raster {
    Raster(
      size: size,
      bytes: renderer.draw(
        tree.snapshot(root: Self.root), size: size, scale: 1, background: .clear, layer: layer))
  }
}

/// What a renderer gave back.
struct Raster: Equatable {
  var size: PixelSize
  var bytes: [UInt8]

  subscript(x: Int, y: Int) -> [UInt8] {
    let index = (y * size.width + x) * 4
    return Array(bytes[index..<index + 4])
  }

  /// Sum of alpha, in pixels.
  var area: Double { stride(from: 3, to: bytes.count, by: 4).reduce(0) { $0 + Double(bytes[$1]) } / 255 }
}

extension Color {
  static let red = Color(red: 1, green: 0, blue: 0)
  static let green = Color(red: 0, green: 1, blue: 0)
  static let blue = Color(red: 0, green: 0, blue: 1)
}

extension Rect {
  init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    self.init(x: x, y: y, width: width, height: height)
  }
}

/// A picture whose pixel (x, y) is what `color` gives.
func picture(_ width: Int, _ height: Int, alpha: AlphaState = .opaque, _ color: (Int, Int) -> [UInt8]) -> Image? {
  var pixels: [UInt8] = []
  for y in 0..<height { for x in 0..<width { pixels += color(x, y) } }
  return Image(size: PixelSize(width: width, height: height), alpha: alpha, pixels: pixels)
}

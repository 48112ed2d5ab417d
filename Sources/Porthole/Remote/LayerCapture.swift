import Commit
import Geometry
import LinuxIO
import WaylandClient
import WaylandProtocol

extension RenderServerConnection {
  /// Has the server draw one layer alone, by way of memory that is shared for it.
  func capture(_ layer: Layer, scale: Double, size: PixelSize) throws(OffscreenError) -> Image {
    guard let proxy = tree.layers[layer.id] else {
      throw OffscreenError(.failed, "\(layer.label) is another client's, and is not drawn alone", layer: layer.id)
    }
    let byteCount = size.width * size.height * 4
    let memory: SharedMemory
    do {
      memory = try SharedMemory(name: "porthole-capture", byteCount: byteCount)
    } catch {
      throw OffscreenError(WireError.noMemory(error))
    }
    let listener = CaptureListener()
    // Not lent to a closure, since it can't be copied.
    do throws(WireError) {
      try wire.flush()
      let capture = global.captureLayer(
        layer: proxy, scale: [scale].span.bytes, fd: memory.descriptor, format: .raw)
      capture.handler = listener
      try wire.wait { listener.isDone }
      capture.destroy()
    } catch {
      throw OffscreenError(error)
    }
    if let failure = listener.failure { throw OffscreenError(.failed, "the layer was not captured: \(failure)") }
    guard listener.size == size else {
      throw OffscreenError(.failed, "the server drew the layer in another size than \(size.width) × \(size.height)")
    }
    let pixels = memory.withBytes { Array($0) }
    guard let image = Image(size: size, alpha: .premultiplied, pixels: pixels) else {
      throw OffscreenError(.failed, "\(pixels.count) bytes are no \(size.width) × \(size.height) pixels")
    }
    return image
  }
}

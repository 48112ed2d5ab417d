import Commit
import GLES
import Geometry
import LinuxIO

/// A picture's pixels in a dma-buf, and the fence after which they are right.
public final class DmaBufferContents: ForeignPixels {
  public let buffer: DmaBuffer
  /// Nil where what draws them is waited for by the driver of itself, or has ended.
  public let fence: SharedDescriptor?
  private let whenUnused: (@Sendable () -> Void)?

  /// - Parameter whenUnused: called once, on any thread, when nobody reads the pixels any more.
  public init(_ buffer: DmaBuffer, fence: SharedDescriptor? = nil, whenUnused: (@Sendable () -> Void)? = nil) {
    self.buffer = buffer
    self.fence = fence
    self.whenUnused = whenUnused
  }

  deinit { whenUnused?() }
}

extension Device {
  /// Copies a picture of a dma-buf into a texture of its size, after its fence, on the GPU.
  /// - Parameter rects: in pixels, of what is copied; nil for all of it.
  /// - Throws: for a dma-buf that can't be imported, or a fence that nobody passes.
  func copy(_ contents: DmaBufferContents, to texture: Texture, only rects: [PixelRect]? = nil) throws(DeviceError) {
    if let rects, rects.isEmpty { return }
    let imported = try makeTexture(importing: contents.buffer, label: "dma-buf")
    if let fence = contents.fence, !wait(forFence: fence) { throw Self.unpassed }
    try copy(try makeFramebuffer(imported), to: texture, only: rects)
  }

  /// Copies a texture into a dma-buf of its size, after its fence, on the GPU.
  func copy(_ source: Framebuffer, to contents: DmaBufferContents) throws(DeviceError) {
    let imported = try makeTexture(importing: contents.buffer, label: "dma-buf")
    if let fence = contents.fence, !wait(forFence: fence) { throw Self.unpassed }
    try copy(source, to: imported)
  }

  package func copy(_ source: Texture, to target: Texture) throws(DeviceError) {
    try copy(try makeFramebuffer(source), to: target)
  }

  private func copy(
    _ source: Framebuffer, to target: Texture, only rects: [PixelRect]? = nil
  ) throws(DeviceError) {
    setScissor(nil)
    let framebuffer = try makeFramebuffer(target)
    bind(framebuffer)
    let whole = PixelRect(size: source.size)
    for rect in rects ?? [whole] {
      let part = rect.intersection(whole)
      if !part.isEmpty { copy(part, of: source, toX: part.minX, y: part.minY) }
    }
  }

  private static var unpassed: DeviceError {
    DeviceError(.failed, "the fence of a dma-buf was not passed within a second")
  }
}

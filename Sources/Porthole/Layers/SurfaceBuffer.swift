import Commit
import GLES
import Geometry
import LinuxIO

/// A picture on its way to a `SurfaceLayer`, in memory of whoever made it.
public final class SurfaceBuffer {
  /// In seconds of the renderers' time; what has none is due at once.
  public let time: Double
  /// In pixels: where it may differ from the buffer that is to be shown before it; nil for everywhere. What is not in it need
  /// not be drawn anew. What lies outside of the buffer is left out; of more than 64 rectangles, all of it is drawn.
  public let damage: [PixelRect]?
  let size: PixelSize
  private let alpha: AlphaState
  private let bytesPerRow: Int
  private var bytes: UnsafeRawBufferPointer?
  private var ready: Image?
  private var whenReleased: (() -> Void)?

  /// - Parameters:
  ///   - bytes: RGBA, 8 bits each, rows from the top. It must stay as it is until `released` is called.
  ///   - bytesPerRow: nil where rows follow each other with no gap.
  ///   - time: from when on it is shown; nil for at once.
  ///   - released: called exactly once, when the memory may be written to again.
  public init(
    size: PixelSize, alpha: AlphaState, bytes: UnsafeRawBufferPointer, bytesPerRow: Int? = nil, time: Double? = nil,
    damage: [PixelRect]? = nil, released: (() -> Void)? = nil
  ) {
    self.size = size
    self.alpha = alpha
    self.bytes = bytes
    self.bytesPerRow = bytesPerRow ?? size.width * 4
    self.time = Self.order(time)
    self.damage = damage
    whenReleased = released
  }

  /// A picture that nobody will write to.
  public init(_ image: Image, time: Double? = nil, damage: [PixelRect]? = nil, released: (() -> Void)? = nil) {
    size = image.size
    alpha = image.alpha
    ready = image
    bytesPerRow = image.width * 4
    self.time = Self.order(time)
    self.damage = damage
    whenReleased = released
  }

  /// A picture in a dma-buf, which is drawn by displays that can: see `RenderServerConnection.dmaBuffers` and
  /// `DeviceReport.dmaBuffers`.
  /// - Parameters:
  ///   - fence: after which the pixels are right, where the driver does not see to that itself.
  ///   - released: called exactly once, on any thread, when nobody reads the memory any more: not before another buffer is
  ///     shown. Have three.
  public init(
    _ buffer: DmaBuffer, fence: SharedDescriptor? = nil, time: Double? = nil, damage: [PixelRect]? = nil,
    released: (@Sendable () -> Void)? = nil
  ) {
    size = buffer.size
    alpha = buffer.format.isOpaque ? .opaque : .premultiplied
    ready = Image(buffer, fence: fence, released: released)
    bytesPerRow = 0
    self.time = Self.order(time)
    self.damage = damage
  }

  deinit { release() }

  private static func order(_ time: Double?) -> Double { time.flatMap { $0.isNaN ? nil : $0 } ?? -.infinity }

  var byteCount: Int { bytes?.count ?? ready?.pixels.count ?? 0 }

  /// A copy of the pixels; nil where there are fewer than the size says, or the size is none.
  func image() -> Image? {
    if let ready { return ready }
    guard let bytes, size.width > 0, size.height > 0, size.width <= 1 << 20, size.height <= 1 << 20,
      bytesPerRow >= size.width * 4, bytes.count / bytesPerRow >= size.height - 1,
      bytes.count >= (size.height - 1) * bytesPerRow + size.width * 4
    else { return nil }
    if bytesPerRow == size.width * 4 {
      return Image(size: size, alpha: alpha, pixels: Array(bytes.prefix(size.width * 4 * size.height)))
    }
    var pixels: [UInt8] = []
    pixels.reserveCapacity(size.width * 4 * size.height)
    for row in 0..<size.height { pixels += bytes[row * bytesPerRow..<row * bytesPerRow + size.width * 4] }
    return Image(size: size, alpha: alpha, pixels: pixels)
  }

  func release() {
    bytes = nil
    ready = nil
    let released = whenReleased
    whenReleased = nil
    released?()
  }
}

import Commit
import Geometry
import LinuxIO
import WaylandProtocol

/// A client's `wl_buffer` in shared memory. What is read is copied at once and the buffer given back, whatever the client
/// does to its memory later.
final class ShmBufferObject: WlBuffer.RequestHandler, SurfaceBuffer {
  private let pool: SharedPool
  private let offset: Int
  let size: PixelSize
  private let stride: Int
  private let format: ShmFormat
  private var resource: Resource<WlBuffer>?

  init(pool: SharedPool, offset: Int, size: PixelSize, stride: Int, format: ShmFormat) {
    (self.pool, self.offset, self.size, self.stride, self.format) = (pool, offset, size, stride, format)
  }

  func destroy(_ resource: Resource<WlBuffer>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<WlBuffer>) { self.resource = nil }

  func create(_ id: consuming NewID<WlBuffer>) throws(ProtocolViolation) { resource = try id.create(self) }

  func take(
    stream: UInt64, after last: Image?, damage: [PixelRect]?
  ) throws(ProtocolViolation) -> SurfacePicture {
    let image: Image
    do { image = try read(stream: stream, after: last, damage: damage) } catch {
      // As libwayland's own does: an error of `wl_shm`, on the buffer.
      let violation = ProtocolViolation(WlShm.ErrorCode.invalidFd, "a buffer can't be read: \(error)")
      resource?.post(violation)
      throw violation
    }
    resource?.sendRelease()
    return SurfacePicture(image: image)
  }

  /// Copies the pixels as they are now.
  /// - Parameter last: the picture before in the same surface, of which only what is damaged is read anew.
  private func read(
    stream: UInt64, after last: Image?, damage: [PixelRect]?
  ) throws(ForeignMemoryError) -> Image {
    var damage = damage
    if last == nil || last?.size != size || last?.alpha != format.alpha || last?.foreign != nil { damage = nil }
    var pixels = damage == nil ? [UInt8](repeating: 0, count: size.area * 4) : last?.pixels ?? []
    for rect in damage ?? [PixelRect(size: size)] { try read(rect, into: &pixels) }
    let revision = ImageRevision(stream: stream, base: damage == nil ? 0 : last?.identity ?? 0, damage: damage)
    guard let image = Image(size: size, alpha: format.alpha, pixels: pixels, revision: revision) else {
      throw .tooShort
    }
    return image
  }

  private func read(_ rect: PixelRect, into pixels: inout [UInt8]) throws(ForeignMemoryError) {
    let (x, width) = (Int(rect.minX), Int(rect.maxX - rect.minX))
    guard width > 0 else { return }
    let bytes = format.bytesPerPixel
    var fault: ForeignMemoryError?
    var line = bytes == 4 ? [] : [UInt8](repeating: 0, count: width * bytes)
    pixels.withUnsafeMutableBytes { target in
      for y in Int(rect.minY)..<Int(rect.maxY) {
        let start = (y * size.width + x) * 4
        let row = UnsafeMutableRawBufferPointer(rebasing: target[start..<start + width * 4])
        do throws(ForeignMemoryError) {
          // Copied before it is looked at: it may change under the reader's eyes.
          if bytes == 4 {
            try pool.memory.read(from: offset + y * stride + x * 4, into: row)
            format.convert(UnsafeRawBufferPointer(row), into: row)
          } else {
            var failed: ForeignMemoryError?
            line.withUnsafeMutableBytes { line in
              do throws(ForeignMemoryError) {
                try pool.memory.read(from: offset + y * stride + x * bytes, into: line)
                format.convert(UnsafeRawBufferPointer(line), into: row)
              } catch { failed = error }
            }
            if let failed { throw failed }
          }
        } catch {
          fault = error
          return
        }
      }
    }
    if let fault { throw fault }
  }
}

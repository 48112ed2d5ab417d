import Commit
import Geometry
import ImageFiles
import LinuxIO
import WaylandProtocol

/// A client's `porthole_buffer_v1`: a picture in shared memory. What is read is copied at once, so whatever the client
/// does to its memory later changes nothing here.
final class BufferObject: PortholeBufferV1.RequestHandler, PictureBuffer {
  private let pool: SharedPool
  private let offset: Int
  let size: PixelSize
  private let stride: Int
  private let isBlueFirst: Bool
  private let alpha: AlphaState
  var resource: Resource<PortholeBufferV1>?
  var isUsed = false

  init(pool: SharedPool, offset: Int, size: PixelSize, stride: Int, isBlueFirst: Bool, alpha: AlphaState) {
    self.pool = pool
    self.offset = offset
    self.size = size
    self.stride = stride
    self.isBlueFirst = isBlueFirst
    self.alpha = alpha
  }

  func destroyed(_ resource: Resource<PortholeBufferV1>) { self.resource = nil }

  func setFence(_ resource: Resource<PortholeBufferV1>, fence: consuming FileDescriptor) throws(ProtocolViolation) {
    throw ProtocolViolation(PortholeV1.ErrorCode.badFence, "a buffer in shared memory has no fence")
  }

  func answered(_ serial: UInt32, isAccepted: Bool) {
    isUsed = false
    resource?.sendRelease(serial: serial)
  }

  // MARK: Reading

  var byteCount: UInt64 { UInt64(clamping: size.area) * 4 }
  var form: ImageRevision.Form { ImageRevision.Form(size: size, alpha: alpha, isForeign: false) }

  func read(as revision: ImageRevision?) throws(ContentsError) -> Image {
    let row = size.width * 4
    var fault: ForeignMemoryError?
    var pixels = [UInt8](unsafeUninitializedCapacity: row * size.height) { target, initialized in
      target.initialize(repeating: 0)
      initialized = target.count
      do throws(ForeignMemoryError) {
        let raw = UnsafeMutableRawBufferPointer(target)
        if stride == row {
          try pool.memory.read(from: offset, into: UnsafeMutableRawBufferPointer(rebasing: raw[..<(row * size.height)]))
          return
        }
        for y in 0..<size.height {
          let part = UnsafeMutableRawBufferPointer(rebasing: raw[(y * row)..<((y + 1) * row)])
          try pool.memory.read(from: offset + y * stride, into: part)
        }
      } catch {
        fault = error
      }
    }
    if let fault { throw ContentsError(description: "a buffer can't be read: \(fault)") }
    if isBlueFirst { Self.swapRedAndBlue(&pixels) }
    guard let image = Image(size: size, alpha: alpha, pixels: pixels, revision: revision) else {
      throw ContentsError(description: "a buffer of \(size.width) × \(size.height) pixels is no picture")
    }
    return image
  }

  // MARK: Writing

  /// Writes premultiplied pixels of the buffer's own size. False where the memory can't be written to.
  func write(_ pixels: [UInt8]) -> Bool {
    guard let image = Image(size: size, alpha: .premultiplied, pixels: pixels) else { return false }
    var bytes: [UInt8]
    switch alpha {
    case .premultiplied: bytes = pixels
    case .straight: bytes = image.straight.pixels
    case .opaque:
      bytes = pixels
      for index in Swift.stride(from: 3, to: bytes.count, by: 4) { bytes[index] = 255 }
    }
    if isBlueFirst { Self.swapRedAndBlue(&bytes) }
    let row = size.width * 4
    return bytes.withUnsafeBytes { raw in
      for y in 0..<size.height {
        let part = UnsafeRawBufferPointer(rebasing: raw[(y * row)..<((y + 1) * row)])
        do { try pool.memory.write(part, at: offset + y * stride) } catch { return false }
      }
      return true
    }
  }

  private static func swapRedAndBlue(_ pixels: inout [UInt8]) {
    pixels.withUnsafeMutableBytes { bytes in
      for offset in Swift.stride(from: 0, to: bytes.count - 3, by: 4) {
        let value = bytes.load(fromByteOffset: offset, as: UInt32.self)
        let swapped = value & 0xFF00_FF00 | (value & 0xFF) << 16 | (value >> 16) & 0xFF
        bytes.storeBytes(of: swapped, toByteOffset: offset, as: UInt32.self)
      }
    }
  }
}

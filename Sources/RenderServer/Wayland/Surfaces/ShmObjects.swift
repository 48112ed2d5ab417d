import Commit
import Geometry
import LinuxIO
import WaylandProtocol

/// A client's `wl_shm`.
final class ShmObject: WlShm.RequestHandler {
  func createPool(
    _ resource: Resource<WlShm>, id: consuming NewID<WlShmPool>, fd: consuming FileDescriptor, size: Int32
  ) throws(ProtocolViolation) {
    guard size > 0 else { throw ProtocolViolation(WlShm.ErrorCode.invalidStride, "a pool of \(size) bytes") }
    let client = try SurfaceClient.of(resource)
    let pool: SharedPool
    do { pool = try SharedPool(client.member, fd, byteCount: Int(size)) } catch {
      switch error {
      case .limit(let error): throw client.violation(error)
      case .memory(let error): throw ProtocolViolation(WlShm.ErrorCode.invalidFd, error.description)
      }
    }
    try id.create(ShmPoolObject(client, pool))
  }
}

/// A client's `wl_shm_pool`.
private final class ShmPoolObject: WlShmPool.RequestHandler {
  private let client: SurfaceClient
  private let pool: SharedPool

  init(_ client: SurfaceClient, _ pool: SharedPool) { (self.client, self.pool) = (client, pool) }

  func destroy(_ resource: Resource<WlShmPool>) throws(ProtocolViolation) {}

  func resize(_ resource: Resource<WlShmPool>, size: Int32) throws(ProtocolViolation) {
    do { try pool.grow(to: Int(size)) } catch {
      switch error {
      case .limit(let error): throw client.violation(error)
      case .memory(let error): throw ProtocolViolation(WlShm.ErrorCode.invalidFd, error.description)
      }
    }
  }

  func createBuffer(
    _ resource: Resource<WlShmPool>, id: consuming NewID<WlBuffer>, offset: Int32, width: Int32, height: Int32,
    stride: Int32, format: WlShm.Format
  ) throws(ProtocolViolation) {
    guard let layout = ShmFormat(format) else {
      throw ProtocolViolation(WlShm.ErrorCode.invalidFormat, "the server takes no format \(format.rawValue)")
    }
    guard (1...16384).contains(width), (1...16384).contains(height), offset >= 0,
      Int(stride) >= Int(width) * layout.bytesPerPixel,
      Int(offset) + Int(stride) * Int(height) <= pool.memory.byteCount
    else {
      throw ProtocolViolation(
        WlShm.ErrorCode.invalidStride,
        "\(width) × \(height) pixels in rows of \(stride) bytes from \(offset) on, in \(pool.memory.byteCount) bytes")
    }
    let size = PixelSize(width: Int(width), height: Int(height))
    let object = ShmBufferObject(
      pool: pool, offset: Int(offset), size: size, stride: Int(stride), format: layout)
    try object.create(id)
  }
}

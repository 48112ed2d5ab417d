import LinuxIO
import WaylandProtocol

/// A buffer of a client's and the memory that it lies in.
final class TestPicture {
  final class BufferEar: PortholeBufferV1.EventHandler {
    var releases: [UInt32] = []
    var isUsable: Bool?
    func usable(_ proxy: Proxy<PortholeBufferV1>) { isUsable = true }
    func unusable(_ proxy: Proxy<PortholeBufferV1>, reason: String) { isUsable = false }
    func release(_ proxy: Proxy<PortholeBufferV1>, serial: UInt32) { releases.append(serial) }
  }

  let memory: SharedMemory
  let pool: Proxy<PortholePoolV1>
  let buffer: Proxy<PortholeBufferV1>
  let ear = BufferEar()

  init(
    _ client: TestClient, width: Int, height: Int, format: PortholePoolV1.Format = .rgba8888,
    alpha: PortholePoolV1.Alpha = .premultiplied
  ) throws {
    memory = try SharedMemory(byteCount: width * height * 4)
    pool = client.global.createPool(fd: memory.descriptor, size: UInt32(memory.byteCount))
    buffer = pool.createBuffer(
      offset: 0, width: UInt32(width), height: UInt32(height), stride: UInt32(width * 4), format: format,
      alpha: alpha)
    buffer.handler = ear
  }

  func fill(_ pixel: [UInt8]) {
    memory.withBytes { bytes in
      for index in bytes.indices { bytes[index] = pixel[index % 4] }
    }
  }
}

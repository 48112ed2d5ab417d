import Commit
import GLES
import GLRenderer
import Geometry
import WaylandProtocol

/// A client's `wl_buffer` in a dma-buf. The server keeps no copy in memory: the client gets it back when no surface shows it
/// and the GPU has done with it.
final class DmaSurfaceBuffer: WlBuffer.RequestHandler, SurfaceBuffer {
  private let client: SurfaceClient
  private let buffer: DmaBuffer
  private var resource: Resource<WlBuffer>?
  /// Commits whose pictures are shown, or are to be.
  private var holds = 0
  /// It is to be given back some time.
  private var isLent = false

  init(_ client: SurfaceClient, _ buffer: DmaBuffer) throws(ProtocolViolation) {
    self.client = client
    self.buffer = buffer
    let count = UInt64(buffer.planes.count)
    try client.limited { () throws(LimitViolation) in try client.member.account.add(.descriptors, count) }
  }

  deinit { client.member.account.remove(.descriptors, UInt64(buffer.planes.count)) }

  var size: PixelSize { buffer.size }

  func create(_ id: consuming NewID<WlBuffer>) throws(ProtocolViolation) { resource = try id.create(self) }

  /// Makes it at the server's end, to be told of in an event.
  func present(to client: ServerClient) -> Resource<WlBuffer>? {
    resource = Resource<WlBuffer>(for: client, version: 1, handler: self)
    return resource
  }

  func destroy(_ resource: Resource<WlBuffer>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<WlBuffer>) { self.resource = nil }

  func take(
    stream: UInt64, after last: Image?, damage: [PixelRect]?
  ) throws(ProtocolViolation) -> SurfacePicture {
    let alpha = buffer.format.isOpaque ? AlphaState.opaque : .premultiplied
    let isAlike = last.map { $0.size == size && $0.alpha == alpha && $0.foreign != nil } ?? false
    let revision = ImageRevision(
      stream: stream, base: isAlike ? last?.identity ?? 0 : 0, damage: isAlike ? damage : nil)
    guard let image = Image(size: size, alpha: alpha, foreign: DmaBufferContents(buffer), revision: revision) else {
      throw .noMemory
    }
    (holds, isLent) = (holds + 1, true)
    return SurfacePicture(image: image, hold: BufferHold { [self] in letGo() })
  }

  private func letGo() {
    holds -= 1
    guard holds == 0, !client.isEnded else { return }
    // A frame that shows it may be being drawn.
    client.server.afterFrames { [self] in
      guard holds == 0, isLent else { return }
      isLent = false
      resource?.sendRelease()
    }
  }
}

import Commit
import CommitCoding
import GLES
import GLRenderer
import Geometry
import LinuxIO
import WaylandProtocol

/// A client's `porthole_buffer_v1` in a dma-buf. The server keeps no copy of its own in memory: the client gets it back when
/// no layer shows it and the GPU has done with it.
final class DmaBufferObject: PortholeBufferV1.RequestHandler, PictureBuffer {
  private let session: ClientSession
  private let buffer: DmaBuffer
  var resource: Resource<PortholeBufferV1>?
  var isUsed = false
  /// For the next use.
  private var fence: SharedDescriptor?
  /// The picture that the commit in hand has made of it.
  private var picture: Image?

  init(_ session: ClientSession, _ buffer: DmaBuffer) throws(ProtocolViolation) {
    self.session = session
    self.buffer = buffer
    let count = UInt64(buffer.planes.count)
    try session.limited { () throws(LimitViolation) in try session.member.account.add(.descriptors, count) }
  }

  deinit { session.member.account.remove(.descriptors, UInt64(buffer.planes.count)) }

  var size: PixelSize { buffer.size }
  var byteCount: UInt64 { UInt64(clamping: size.area) * 4 }
  private var alpha: AlphaState { buffer.format.isOpaque ? .opaque : .premultiplied }
  var form: ImageRevision.Form { ImageRevision.Form(size: size, alpha: alpha, isForeign: true) }

  func destroyed(_ resource: Resource<PortholeBufferV1>) { self.resource = nil }

  func setFence(_ resource: Resource<PortholeBufferV1>, fence: consuming FileDescriptor) throws(ProtocolViolation) {
    guard SharedDescriptor.isFence(fence) else {
      throw session.violation(.badFence, "the descriptor is no fence of a driver's")
    }
    self.fence = SharedDescriptor(fence)
  }

  /// What one use reads or writes.
  func take() -> DmaBufferContents {
    defer { fence = nil }
    return DmaBufferContents(buffer, fence: fence)
  }

  /// Within one commit, the same picture for all who use it.
  func read(as revision: ImageRevision?) throws(ContentsError) -> Image {
    if let picture { return picture }
    guard let image = Image(size: size, alpha: alpha, foreign: take(), revision: revision) else {
      throw ContentsError(description: "a dma-buf of \(size.width) × \(size.height) pixels is no picture")
    }
    picture = image
    return image
  }

  func answered(_ serial: UInt32, isAccepted: Bool) {
    isUsed = false
    let picture = picture
    self.picture = nil
    guard let picture, isAccepted else { return release(serial) }
    session.lend(picture.identity, to: self, serial)
  }

  func release(_ serial: UInt32) { resource?.sendRelease(serial: serial) }

  /// The driver has tried to import it.
  func tell(_ fault: String?) {
    if let fault { resource?.sendUnusable(reason: fault.cut(to: 500)) } else { resource?.sendUsable() }
  }
}

/// Pictures of a client's dma-bufs that layers show, or that the GPU may still read.
struct LentBuffers {
  private(set) var lent: [UInt64: (buffer: DmaBufferObject, serial: UInt32)] = [:]

  mutating func lend(_ picture: UInt64, _ buffer: DmaBufferObject, _ serial: UInt32) {
    lent[picture] = (buffer, serial)
  }

  mutating func take(_ picture: UInt64) -> (buffer: DmaBufferObject, serial: UInt32)? {
    lent.removeValue(forKey: picture)
  }
}

extension ClientSession {
  /// A commit has made the picture of a dma-buf contents of layers.
  func lend(_ picture: UInt64, to buffer: DmaBufferObject, _ serial: UInt32) {
    member.isToldOfUnused = true
    lent.lend(picture, buffer, serial)
    // A later change of the same commit may have put something else in its place.
    if !member.shows(picture: picture) { giveBack([picture]) }
  }

  /// No layer shows these any more: they go back when every frame that was begun is done.
  func giveBack(_ pictures: [UInt64]) {
    let returned = pictures.compactMap { lent.take($0) }
    guard !returned.isEmpty else { return }
    server.afterFrames { for (buffer, serial) in returned { buffer.release(serial) } }
  }
}

/// A client's `porthole_dma_buffer_v1`: planes of one picture, gathered.
final class DmaPlanesObject: PortholeDmaBufferV1.RequestHandler {
  private let session: ClientSession
  private var planes: [DmaBuffer.Plane] = []

  init(_ session: ClientSession) { self.session = session }

  deinit { session.member.account.remove(.descriptors, UInt64(planes.count)) }

  func addPlane(
    _ resource: Resource<PortholeDmaBufferV1>, fd: consuming FileDescriptor, offset: UInt32, stride: UInt32
  ) throws(ProtocolViolation) {
    guard planes.count < DmaBuffer.mostPlanes else {
      throw session.violation(.badDmaBuffer, "a picture has at most \(DmaBuffer.mostPlanes) planes")
    }
    try session.limited { () throws(LimitViolation) in try session.member.account.add(.descriptors) }
    planes.append(DmaBuffer.Plane(SharedDescriptor(fd), offset: offset, stride: stride))
  }

  func createBuffer(
    _ resource: Resource<PortholeDmaBufferV1>, id: consuming NewID<PortholeBufferV1>, width: UInt32, height: UInt32,
    format: UInt32, modifierHi: UInt32, modifierLo: UInt32
  ) throws(ProtocolViolation) {
    let format = DmaBufferFormat(fourcc: format, modifier: UInt64(modifierHi) << 32 | UInt64(modifierLo))
    do { try session.server.stage.dmaBuffers.require(format) } catch {
      throw session.violation(.badFormat, error.description)
    }
    let size = PixelSize(width: Int(clamping: width), height: Int(clamping: height))
    let buffer: DmaBuffer
    do { buffer = try DmaBuffer(size: size, format: format, planes: planes) } catch {
      throw session.violation(.badDmaBuffer, error.description)
    }
    let object = try DmaBufferObject(session, buffer)
    object.resource = try id.create(object)
    session.server.attempt(buffer) { object.tell($0) }
  }
}

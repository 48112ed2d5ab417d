import Diagnostics
import GLES
import Geometry
import LinuxIO
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client's `zwp_linux_buffer_params_v1`: planes of one picture, gathered.
final class BufferParametersObject: ZwpLinuxBufferParamsV1.RequestHandler {
  private let client: SurfaceClient
  private var resource: Resource<ZwpLinuxBufferParamsV1>?
  private var planes: [UInt32: DmaBuffer.Plane] = [:]
  /// Of all planes.
  private var modifier: UInt64?
  private var isUsed = false

  init(_ client: SurfaceClient) { self.client = client }

  deinit { forgetPlanes() }

  private func forgetPlanes() {
    client.member.account.remove(.descriptors, UInt64(planes.count))
    planes = [:]
  }

  func create(_ id: consuming NewID<ZwpLinuxBufferParamsV1>) throws(ProtocolViolation) {
    resource = try id.create(self)
  }

  func destroy(_ resource: Resource<ZwpLinuxBufferParamsV1>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<ZwpLinuxBufferParamsV1>) { self.resource = nil }

  func add(
    _ resource: Resource<ZwpLinuxBufferParamsV1>, fd: consuming FileDescriptor, planeIdx: UInt32, offset: UInt32,
    stride: UInt32, modifierHi: UInt32, modifierLo: UInt32
  ) throws(ProtocolViolation) {
    try checkUnused()
    guard planeIdx < UInt32(DmaBuffer.mostPlanes) else {
      throw fault(.planeIdx, "a picture has at most \(DmaBuffer.mostPlanes) planes, and none of number \(planeIdx)")
    }
    guard planes[planeIdx] == nil else { throw fault(.planeSet, "there is a plane \(planeIdx) already") }
    let modifier = UInt64(modifierHi) << 32 | UInt64(modifierLo)
    guard self.modifier ?? modifier == modifier else {
      throw fault(.invalidFormat, "planes of one picture have one modifier")
    }
    try client.limited { () throws(LimitViolation) in try client.member.account.add(.descriptors) }
    self.modifier = modifier
    planes[planeIdx] = DmaBuffer.Plane(SharedDescriptor(fd), offset: offset, stride: stride)
  }

  func create(
    _ resource: Resource<ZwpLinuxBufferParamsV1>, width: Int32, height: Int32, format: UInt32,
    flags: ZwpLinuxBufferParamsV1.Flags
  ) throws(ProtocolViolation) {
    let picture: DmaBuffer
    do { picture = try gather(width, height, format, flags) } catch {
      switch error {
      case .client(let violation): throw violation
      case .unfit: return resource.sendFailed()
      }
    }
    let made = try DmaSurfaceBuffer(client, picture)
    client.server.attempt(picture) { [weak self] fault in
      guard let self, let resource = self.resource, let wire = resource.client else { return }
      if fault == nil, let buffer = made.present(to: wire) {
        resource.sendCreated(buffer: buffer)
      } else {
        resource.sendFailed()
      }
    }
  }

  func createImmed(
    _ resource: Resource<ZwpLinuxBufferParamsV1>, bufferId: consuming NewID<WlBuffer>, width: Int32, height: Int32,
    format: UInt32, flags: ZwpLinuxBufferParamsV1.Flags
  ) throws(ProtocolViolation) {
    let picture: DmaBuffer
    do { picture = try gather(width, height, format, flags) } catch {
      switch error {
      case .client(let violation): throw violation
      case .unfit(let reason): throw fault(.invalidWlBuffer, reason)
      }
    }
    let made = try DmaSurfaceBuffer(client, picture)
    try made.create(bufferId)
    // What the driver refuses shows nothing.
    client.server.attempt(picture) { [weak self, label = client.session.label] fault in
      guard let fault else { return }
      Log.warning("server", "a dma-buf of \(label) can't be shown: \(fault)")
      self?.resource?.sendFailed()
    }
  }

  // MARK: What is wrong with it

  private enum Fault: Error {
    case client(ProtocolViolation)
    /// No fault of the client's: the server can't show such a picture.
    case unfit(String)
  }

  private func fault(_ code: ZwpLinuxBufferParamsV1.ErrorCode, _ message: String) -> ProtocolViolation {
    ProtocolViolation(code, message)
  }

  private func checkUnused() throws(ProtocolViolation) {
    guard !isUsed else { throw fault(.alreadyUsed, "a buffer was made of these planes already") }
  }

  /// The picture that the planes make.
  private func gather(
    _ width: Int32, _ height: Int32, _ fourcc: UInt32, _ flags: ZwpLinuxBufferParamsV1.Flags
  ) throws(Fault) -> DmaBuffer {
    do { try checkUnused() } catch { throw .client(error) }
    isUsed = true
    defer { forgetPlanes() }
    let indices = planes.keys.sorted()
    guard !indices.isEmpty, indices.last == UInt32(indices.count - 1) else {
      throw .client(fault(.incomplete, "planes \(indices) are not all from 0 on"))
    }
    let format = DmaBufferFormat(fourcc: fourcc, modifier: modifier ?? DmaBufferFormat.implicit)
    do throws(DmaBufferFault) { try client.server.stage.dmaBuffers.require(format) } catch {
      throw .client(fault(.invalidFormat, error.description))
    }
    // What drivers keep beside the pixels is a plane of its own in layouts of theirs alone.
    let isPlain = format.modifier == DmaBufferFormat.linear || format.modifier == DmaBufferFormat.implicit
    guard !isPlain || indices.count == 1 else {
      throw .client(fault(.incomplete, "\(indices.count) planes; \(format) has one"))
    }
    guard width > 0, height > 0 else {
      throw .client(fault(.invalidDimensions, "\(width) × \(height) pixels are no picture"))
    }
    try checkBounds(width, height, format)
    guard flags == [] else { throw .unfit("pictures upside down or of half the lines are not shown") }
    let size = PixelSize(width: Int(width), height: Int(height))
    do throws(DmaBufferFault) {
      return try DmaBuffer(size: size, format: format, planes: indices.compactMap { planes[$0] })
    } catch {
      throw .unfit(error.description)
    }
  }

  private func checkBounds(_ width: Int32, _ height: Int32, _ format: DmaBufferFormat) throws(Fault) {
    for (index, plane) in planes {
      let (offset, stride) = (UInt64(plane.offset), UInt64(plane.stride))
      // Of planes beside the first, only the driver knows how many rows they have.
      let rows = index == 0 ? UInt64(height) : 1
      let end = offset + stride * rows
      let bytes = lseek(plane.descriptor.rawValue, 0, SEEK_END)
      let isInside = end <= UInt64(UInt32.max) && (bytes < 0 || end <= UInt64(bytes))
      guard isInside, format.modifier != DmaBufferFormat.linear || stride >= UInt64(width) * 4 else {
        throw .client(
          fault(
            .outOfBounds,
            "plane \(index): \(rows) rows of \(stride) bytes from \(offset) on, in \(bytes) bytes, for \(width) pixels"
          ))
      }
    }
  }
}

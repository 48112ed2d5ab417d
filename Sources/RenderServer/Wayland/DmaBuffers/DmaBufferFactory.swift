import GLES
import LinuxIO
import WaylandProtocol

/// A client's `zwp_linux_dmabuf_v1`, offered where the display can import dma-bufs.
final class DmaBufferFactory: ZwpLinuxDmabufV1.RequestHandler {
  private let layouts: DmaBufferLayouts

  private init(_ layouts: DmaBufferLayouts) { self.layouts = layouts }

  static func bind(_ id: consuming NewID<ZwpLinuxDmabufV1>, _ layouts: DmaBufferLayouts) throws(ProtocolViolation) {
    layouts.tell(try id.create(DmaBufferFactory(layouts)))
  }

  func destroy(_ resource: Resource<ZwpLinuxDmabufV1>) throws(ProtocolViolation) {}

  func createParams(
    _ resource: Resource<ZwpLinuxDmabufV1>, paramsId: consuming NewID<ZwpLinuxBufferParamsV1>
  ) throws(ProtocolViolation) {
    try BufferParametersObject(SurfaceClient.of(resource)).create(paramsId)
  }

  func getDefaultFeedback(
    _ resource: Resource<ZwpLinuxDmabufV1>, id: consuming NewID<ZwpLinuxDmabufFeedbackV1>
  ) throws(ProtocolViolation) {
    try layouts.tell(id.create(DmaBufferFeedback()))
  }

  /// Every surface is drawn by the one device.
  func getSurfaceFeedback(
    _ resource: Resource<ZwpLinuxDmabufV1>, id: consuming NewID<ZwpLinuxDmabufFeedbackV1>,
    surface: Resource<WlSurface>
  ) throws(ProtocolViolation) {
    try layouts.tell(id.create(DmaBufferFeedback()))
  }
}

/// A client's `zwp_linux_dmabuf_feedback_v1`: it was told everything when it was made.
private final class DmaBufferFeedback: ZwpLinuxDmabufFeedbackV1.RequestHandler {
  func destroy(_ resource: Resource<ZwpLinuxDmabufFeedbackV1>) throws(ProtocolViolation) {}
}

/// How pixels may lie in dma-bufs that programs send, and which device reads them.
struct DmaBufferLayouts {
  private let formats: [DmaBufferFormat]
  /// The kernel's number of a DRM node; nil where none is known.
  private let device: UInt64?

  /// Nil for a display that imports none.
  init?(_ support: DmaBufferSupport, device: UInt64?) {
    guard case .formats(let formats) = support else { return nil }
    (self.formats, self.device) = (formats, device)
  }

  /// From version 4 on, clients are told of the device.
  var version: UInt32 { device == nil ? 3 : 4 }

  fileprivate func tell(_ resource: Resource<ZwpLinuxDmabufV1>) {
    guard resource.version < 4 else { return }
    for format in formats {
      if resource.version >= 3 {
        resource.sendModifier(
          format: format.fourcc, modifierHi: UInt32(truncatingIfNeeded: format.modifier >> 32),
          modifierLo: UInt32(truncatingIfNeeded: format.modifier))
      } else if format.modifier == DmaBufferFormat.implicit {
        resource.sendFormat(format: format.fourcc)
      }
    }
  }

  /// - Throws: `noMemory` where there is none for the table.
  fileprivate func tell(_ resource: Resource<ZwpLinuxDmabufFeedbackV1>) throws(ProtocolViolation) {
    // A table of its own each time: whoever has got one may write into it.
    let table: SharedMemory
    do { table = try SharedMemory(name: "porthole-formats", byteCount: formats.count * 16) } catch { throw .noMemory }
    table.withBytes { bytes in
      for (index, format) in formats.enumerated() {
        bytes.storeBytes(of: format.fourcc, toByteOffset: index * 16, as: UInt32.self)
        bytes.storeBytes(of: format.modifier, toByteOffset: index * 16 + 8, as: UInt64.self)
      }
    }
    resource.sendFormatTable(fd: table.descriptor, size: UInt32(clamping: table.byteCount))
    let device = [device ?? 0]
    resource.sendMainDevice(device: device.span.bytes)
    resource.sendTrancheTargetDevice(device: device.span.bytes)
    resource.sendTrancheFlags(flags: [])
    let indices = formats.indices.map { UInt16(clamping: $0) }
    resource.sendTrancheFormats(indices: indices.span.bytes)
    resource.sendTrancheDone()
    resource.sendDone()
  }
}

import Commit
import LinuxIO
import WaylandProtocol

/// The operator's `porthole_inspector_v1`: sees every client. Offered to the server's own user alone.
final class InspectorObject: PortholeInspectorV1.RequestHandler {
  func getStatistics(
    _ resource: Resource<PortholeInspectorV1>, id: consuming NewID<PortholeStatisticsV1>
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    let all = session.server.sessions.values.sorted { $0.member.number < $1.member.number }
    try StatisticsObject.create(session, id, of: all)
  }

  func dump(
    _ resource: Resource<PortholeInspectorV1>, document: PortholeInspectorV1.Document, fd: consuming FileDescriptor
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    guard let text = session.server.document(document) else {
      throw session.violation(.badFormat, "there is no document \(document.rawValue)")
    }
    // Where it can't be written, the reader finds an empty document.
    guard let sink = ByteSink(fd) else { return }
    session.server.writer.write(Array(text.utf8), to: sink) { _ in }
  }

  func capture(
    _ resource: Resource<PortholeInspectorV1>, id: consuming NewID<PortholeCaptureV1>,
    subject: PortholeInspectorV1.Subject, numberHi: UInt32, numberLo: UInt32, scale: RawSpan,
    fd: consuming FileDescriptor, format: PortholeCaptureV1.Format
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    guard let format = PictureFormat(format) else { throw session.violation(.badFormat, "unknown file format") }
    let number = UInt64(numberHi) << 32 | UInt64(numberLo)
    if subject == .layer {
      let scale = try OutputMode.scale(session, scale)
      return try CaptureObject.captureLayer(session, id, LayerID(rawValue: number), scale: scale, fd, format)
    }
    guard subject == .output else { throw session.violation(.badValue, "there is no subject \(subject.rawValue)") }
    let capture = try CaptureObject.toFile(session, id, fd, format, count: 1)
    guard !capture.isOver else { return }
    guard let output = session.server.outputs[OutputNumber(rawValue: number)] else { return capture.fail(.gone) }
    output.addStream(capture)
  }

  func importExported(
    _ resource: Resource<PortholeInspectorV1>, id: consuming NewID<PortholeImportV1>, numberHi: UInt32,
    numberLo: UInt32
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    let layer = LayerID(rawValue: UInt64(numberHi) << 32 | UInt64(numberLo))
    let made = try session.limited { () throws(LimitViolation) in
      try session.server.tree.redeem(exportOf: layer, by: session.member)
    }
    try ImportObject.create(session, id, made)
  }

  func record(_ resource: Resource<PortholeInspectorV1>, fd: consuming FileDescriptor) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    // Where it can't be written to, the reader finds an empty trace.
    guard let sink = ByteSink(fd) else { return }
    try session.limited { () throws(LimitViolation) in try session.member.account.add(.descriptors) }
    session.server.record(for: session, to: sink)
  }

  func exportLayer(
    _ resource: Resource<PortholeInspectorV1>, numberHi: UInt32, numberLo: UInt32, flags: PortholeExportV1.Flags,
    fd: consuming FileDescriptor
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    guard PortholeExportV1.Flags.known.isSuperset(of: flags) else {
      throw session.violation(.badFlags, "unknown flags of an export")
    }
    let layer = LayerID(rawValue: UInt64(numberHi) << 32 | UInt64(numberLo))
    guard let sink = ByteSink(fd), let owner = session.server.sessions[layer.client], owner.layers[layer] != nil else {
      return
    }
    let made = try session.limited { () throws(LimitViolation) in
      try session.server.tree.export(layer, of: owner.member, isSingleUse: flags.contains(.singleUse))
    }
    session.server.writer.write(Array("\(made.handle.hex)\n".utf8), to: sink) { _ in }
  }

  func stopRecording(_ resource: Resource<PortholeInspectorV1>) throws(ProtocolViolation) {
    try ClientSession.of(resource).server.stopRecording()
  }
}

extension ServerCore {
  func inspect(_ id: consuming NewID<PortholeInspectorV1>) throws(ProtocolViolation) {
    try id.create(InspectorObject())
  }
}

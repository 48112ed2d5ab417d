import Commit
import CommitCoding
import GLES
import Geometry
import LinuxIO
import WaylandProtocol

/// A client's `porthole_v1`.
final class GlobalObject: PortholeV1.RequestHandler {
  func setName(_ resource: Resource<PortholeV1>, name: String) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    guard name.utf8.count <= 255 else { throw session.violation(.badName, "a name of more than 255 bytes") }
    session.name = name
  }

  func createLayer(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeLayerV1>, kind: PortholeLayerV1.Kind
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    guard let made = LayerKind(kind) else {
      throw session.violation(.badKind, "there is no layer of kind \(kind.rawValue)")
    }
    let layer = try session.limited { () throws(LimitViolation) in
      try session.server.tree.createLayer(session.member, made)
    }
    let object = LayerObject(session, layer, made)
    object.resource = try id.create(object)
    session.layers[layer] = object
  }

  func createPool(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholePoolV1>, fd: consuming FileDescriptor, size: UInt32
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    let pool: SharedPool
    do { pool = try SharedPool(session.member, fd, byteCount: Int(size)) } catch { throw session.violation(error) }
    try id.create(PoolObject(session, pool))
  }

  func createOutput(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeOutputV1>, width: UInt32, height: UInt32,
    scale: RawSpan, rate: UInt32, flags: PortholeOutputV1.Flags
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    guard PortholeOutputV1.Flags.known.isSuperset(of: flags) else {
      throw session.violation(.badFlags, "unknown flags of an output")
    }
    if flags.contains(.secure), !session.server.options.allowsSecureOutputs {
      throw session.violation(.denied, "this server gives no secure output")
    }
    let mode = try OutputMode(session, width: width, height: height, scale: scale, rate: rate)
    try session.limited { () throws(LimitViolation) in try session.member.account.add(.outputs) }
    let object = OutputObject(session, mode, isSecure: flags.contains(.secure))
    object.resource = try id.create(object)
    session.server.outputs[object.number] = object
    try session.limited { () throws(LimitViolation) in try session.member.checkTextures() }
  }

  func commit(_ resource: Resource<PortholeV1>, serial: UInt32) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    try session.commit(serial, answerTo: resource)
  }

  func feedback(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeFeedbackV1>, output: Resource<PortholeOutputV1>
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    try session.ask()
    let object = FeedbackObject(session)
    object.resource = try id.create(object)
    if let output = output.handler as? OutputObject { session.feedbacks.append((object, output)) }
  }

  func exportLayer(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeExportV1>, layer: Resource<PortholeLayerV1>,
    flags: PortholeExportV1.Flags
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    guard PortholeExportV1.Flags.known.isSuperset(of: flags) else {
      throw session.violation(.badFlags, "unknown flags of an export")
    }
    guard let layer = layer.handler as? LayerObject else { return }
    let made = try session.limited { () throws(LimitViolation) in
      try session.server.tree.export(layer.id, of: session.member, isSingleUse: flags.contains(.singleUse))
    }
    let object = ExportObject(session, made.id)
    let exported = try id.create(object)
    object.resource = exported
    session.server.exports[made.id] = object
    exported.sendHandle(handle: made.handle.bytes.span.bytes)
  }

  func importLayer(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeImportV1>, handle: RawSpan
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    let handle = ExportHandle(handle)
    let made = try session.limited { () throws(LimitViolation) in
      try session.server.tree.redeem(handle, by: session.member)
    }
    try ImportObject.create(session, id, made)
  }

  func hitTest(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeHitV1>, output: Resource<PortholeOutputV1>,
    point: RawSpan
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    let numbers = try session.doubles(point, 2, "the point of a hit test")
    let hit = try id.create(HitObject())
    if let output = output.handler as? OutputObject { output.hitTest(Point(numbers[0], numbers[1]), answerTo: hit) }
    hit.sendDone()
  }

  func captureLayer(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeCaptureV1>, layer: Resource<PortholeLayerV1>,
    scale: RawSpan, fd: consuming FileDescriptor, format: PortholeCaptureV1.Format
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    let scale = try OutputMode.scale(session, scale)
    guard let format = PictureFormat(format) else { throw session.violation(.badFormat, "unknown file format") }
    let target = (layer.handler as? LayerObject)?.id
    try CaptureObject.captureLayer(session, id, target, scale: scale, fd, format)
  }

  func getStatistics(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeStatisticsV1>
  ) throws(ProtocolViolation) {
    let session = try ClientSession.of(resource)
    try StatisticsObject.create(session, id, of: [session])
  }

  func createDmaBuffer(
    _ resource: Resource<PortholeV1>, id: consuming NewID<PortholeDmaBufferV1>
  ) throws(ProtocolViolation) {
    try id.create(DmaPlanesObject(try ClientSession.of(resource)))
  }
}

extension LayerKind {
  init?(_ kind: PortholeLayerV1.Kind) {
    switch kind {
    case .layer: self = .layer
    case .gradient: self = .gradient
    case .portal: self = .portal
    case .transform: self = .transform
    case .backdrop: self = .backdrop
    case .replicator: self = .replicator
    default: return nil
    }
  }
}

extension ServerCore {
  /// A client has bound the global: tells it its limits.
  func bind(_ id: consuming NewID<PortholeV1>) throws(ProtocolViolation) {
    let global = try id.create(GlobalObject())
    let session = try ClientSession.of(global)
    for kind in ClientLimits.Kind.allCases {
      var value = session.member.account.limits[kind]
      if kind == .outputSide { value = min(value, UInt64(clamping: stage.longestSide)) }
      global.sendLimit(
        limit: PortholeV1.Limit(rawValue: kind.rawValue), valueHi: UInt32(truncatingIfNeeded: value >> 32),
        valueLo: UInt32(truncatingIfNeeded: value))
    }
    switch stage.dmaBuffers {
    case .none(let reason): global.sendNoDmaBuffers(reason: reason.cut(to: 500))
    case .formats(let formats):
      for format in formats {
        global.sendDmaBufferFormat(
          format: format.fourcc, modifierHi: UInt32(truncatingIfNeeded: format.modifier >> 32),
          modifierLo: UInt32(truncatingIfNeeded: format.modifier))
      }
    }
    global.sendDone()
  }
}

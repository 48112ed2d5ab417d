import Commit
import CommitCoding
import Geometry
import WaylandProtocol

/// A client's `porthole_layer_v1`; without a resource, a layer that stands for something else of the client's.
final class LayerObject: PortholeLayerV1.RequestHandler {
  private let session: ClientSession
  let id: LayerID
  let kind: LayerKind
  var resource: Resource<PortholeLayerV1>?
  var name: String?
  /// Of a portal, as the client has said them.
  private var overrides: [PortalOverride] = []
  /// Where the next picture differs from the one before it; nil where nobody has said.
  private var damage: [PixelRect]?

  init(_ session: ClientSession, _ id: LayerID, _ kind: LayerKind, name: String? = nil) {
    self.session = session
    self.id = id
    self.kind = kind
    self.name = name
  }

  func destroyed(_ resource: Resource<PortholeLayerV1>) {
    self.resource = nil
    guard !session.isEnded else { return }
    session.layers[id] = nil
    session.member.release(id)
  }

  func setName(_ resource: Resource<PortholeLayerV1>, name: String) throws(ProtocolViolation) {
    guard name.utf8.count <= 255 else { throw session.violation(.badName, "a name of more than 255 bytes") }
    self.name = name
    try session.limited { () throws(LimitViolation) in try session.member.set(id, .name(name.isEmpty ? nil : name)) }
  }

  func clearOverrides(_ resource: Resource<PortholeLayerV1>) throws(ProtocolViolation) {
    overrides = []
    guard kind == .portal else { return }
    try session.limited { () throws(LimitViolation) in try session.member.setOverrides([], of: id) }
  }

  func addOverrides(
    _ resource: Resource<PortholeLayerV1>, path: String, records: RawSpan
  ) throws(ProtocolViolation) {
    guard let steps = PortalOverride.steps(path) else {
      throw session.violation(.badValue, "“\(path.cut(to: 80))” is no path of overrides")
    }
    var fault: PropertyRecordError?
    records.withUnsafeBytes { bytes in
      do throws(PropertyRecordError) {
        try PropertyRecords.decode(bytes) { change in
          // One more than is allowed is refused with the commit; more than that would only take memory.
          guard overrides.count <= PortalOverride.countLimit else { return }
          overrides.append(PortalOverride(path: steps, change))
        }
      } catch {
        fault = error
      }
    }
    if let fault { throw session.violation(PortholeV1.ErrorCode(fault.fault), fault.description) }
    try session.limited { () throws(LimitViolation) in try session.member.setOverrides(overrides, of: id) }
  }

  func set(_ resource: Resource<PortholeLayerV1>, records: RawSpan) throws(ProtocolViolation) {
    var excess: LimitViolation?
    var fault: PropertyRecordError?
    records.withUnsafeBytes { bytes in
      do throws(PropertyRecordError) {
        try PropertyRecords.decode(bytes) { change in
          guard excess == nil else { return }
          do throws(LimitViolation) { try session.member.set(id, change) } catch { excess = error }
        }
      } catch {
        fault = error
      }
    }
    if let fault { throw session.violation(PortholeV1.ErrorCode(fault.fault), fault.description) }
    if let excess { throw session.violation(excess) }
  }

  func setContents(
    _ resource: Resource<PortholeLayerV1>, buffer: Resource<PortholeBufferV1>?
  ) throws(ProtocolViolation) {
    let buffer = buffer?.handler as? any PictureBuffer
    let damage = takeDamage()
    try session.limited { () throws(LimitViolation) in try session.member.setContents(id, buffer, damage: damage) }
    if let buffer { use(buffer) }
  }

  func addDamage(
    _ resource: Resource<PortholeLayerV1>, x: Int32, y: Int32, width: Int32, height: Int32
  ) throws(ProtocolViolation) {
    guard width >= 0, height >= 0 else {
      throw session.violation(.badDamage, "damage of \(width) × \(height) pixels")
    }
    func end(_ start: Int32, _ length: Int32) -> Int32 {
      let (end, overflow) = start.addingReportingOverflow(length)
      return overflow ? .max : end
    }
    let rect = PixelRect(minX: x, minY: y, maxX: end(x, width), maxY: end(y, height))
    // One more than is kept stands for all of them.
    guard (damage ?? []).count <= ImageRevision.rectLimit else { return }
    damage = (damage ?? []) + (rect.isEmpty ? [] : [rect])
  }

  private func takeDamage() -> [PixelRect]? {
    defer { damage = nil }
    return damage
  }

  func queueContents(
    _ resource: Resource<PortholeLayerV1>, buffer: Resource<PortholeBufferV1>, secondsHi: UInt32, secondsLo: UInt32,
    nanoseconds: UInt32
  ) throws(ProtocolViolation) {
    guard let buffer = buffer.handler as? any PictureBuffer else { return }
    let seconds = UInt64(secondsHi) << 32 | UInt64(secondsLo)
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    guard nanoseconds < 1_000_000_000, !overflow, whole < .max - 1_000_000_000 else {
      throw session.violation(.badValue, "\(seconds) s and \(nanoseconds) ns are no time")
    }
    let damage = takeDamage()
    try session.limited { () throws(LimitViolation) in
      try session.member.queue(.add(id, buffer, time: whole + UInt64(nanoseconds), damage: damage))
    }
    use(buffer)
  }

  func clearQueue(_ resource: Resource<PortholeLayerV1>) throws(ProtocolViolation) {
    try session.limited { () throws(LimitViolation) in try session.member.queue(.clear(id)) }
  }

  private func use(_ buffer: any PictureBuffer) {
    guard !buffer.isUsed else { return }
    buffer.isUsed = true
    session.usedBuffers.append(buffer)
  }

  func setMask(
    _ resource: Resource<PortholeLayerV1>, mask: Resource<PortholeLayerV1>?
  ) throws(ProtocolViolation) {
    let mask = (mask?.handler as? LayerObject)?.id
    try session.limited { () throws(LimitViolation) in try session.member.setMask(mask, of: id) }
  }

  func setSourceLayer(
    _ resource: Resource<PortholeLayerV1>, source: Resource<PortholeLayerV1>?
  ) throws(ProtocolViolation) {
    let source = (source?.handler as? LayerObject)?.id
    try session.limited { () throws(LimitViolation) in try session.member.set(id, .sourceLayer(source)) }
  }

  func setSourceImport(
    _ resource: Resource<PortholeLayerV1>, source: Resource<PortholeImportV1>
  ) throws(ProtocolViolation) {
    let export = (source.handler as? ImportObject)?.export
    try session.limited { () throws(LimitViolation) in try session.member.setSource(id, export: export) }
  }

  func addAnimation(
    _ resource: Resource<PortholeLayerV1>, key: String, tokenHi: UInt32, tokenLo: UInt32, animation: RawSpan
  ) throws(ProtocolViolation) {
    guard key.utf8.count <= 255 else { throw session.violation(.badName, "a key of more than 255 bytes") }
    var decoded: Animation?
    var fault: AnimationRecordError?
    animation.withUnsafeBytes { bytes in
      do throws(AnimationRecordError) { decoded = try AnimationRecord.decode(bytes) } catch { fault = error }
    }
    guard var decoded else {
      throw session.violation(
        fault?.fault == .wrongValue ? .badValue : .badRecord, fault?.description ?? "no animation")
    }
    decoded.token = UInt64(tokenHi) << 32 | UInt64(tokenLo)
    let added = decoded
    try session.limited { () throws(LimitViolation) in try session.member.addAnimation(id, key: key, added) }
  }

  func removeAnimation(_ resource: Resource<PortholeLayerV1>, key: String?) throws(ProtocolViolation) {
    try session.limited { () throws(LimitViolation) in try session.member.removeAnimation(id, key: key) }
  }

  func getPresentation(
    _ resource: Resource<PortholeLayerV1>, id: consuming NewID<PortholePresentationV1>
  ) throws(ProtocolViolation) {
    let presentation = PresentationObject(session, self.id)
    presentation.answer(try id.create(presentation))
  }

  func insertSublayer(
    _ resource: Resource<PortholeLayerV1>, child: Resource<PortholeLayerV1>, index: UInt32
  ) throws(ProtocolViolation) {
    guard let child = child.handler as? LayerObject else { return }
    try session.limited { () throws(LimitViolation) in
      try session.member.insert(child.id, into: id, at: Int(index))
    }
  }

  func removeFromParent(_ resource: Resource<PortholeLayerV1>) throws(ProtocolViolation) {
    try session.limited { () throws(LimitViolation) in try session.member.removeFromParent(id) }
  }
}

extension PortholeV1.ErrorCode {
  init(_ fault: PropertyRecordError.Fault) {
    switch fault {
    case .cutShort, .tooLong: self = .badRecord
    case .unknownKey: self = .badProperty
    case .wrongCount, .wrongValue: self = .badValue
    }
  }
}

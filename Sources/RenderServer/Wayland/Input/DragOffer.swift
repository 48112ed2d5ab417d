import LinuxIO
import WaylandProtocol

/// What a surface under a drag is offered, and what it says to it: the same to each of its client's devices.
final class DragOffer {
  private weak var source: DataSourceObject?
  private var resources: [Resource<WlDataOffer>] = []
  private var isAccepted = false
  private var action = WlDataDeviceManager.DndAction.none
  private var isDropped = false
  private var isOver = false

  init(_ source: DataSourceObject) { self.source = source }

  /// Whether it would be taken, if it were let go of.
  var isWanted: Bool { isAccepted && (action != .none || resources.contains { $0.version < 3 }) }

  func present(to device: Resource<WlDataDevice>) -> Resource<WlDataOffer>? {
    guard let source, let client = device.client,
      let resource = Resource<WlDataOffer>(for: client, version: device.version, handler: DragOfferObject(self))
    else { return nil }
    resources.append(resource)
    device.sendDataOffer(id: resource)
    for type in source.types { resource.sendOffer(mimeType: type) }
    if resource.version >= 3 { resource.sendSourceActions(sourceActions: source.actions ?? .none) }
    return resource
  }

  func drop() {
    isDropped = true
    source?.performDrop()
  }

  /// The drag has gone on elsewhere.
  func withdraw() {
    isOver = true
    source?.target(nil)
  }

  // MARK: What the target says

  func accept(_ type: String?) {
    guard !isOver, !isDropped else { return }
    isAccepted = type != nil
    source?.target(type)
  }

  func receive(_ type: String, _ descriptor: borrowing FileDescriptor) {
    // What was withdrawn is nobody's to read.
    if !isOver { source?.send(type, to: descriptor) }
  }

  func setActions(
    _ wanted: WlDataDeviceManager.DndAction, preferred: WlDataDeviceManager.DndAction
  ) throws(ProtocolViolation) {
    guard WlDataDeviceManager.DndAction.known.isSuperset(of: wanted) else {
      throw ProtocolViolation(WlDataOffer.ErrorCode.invalidActionMask, "unknown actions \(wanted.rawValue)")
    }
    guard [WlDataDeviceManager.DndAction.none, .copy, .move, .ask].contains(preferred),
      wanted.isSuperset(of: preferred)
    else {
      throw ProtocolViolation(WlDataOffer.ErrorCode.invalidAction, "no preferred action \(preferred.rawValue)")
    }
    guard !isOver, let source else { return }
    let possible = wanted.intersection(source.actions ?? .none)
    let choices = [preferred, .copy, .move, .ask]
    let chosen = choices.first { $0 != .none && possible.isSuperset(of: $0) } ?? .none
    guard chosen != action else { return }
    action = chosen
    for resource in resources where resource.version >= 3 { resource.sendAction(dndAction: chosen) }
    source.choose(chosen)
  }

  func finish() throws(ProtocolViolation) {
    guard isDropped, !isOver, isAccepted, action != .none, action != .ask else {
      throw ProtocolViolation(WlDataOffer.ErrorCode.invalidFinish, "nothing was dropped, accepted and with an action")
    }
    isOver = true
    source?.finish()
  }

  /// The target lets go of it.
  func discarded(_ resource: Resource<WlDataOffer>) {
    resources.removeAll { $0 === resource }
    guard isDropped, !isOver, resources.isEmpty else { return }
    isOver = true
    // Before version 3, that was the end of it.
    if resource.version >= 3 { source?.cancel() } else { source?.finish() }
  }
}

/// A client's `wl_data_offer` of a drag.
private final class DragOfferObject: WlDataOffer.RequestHandler {
  private let offer: DragOffer

  init(_ offer: DragOffer) { self.offer = offer }

  func accept(_ resource: Resource<WlDataOffer>, serial: UInt32, mimeType: String?) throws(ProtocolViolation) {
    offer.accept(mimeType)
  }

  func receive(
    _ resource: Resource<WlDataOffer>, mimeType: String, fd: consuming FileDescriptor
  ) throws(ProtocolViolation) {
    offer.receive(mimeType, fd)
  }

  func destroy(_ resource: Resource<WlDataOffer>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<WlDataOffer>) { offer.discarded(resource) }

  func finish(_ resource: Resource<WlDataOffer>) throws(ProtocolViolation) { try offer.finish() }

  func setActions(
    _ resource: Resource<WlDataOffer>, dndActions: WlDataDeviceManager.DndAction,
    preferredAction: WlDataDeviceManager.DndAction
  ) throws(ProtocolViolation) {
    try offer.setActions(dndActions, preferred: preferredAction)
  }
}

import Geometry
import LinuxIO
import WaylandProtocol

/// What was copied (`wl_data_device`).
typealias Selection = Clipboard<WlDataDevice, DataSourceObject>

extension Clipboard where Device == WlDataDevice, Source == DataSourceObject {
  convenience init() {
    self.init { source, device in
      guard let source, let client = device.client,
        let offer = Resource<WlDataOffer>(for: client, version: device.version, handler: DataOfferObject(source))
      else { return device.sendSelection(id: nil) }
      device.sendDataOffer(id: offer)
      for type in source.types { offer.sendOffer(mimeType: type) }
      device.sendSelection(id: offer)
    }
  }
}

/// A client's `wl_data_device_manager`.
final class DataDeviceManagerObject: WlDataDeviceManager.RequestHandler {
  private let selection: Selection

  init(_ selection: Selection) { self.selection = selection }

  func createDataSource(
    _ resource: Resource<WlDataDeviceManager>, id: consuming NewID<WlDataSource>
  ) throws(ProtocolViolation) {
    let source = DataSourceObject(selection)
    source.resource = try id.create(source)
  }

  func getDataDevice(
    _ resource: Resource<WlDataDeviceManager>, id: consuming NewID<WlDataDevice>, seat: Resource<WlSeat>
  ) throws(ProtocolViolation) {
    selection.add(try id.create(DataDeviceObject(selection)))
  }
}

/// A client's `wl_data_source`: something that it would give to others, in some forms.
final class DataSourceObject: WlDataSource.RequestHandler, CopySource {
  private let selection: Selection
  var resource: Resource<WlDataSource>?
  private(set) var types: [String] = []
  /// What may be done with it, where it is dragged; nil where nothing was said.
  private(set) var actions: WlDataDeviceManager.DndAction?
  /// It is, or was, the clipboard's or a drag's.
  var isUsed = false
  weak var drag: DataDrag?
  static let typeLimit = 256

  init(_ selection: Selection) { self.selection = selection }

  func offer(_ resource: Resource<WlDataSource>, mimeType: String) throws(ProtocolViolation) {
    guard types.count < Self.typeLimit else { throw .exhausted("more than \(Self.typeLimit) types of one data source") }
    types.append(mimeType)
  }

  func setActions(
    _ resource: Resource<WlDataSource>, dndActions: WlDataDeviceManager.DndAction
  ) throws(ProtocolViolation) {
    guard WlDataDeviceManager.DndAction.known.isSuperset(of: dndActions) else {
      throw ProtocolViolation(WlDataSource.ErrorCode.invalidActionMask, "unknown actions \(dndActions.rawValue)")
    }
    guard actions == nil, !isUsed else {
      throw ProtocolViolation(WlDataSource.ErrorCode.invalidSource, "actions are said once, and before a drag begins")
    }
    actions = dndActions
  }

  func destroy(_ resource: Resource<WlDataSource>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<WlDataSource>) {
    self.resource = nil
    selection.lost(self)
    drag?.cancel()
  }

  func taken() { isUsed = true }

  /// Somebody else's has taken its place, or the drag has come to nothing.
  func cancel() { resource?.sendCancelled() }

  // What becomes of it as it is dragged.

  /// Nil: where it is now, nobody takes it.
  func target(_ type: String?) { resource?.sendTarget(mimeType: type) }

  func choose(_ action: WlDataDeviceManager.DndAction) {
    if let resource, resource.version >= 3 { resource.sendAction(dndAction: action) }
  }

  func performDrop() {
    if let resource, resource.version >= 3 { resource.sendDndDropPerformed() }
  }

  func finish() {
    if let resource, resource.version >= 3 { resource.sendDndFinished() }
  }

  /// Has the owner write to a descriptor.
  func send(_ type: String, to descriptor: borrowing FileDescriptor) {
    guard types.contains(type) else { return }
    resource?.sendSend(mimeType: type, fd: descriptor)
  }
}

/// A client's `wl_data_offer`: what it can paste.
private final class DataOfferObject: WlDataOffer.RequestHandler {
  private weak var source: DataSourceObject?

  init(_ source: DataSourceObject) { self.source = source }

  func accept(_ resource: Resource<WlDataOffer>, serial: UInt32, mimeType: String?) throws(ProtocolViolation) {}

  func receive(
    _ resource: Resource<WlDataOffer>, mimeType: String, fd: consuming FileDescriptor
  ) throws(ProtocolViolation) {
    source?.send(mimeType, to: fd)
  }

  func destroy(_ resource: Resource<WlDataOffer>) throws(ProtocolViolation) {}

  func finish(_ resource: Resource<WlDataOffer>) throws(ProtocolViolation) {
    throw ProtocolViolation(WlDataOffer.ErrorCode.invalidFinish, "the offer is no drag's")
  }

  func setActions(
    _ resource: Resource<WlDataOffer>, dndActions: WlDataDeviceManager.DndAction,
    preferredAction: WlDataDeviceManager.DndAction
  ) throws(ProtocolViolation) {
    throw ProtocolViolation(WlDataOffer.ErrorCode.invalidOffer, "the offer is no drag's")
  }
}

/// A client's `wl_data_device`.
private final class DataDeviceObject: WlDataDevice.RequestHandler {
  private let selection: Selection

  init(_ selection: Selection) { self.selection = selection }

  func startDrag(
    _ resource: Resource<WlDataDevice>, source: Resource<WlDataSource>?, origin: Resource<WlSurface>,
    icon: Resource<WlSurface>?, serial: UInt32
  ) throws(ProtocolViolation) {
    guard let origin = origin.handler as? SurfaceObject else { return }
    let source = source?.handler as? DataSourceObject
    guard source?.isUsed != true else { throw used(source) }
    var picture: PointerPicture?
    if let surface = icon?.handler as? SurfaceObject {
      let role = PointerPicture(surface, offset: .zero)
      guard surface.take(.dragIcon, role) else {
        throw ProtocolViolation(
          WlDataDevice.ErrorCode.role, "the icon is a \(surface.roleKind?.rawValue ?? "surface") already")
      }
      picture = role
    }
    origin.client.compositor.seat.startDrag(of: source, from: origin, icon: picture, serial: serial)
  }

  /// An error of the source, and not of this object.
  private func used(_ source: DataSourceObject?) -> ProtocolViolation {
    let violation = ProtocolViolation(
      WlDataSource.ErrorCode.invalidSource, "the source is in use, or was, or is a drag's")
    source?.resource?.post(violation)
    return violation
  }

  func setSelection(
    _ resource: Resource<WlDataDevice>, source: Resource<WlDataSource>?, serial: UInt32
  ) throws(ProtocolViolation) {
    let source = source?.handler as? DataSourceObject
    guard source?.actions == nil, source?.drag == nil else { throw used(source) }
    selection.set(source, by: resource.client)
  }

  func release(_ resource: Resource<WlDataDevice>) throws(ProtocolViolation) {}
}

import LinuxIO
import WaylandProtocol

/// What was last marked, and who may paste it, as a rule with the middle button.
typealias PrimarySelection = Clipboard<ZwpPrimarySelectionDeviceV1, PrimarySourceObject>

extension Clipboard where Device == ZwpPrimarySelectionDeviceV1, Source == PrimarySourceObject {
  convenience init() {
    self.init { source, device in
      guard let source, let client = device.client,
        let offer = Resource<ZwpPrimarySelectionOfferV1>(
          for: client, version: device.version, handler: PrimaryOfferObject(source))
      else { return device.sendSelection(id: nil) }
      device.sendDataOffer(offer: offer)
      for type in source.types { offer.sendOffer(mimeType: type) }
      device.sendSelection(id: offer)
    }
  }
}

/// A client's `zwp_primary_selection_device_manager_v1`.
final class PrimarySelectionManagerObject: ZwpPrimarySelectionDeviceManagerV1.RequestHandler {
  private let selection: PrimarySelection

  init(_ selection: PrimarySelection) { self.selection = selection }

  func createSource(
    _ resource: Resource<ZwpPrimarySelectionDeviceManagerV1>, id: consuming NewID<ZwpPrimarySelectionSourceV1>
  ) throws(ProtocolViolation) {
    let source = PrimarySourceObject(selection)
    source.resource = try id.create(source)
  }

  func getDevice(
    _ resource: Resource<ZwpPrimarySelectionDeviceManagerV1>, id: consuming NewID<ZwpPrimarySelectionDeviceV1>,
    seat: Resource<WlSeat>
  ) throws(ProtocolViolation) {
    selection.add(try id.create(PrimaryDeviceObject(selection)))
  }

  func destroy(_ resource: Resource<ZwpPrimarySelectionDeviceManagerV1>) throws(ProtocolViolation) {}
}

/// A client's `zwp_primary_selection_source_v1`.
final class PrimarySourceObject: ZwpPrimarySelectionSourceV1.RequestHandler, CopySource {
  private let selection: PrimarySelection
  var resource: Resource<ZwpPrimarySelectionSourceV1>?
  private(set) var types: [String] = []

  init(_ selection: PrimarySelection) { self.selection = selection }

  func offer(_ resource: Resource<ZwpPrimarySelectionSourceV1>, mimeType: String) throws(ProtocolViolation) {
    guard types.count < DataSourceObject.typeLimit else {
      throw .exhausted("more than \(DataSourceObject.typeLimit) types of one selection")
    }
    types.append(mimeType)
  }

  func destroy(_ resource: Resource<ZwpPrimarySelectionSourceV1>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<ZwpPrimarySelectionSourceV1>) {
    self.resource = nil
    selection.lost(self)
  }

  func taken() {}

  func cancel() { resource?.sendCancelled() }

  func send(_ type: String, to descriptor: borrowing FileDescriptor) {
    if types.contains(type) { resource?.sendSend(mimeType: type, fd: descriptor) }
  }
}

/// A client's `zwp_primary_selection_offer_v1`: what it can paste.
private final class PrimaryOfferObject: ZwpPrimarySelectionOfferV1.RequestHandler {
  private weak var source: PrimarySourceObject?

  init(_ source: PrimarySourceObject) { self.source = source }

  func receive(
    _ resource: Resource<ZwpPrimarySelectionOfferV1>, mimeType: String, fd: consuming FileDescriptor
  ) throws(ProtocolViolation) {
    source?.send(mimeType, to: fd)
  }

  func destroy(_ resource: Resource<ZwpPrimarySelectionOfferV1>) throws(ProtocolViolation) {}
}

/// A client's `zwp_primary_selection_device_v1`.
private final class PrimaryDeviceObject: ZwpPrimarySelectionDeviceV1.RequestHandler {
  private let selection: PrimarySelection

  init(_ selection: PrimarySelection) { self.selection = selection }

  func setSelection(
    _ resource: Resource<ZwpPrimarySelectionDeviceV1>, source: Resource<ZwpPrimarySelectionSourceV1>?, serial: UInt32
  ) throws(ProtocolViolation) {
    selection.set(source?.handler as? PrimarySourceObject, by: resource.client)
  }

  func destroy(_ resource: Resource<ZwpPrimarySelectionDeviceV1>) throws(ProtocolViolation) {}
}

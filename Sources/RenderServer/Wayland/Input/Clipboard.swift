import LinuxIO
import WaylandProtocol

/// Something that a client would give to others, in some forms.
protocol CopySource: AnyObject {
  var types: [String] { get }
  /// It is what there is to paste from now on.
  func taken()
  /// Somebody else's has taken its place, or it was refused.
  func cancel()
  /// Has the owner write to a descriptor.
  func send(_ type: String, to descriptor: borrowing FileDescriptor)
}

/// What was copied in one way, and who may paste it: whoever has the keyboard.
final class Clipboard<Device: WaylandInterface, Source: CopySource> {
  private var source: Source?
  private var devices = SeatDevices<Device>()
  private weak var focused: SurfaceClient?
  /// Tells a device what there is to paste; nil for nothing.
  private let present: (Source?, Resource<Device>) -> Void

  init(presentedBy present: @escaping (Source?, Resource<Device>) -> Void) { self.present = present }

  func add(_ device: Resource<Device>) {
    devices.add(device)
    if let focused, focused.session.wire === device.client { present(source, device) }
  }

  /// The client gets the keyboard.
  func offer(to client: SurfaceClient) {
    guard client !== focused else { return }
    focused = client
    offer()
  }

  /// A client has copied something. Only who has the keyboard can.
  func set(_ new: Source?, by client: ServerClient?) {
    guard let focused, focused.session.wire === client else {
      new?.cancel()
      return
    }
    guard new !== source else { return }
    source?.cancel()
    source = new
    new?.taken()
    offer()
  }

  /// The source is gone: there is nothing to paste.
  func lost(_ gone: Source) {
    guard gone === source else { return }
    source = nil
    offer()
  }

  /// Those of one client.
  func devices(of client: SurfaceClient) -> [Resource<Device>] { devices.of(client) }

  func forget(_ client: SurfaceClient) {
    if focused === client { focused = nil }
    devices.forget(client)
  }

  private func offer() {
    guard let focused else { return }
    for device in devices.of(focused) { present(source, device) }
  }
}

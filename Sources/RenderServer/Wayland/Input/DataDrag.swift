import Geometry
import WaylandProtocol

/// What the pointer or a finger carries from a surface to another one, from a press to its release
/// (`wl_data_device.start_drag`).
final class DataDrag {
  /// Nil where it is the pointer that carries.
  let finger: Int32?
  /// Where it is on an output.
  var place: Seat.Place
  /// Nil for what is of use within its client alone.
  private let source: DataSourceObject?
  private weak var client: SurfaceClient?
  private unowned let selection: Selection
  let icon: PointerPicture?
  /// What lies there, and may hear of it.
  private var surface: SurfaceObject?
  private var offer: DragOffer?

  /// It was cancelled by its source's end.
  private let whenCancelled: () -> Void

  init(
    _ source: DataSourceObject?, from client: SurfaceClient, finger: Int32?,
    at place: Seat.Place, icon: PointerPicture?, _ selection: Selection,
    whenCancelled: @escaping () -> Void
  ) {
    (self.finger, self.place) = (finger, place)
    (self.source, self.client, self.icon, self.selection) = (source, client, icon, selection)
    self.whenCancelled = whenCancelled
    source?.isUsed = true
    source?.drag = self
  }

  func move(to target: Seat.Target?, serial: UInt32, time: UInt32) {
    // Without a source, only who has begun it knows what it is about.
    let target = target.flatMap { source == nil && $0.surface.client !== client ? nil : $0 }
    guard target?.surface === surface, let target else {
      leave()
      if let target { enter(target, serial) }
      return
    }
    for device in selection.devices(of: target.surface.client) {
      device.sendMotion(time: time, x: WireFixed(target.point.x), y: WireFixed(target.point.y))
    }
  }

  private func enter(_ target: Seat.Target, _ serial: UInt32) {
    guard let resource = target.surface.resource else { return }
    surface = target.surface
    if let source { offer = DragOffer(source) }
    for device in selection.devices(of: target.surface.client) {
      device.sendEnter(
        serial: serial, surface: resource, x: WireFixed(target.point.x), y: WireFixed(target.point.y),
        id: offer?.present(to: device))
    }
  }

  private func leave() {
    if let surface { for device in selection.devices(of: surface.client) { device.sendLeave() } }
    offer?.withdraw()
    (surface, offer) = (nil, nil)
  }

  /// The button is let go of: what lies there gets it, where it wants it.
  func drop() {
    guard let surface, source == nil || offer?.isWanted == true else { return cancel() }
    offer?.drop()
    for device in selection.devices(of: surface.client) { device.sendDrop() }
    (self.surface, offer) = (nil, nil)
    source?.drag = nil
  }

  /// It comes to nothing.
  func cancel() {
    leave()
    source?.drag = nil
    source?.cancel()
    whenCancelled()
  }

  /// A surface, or its client, is gone.
  func forget(_ gone: SurfaceObject) {
    if gone === surface { leave() }
  }

  func forget(_ gone: SurfaceClient) {
    if surface?.client === gone { (surface, offer) = (nil, nil) }
  }

  func isFrom(_ other: SurfaceClient) -> Bool { client === other }
}

import Commit
import Diagnostics
import Geometry
import LinuxIO
import RenderTree
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What the server is to programs that know nothing of portals: a Wayland compositor. Their surfaces are layers, which a
/// desk shows and portals too.
final class Compositor {
  unowned let server: ServerCore
  let desk: Desk
  let seat: Seat
  private let activation: Activation
  private var late: [SurfaceClient] = []
  private var nextSerial: UInt32 = 1
  /// Surfaces whose clients wait for a frame that shows them, by the layer with the picture.
  private var waiting: [LayerID: SurfaceObject] = [:]

  init(_ server: ServerCore, _ options: DeskOptions) throws(ServerError) {
    self.server = server
    desk = try Desk(server, options)
    seat = try Seat(server, desk)
    activation = Activation(seat)
    do { try offer() } catch { throw ServerError(error) }
  }

  private func offer() throws(SystemCallError) {
    let display = server.display
    try display.offer(WlCompositor.self, version: 4) { id throws(ProtocolViolation) in try id.create(CompositorObject())
    }
    try display.offer(WlSubcompositor.self) { id throws(ProtocolViolation) in try id.create(SubcompositorObject()) }
    try display.offer(WlShm.self) { id throws(ProtocolViolation) in
      let shm = try id.create(ShmObject())
      for format in ShmFormat.allCases { shm.sendFormat(format: format.wire) }
    }
    try display.offer(WpViewporter.self) { id throws(ProtocolViolation) in try id.create(ViewporterObject()) }
    try display.offer(WpPresentation.self) { id throws(ProtocolViolation) in
      try id.create(PresentationTimeObject()).sendClockId(clkId: UInt32(CLOCK_MONOTONIC))
    }
    try display.offer(WlOutput.self, version: 4) { [unowned desk] id throws(ProtocolViolation) in try desk.bind(id) }
    try display.offer(ZxdgOutputManagerV1.self) { [unowned desk] id throws(ProtocolViolation) in
      try id.create(XdgOutputManagerObject(desk))
    }
    try display.offer(XdgWmBase.self, version: 3) { [unowned self] id throws(ProtocolViolation) in
      try id.create(ShellObject(self))
    }
    try display.offer(ZxdgDecorationManagerV1.self) { id throws(ProtocolViolation) in
      try id.create(DecorationManagerObject())
    }
    try display.offer(WlSeat.self, version: 7) { [unowned seat] id throws(ProtocolViolation) in try seat.bind(id) }
    try display.offer(WlDataDeviceManager.self) { [unowned seat] id throws(ProtocolViolation) in
      try id.create(DataDeviceManagerObject(seat.selection))
    }
    try display.offer(XdgActivationV1.self) { [activation] id throws(ProtocolViolation) in
      try id.create(ActivationObject(activation))
    }
    try display.offer(ZwpPrimarySelectionDeviceManagerV1.self) { [unowned seat] id throws(ProtocolViolation) in
      try id.create(PrimarySelectionManagerObject(seat.primarySelection))
    }
    if let layouts = DmaBufferLayouts(server.stage.dmaBuffers, device: server.stage.drmNode) {
      try display.offer(ZwpLinuxDmabufV1.self, version: layouts.version) { id throws(ProtocolViolation) in
        try DmaBufferFactory.bind(id, layouts)
      }
    }
  }

  func newSerial() -> UInt32 {
    defer { nextSerial &+= 1 }
    return nextSerial
  }

  // MARK: Commits

  func commitLater(_ client: SurfaceClient) { late.append(client) }

  /// Before the loop waits.
  func beforeWaiting() {
    if !late.isEmpty {
      let clients = late
      late = []
      for client in clients where !client.isEnded {
        do { try client.commit() } catch { Log.warning("server", "\(client.session.label): \(error)") }
      }
    }
    seat.refocus()
  }

  func surfaceCommitted(_ surface: SurfaceObject) {
    guard !surface.echoes.isEmpty else { return }
    waiting[surface.content] = surface
    // A commit that changes nothing to be seen is answered by the next frame all the same.
    for output in server.outputs.values { server.consider(output.number) }
  }

  /// The connection is gone.
  func forget(_ client: SurfaceClient) {
    for layer in client.surfaces.keys { waiting[layer] = nil }
    late.removeAll { $0 === client }
    seat.forget(client)
    desk.forget(client)
  }

  func forget(_ surface: SurfaceObject) { waiting[surface.content] = nil }

  // MARK: Frames

  /// Whether some client waits for a frame of this output, as it was last shown.
  func waits(for output: OutputObject) -> Bool {
    waiting.values.contains { $0.isShown(in: output.shownPictures) }
  }

  /// Notes which of a snapshot's layers show surfaces. They stay the same as long as its nodes do, so that a frame in which
  /// a few pictures are new is not looked through again.
  func list(_ surfaces: inout Set<LayerID>, in snapshot: Snapshot) {
    surfaces.removeAll(keepingCapacity: true)
    for node in snapshot.nodes {
      if server.sessions[node.layer.client]?.surfaces?.surfaces[node.layer] != nil { surfaces.insert(node.layer) }
    }
  }

  /// Takes what is to be told once a frame is shown that these layers stand in.
  func take(shownBy surfaces: Set<LayerID>) -> [SurfaceEcho] {
    guard !waiting.isEmpty else { return [] }
    var taken: [SurfaceEcho] = []
    for layer in waiting.keys.filter(surfaces.contains).sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let surface = waiting.removeValue(forKey: layer) else { continue }
      taken.append(SurfaceEcho(surface: surface, echoes: surface.echoes))
      surface.echoes = SurfaceEchoes()
    }
    return taken
  }

  /// A frame was not drawn: the next one is to tell.
  func putBack(_ echoes: [SurfaceEcho]) {
    for echo in echoes {
      guard let surface = echo.surface, surface.resource != nil else { continue }
      var all = echo.echoes
      if !surface.echoes.isEmpty { all.absorb(surface.echoes) }
      surface.echoes = all
      waiting[surface.content] = surface
    }
  }
}

/// What a frame tells one surface's client.
struct SurfaceEcho {
  weak var surface: SurfaceObject?
  var echoes: SurfaceEchoes

  func isShown(in pictures: Set<UInt64>) -> Bool { surface?.isShown(in: pictures) ?? true }
}

extension SurfaceObject {
  /// Whether its picture is among those of a frame.
  func isShown(in pictures: Set<UInt64>) -> Bool { state.picture.map { pictures.contains($0.identity) } ?? false }
}

/// A client's `wl_compositor`.
final class CompositorObject: WlCompositor.RequestHandler {
  func createSurface(
    _ resource: Resource<WlCompositor>, id: consuming NewID<WlSurface>
  ) throws(ProtocolViolation) {
    try SurfaceObject(SurfaceClient.of(resource)).create(id)
  }

  func createRegion(_ resource: Resource<WlCompositor>, id: consuming NewID<WlRegion>) throws(ProtocolViolation) {
    try id.create(RegionObject())
  }
}

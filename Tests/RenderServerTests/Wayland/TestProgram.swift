import Commit
import Geometry
import LinuxIO
import RenderServer
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program that knows nothing of portals, as Wayland's own XML gives it.
final class TestProgram {
  let connection: ClientConnection
  let compositor: Proxy<WlCompositor>
  let subcompositor: Proxy<WlSubcompositor>
  let shm: Proxy<WlShm>
  let shell: Proxy<XdgWmBase>
  let viewporter: Proxy<WpViewporter>
  let presentation: Proxy<WpPresentation>
  let seat: Proxy<WlSeat>
  let data: Proxy<WlDataDeviceManager>
  private let registry: Proxy<WlRegistry>
  private let globals = TestClient.RegistryEar()
  private let pump: () throws -> Void
  private var kept: [AnyObject] = []

  /// Keeps an object to the program's end: with its last reference it would go, and what the server says to it.
  @discardableResult
  func keep<Kept: AnyObject>(_ object: Kept) -> Kept {
    kept.append(object)
    return object
  }

  convenience init(_ fixture: ServerFixture) throws {
    let server = fixture.server
    try self.init(try fixture.socket()) { try server.runOnce(timeoutMilliseconds: 2) }
  }

  /// - Parameter pump: gives the server its turn; waits a little for one that has turns of its own.
  init(_ socket: consuming FileDescriptor, pump: @escaping () throws -> Void) throws {
    self.pump = pump
    connection = try ClientConnection(adopting: socket)
    registry = connection.display.getRegistry()
    registry.handler = globals
    let (globals, registry) = (globals, registry)
    try connection.turn(pump) { globals.globals[XdgActivationV1.name] != nil }
    func bind<I: WaylandInterface>(_: I.Type, _ version: UInt32) -> Proxy<I> {
      registry.bind(name: globals.globals[I.name] ?? 0, id: I.self, version: version)
    }
    compositor = bind(WlCompositor.self, 4)
    subcompositor = bind(WlSubcompositor.self, 1)
    shm = bind(WlShm.self, 1)
    shell = bind(XdgWmBase.self, 3)
    viewporter = bind(WpViewporter.self, 1)
    presentation = bind(WpPresentation.self, 1)
    seat = bind(WlSeat.self, 5)
    data = bind(WlDataDeviceManager.self, 3)
  }

  /// Of what the server offers, by interface.
  var versions: [String: UInt32] { globals.versions }

  func bind<I: WaylandInterface>(_: I.Type, _ version: UInt32) -> Proxy<I> {
    registry.bind(name: globals.globals[I.name] ?? 0, id: I.self, version: version)
  }

  /// Turns of both ends until `isDone`; false where that takes too long.
  @discardableResult
  func turn(until isDone: () -> Bool) throws -> Bool { try connection.turn(pump, until: isDone) }

  /// Until the server has come to everything said so far.
  func roundtrip() throws {
    let (callback, arrival) = (connection.display.sync(), Arrival())
    callback.handler = arrival
    try turn { arrival.time != nil }
  }

  func kill() { shutdown(connection.pollDescriptor, Int32(SHUT_RDWR)) }

  /// The error that the server ends the connection with: an interface and a code.
  func violation() throws -> (interface: String, code: UInt32)? { try connection.violation(pump) }

  final class Arrival: WlCallback.EventHandler {
    private(set) var time: UInt32?
    private(set) var count = 0
    func done(_ proxy: Proxy<WlCallback>, callbackData: UInt32) {
      time = callbackData
      count += 1
    }
  }

  final class BufferEar: WlBuffer.EventHandler {
    private(set) var releases = 0
    func release(_ proxy: Proxy<WlBuffer>) { releases += 1 }
  }

  /// Pixels in shared memory.
  final class Picture {
    let memory: SharedMemory
    let pool: Proxy<WlShmPool>
    let buffer: Proxy<WlBuffer>
    let ear = BufferEar()
    let (width, height): (Int, Int)

    /// - Parameter pixel: 0xAARRGGBB of each place.
    init(
      _ program: TestProgram, _ width: Int, _ height: Int, format: WlShm.Format = .argb8888,
      _ pixel: (Int, Int) -> UInt32
    ) throws {
      (self.width, self.height) = (width, height)
      memory = try SharedMemory(byteCount: width * height * 4)
      pool = program.shm.createPool(fd: memory.descriptor, size: Int32(memory.byteCount))
      buffer = pool.createBuffer(
        offset: 0, width: Int32(width), height: Int32(height), stride: Int32(width * 4), format: format)
      buffer.handler = ear
      draw(pixel)
    }

    func draw(_ pixel: (Int, Int) -> UInt32) {
      memory.withBytes { bytes in
        for y in 0..<height {
          for x in 0..<width { bytes.storeBytes(of: pixel(x, y), toByteOffset: (y * width + x) * 4, as: UInt32.self) }
        }
      }
    }
  }

  /// A surface that is a window, with the answers that windows give.
  final class Window: XdgSurface.EventHandler, XdgToplevel.EventHandler {
    let surface: Proxy<WlSurface>
    let xdg: Proxy<XdgSurface>
    let toplevel: Proxy<XdgToplevel>
    private(set) var serials: [UInt32] = []
    private(set) var size: (Int32, Int32)?
    private(set) var states: [UInt32] = []
    private(set) var isClosed = false
    var acknowledges = true

    init(_ program: TestProgram) throws {
      surface = program.compositor.createSurface()
      xdg = program.shell.getXdgSurface(surface: surface)
      toplevel = xdg.getToplevel()
      xdg.handler = self
      toplevel.handler = self
    }

    func configure(_ proxy: Proxy<XdgSurface>, serial: UInt32) {
      serials.append(serial)
      if acknowledges { proxy.ackConfigure(serial: serial) }
    }

    func configure(_ proxy: Proxy<XdgToplevel>, width: Int32, height: Int32, states: RawSpan) {
      size = (width, height)
      self.states = states.withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    }

    func close(_ proxy: Proxy<XdgToplevel>) { isClosed = true }
    func configureBounds(_ proxy: Proxy<XdgToplevel>, width: Int32, height: Int32) {}
    func wmCapabilities(_ proxy: Proxy<XdgToplevel>, capabilities: RawSpan) {}
  }

  /// Says yes to whatever a surface is to be.
  final class Acknowledger: XdgSurface.EventHandler {
    private(set) var isConfigured = false
    func configure(_ proxy: Proxy<XdgSurface>, serial: UInt32) {
      proxy.ackConfigure(serial: serial)
      isConfigured = true
    }
  }

  /// A window that shows a picture.
  func window(_ picture: Picture) throws -> Window {
    let window = keep(try Window(self))
    window.surface.commit()
    try turn { !window.serials.isEmpty }
    show(picture, in: window.surface)
    try roundtrip()
    return window
  }

  func show(_ picture: Picture, in surface: Proxy<WlSurface>) {
    surface.attach(buffer: picture.buffer, x: 0, y: 0)
    surface.damageBuffer(x: 0, y: 0, width: .max, height: .max)
    surface.commit()
  }
}

extension ServerFixture {
  /// A server that serves any program.
  convenience init(layout: DeskOptions.Layout, limits: String = "", _ width: Int = 96, _ height: Int = 64) throws {
    try self.init(limits: limits) {
      var desk = DeskOptions(layout: layout)
      desk.size = PixelSize(width: width, height: height)
      desk.rate = 240_000
      $0.desk = desk
    }
  }

  /// The number of the last window's layer, which is exported by itself.
  var lastWindow: UInt64 { server.tree.registry.list.map(\.layer.rawValue).max() ?? 0 }
}

extension TestClient {
  /// A portal of a layer of another's, by its number.
  func portal(of number: UInt64) throws -> Proxy<PortholeLayerV1> {
    let portal = try layer(.portal, .anchorPoint(.zero))
    let imported = inspector?.importExported(
      numberHi: UInt32(truncatingIfNeeded: number >> 32), numberLo: UInt32(truncatingIfNeeded: number))
    if let imported { portal.setSourceImport(source: imported) }
    return portal
  }

  /// What a portal of a layer shows, at its natural size and from its origin: RGBA.
  func look(at number: UInt64, _ width: Int, _ height: Int) throws -> [UInt8]? {
    let portal = try portal(of: number)
    try set(portal, [.bounds(Rect(x: 0, y: 0, width: Double(width), height: Double(height))), .masksToBounds(true)])
    let output = output(width: UInt32(width), height: UInt32(height))
    output.setRoot(layer: portal)
    try commit()
    return try capture(output, width: width, height: height)
  }
}

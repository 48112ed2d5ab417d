import Commit
import CommitCoding
import Geometry
import LinuxIO
import RenderServer
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client as the XML alone gives it: generated code, and the server's turns in between.
final class TestClient {
  let connection: ClientConnection
  let global: Proxy<PortholeV1>
  private(set) var inspector: Proxy<PortholeInspectorV1>?
  let ear = GlobalEar()
  private let registry: Proxy<WlRegistry>
  /// Gives the server its turn.
  private let pump: () throws -> Void
  private var serial: UInt32 = 0

  final class RegistryEar: WlRegistry.EventHandler {
    var globals: [String: UInt32] = [:]
    var versions: [String: UInt32] = [:]
    func global(_ proxy: Proxy<WlRegistry>, name: UInt32, interface: String, version: UInt32) {
      globals[interface] = name
      versions[interface] = version
    }
    func globalRemove(_ proxy: Proxy<WlRegistry>, name: UInt32) {}
  }

  struct Refusal: Equatable {
    var serial: UInt32
    var reason: PortholeV1.Refusal
    var layer: UInt32?
    var property: String?
  }

  final class GlobalEar: PortholeV1.EventHandler {
    var limits: [UInt32: UInt64] = [:]
    var isDone = false
    var dmaBufferFormats: [(code: UInt32, modifier: UInt64)] = []
    var noDmaBuffers: String?
    var committed: [UInt32] = []
    var refused: [Refusal] = []

    func limit(_ proxy: Proxy<PortholeV1>, limit: PortholeV1.Limit, valueHi: UInt32, valueLo: UInt32) {
      limits[limit.rawValue] = UInt64(valueHi) << 32 | UInt64(valueLo)
    }
    func done(_ proxy: Proxy<PortholeV1>) { isDone = true }
    func dmaBufferFormat(_ proxy: Proxy<PortholeV1>, format: UInt32, modifierHi: UInt32, modifierLo: UInt32) {
      dmaBufferFormats.append((format, UInt64(modifierHi) << 32 | UInt64(modifierLo)))
    }
    func noDmaBuffers(_ proxy: Proxy<PortholeV1>, reason: String) { noDmaBuffers = reason }
    func committed(_ proxy: Proxy<PortholeV1>, serial: UInt32) { committed.append(serial) }
    func refused(
      _ proxy: Proxy<PortholeV1>, serial: UInt32, reason: PortholeV1.Refusal, layer: Proxy<PortholeLayerV1>?,
      property: String?, message: String
    ) {
      refused.append(Refusal(serial: serial, reason: reason, layer: layer?.number, property: property))
    }
  }

  /// - Parameter pump: gives the server its turn; waits a little for one that has turns of its own.
  init(_ socket: consuming FileDescriptor, pump: @escaping () throws -> Void) throws {
    self.pump = pump
    connection = try ClientConnection(adopting: socket)
    let registryEar = RegistryEar()
    registry = connection.display.getRegistry()
    registry.handler = registryEar
    try connection.turn(pump) { registryEar.globals[PortholeV1.name] != nil }
    global = registry.bind(name: registryEar.globals[PortholeV1.name] ?? 0, id: PortholeV1.self, version: 1)
    global.handler = ear
    if let name = registryEar.globals[PortholeInspectorV1.name] {
      inspector = registry.bind(name: name, id: PortholeInspectorV1.self, version: 1)
    }
    let ear = ear
    try connection.turn(pump) { ear.isDone }
  }

  /// Ends the connection as a killed process does: without a word.
  func kill() { shutdown(connection.pollDescriptor, Int32(SHUT_RDWR)) }

  /// Turns of both ends until `isDone`; false where that takes too long.
  @discardableResult
  func turn(until isDone: () -> Bool) throws -> Bool { try connection.turn(pump, until: isDone) }

  /// Turns of both ends until the server has ended the connection; the error's code, nil where it has not.
  func violation() throws -> PortholeV1.ErrorCode? {
    try connection.violation(pump).map { PortholeV1.ErrorCode(rawValue: $0.code) }
  }

  // MARK: What it says

  func layer(
    _ kind: PortholeLayerV1.Kind = .layer, _ properties: PropertyChange...
  ) throws -> Proxy<PortholeLayerV1> {
    let layer = global.createLayer(kind: kind)
    try set(layer, properties)
    return layer
  }

  func set(_ layer: Proxy<PortholeLayerV1>, _ properties: [PropertyChange]) throws {
    var records = PropertyRecords()
    for property in properties { try records.append(property) }
    if !records.isEmpty { records.withBytes { layer.set(records: $0) } }
  }

  func output(width: UInt32, height: UInt32, rate: UInt32 = 0, scale: Double = 1) -> Proxy<PortholeOutputV1> {
    global.createOutput(width: width, height: height, scale: [scale].span.bytes, rate: rate, flags: [])
  }

  func setBackground(of output: Proxy<PortholeOutputV1>, _ color: Color) {
    let numbers = [color.red, color.green, color.blue, color.alpha].map(Double.init)
    output.setBackground(color: numbers.span.bytes)
  }

  /// Commits, waits for the answer, and says whether it was accepted.
  @discardableResult
  func commit() throws -> Bool {
    serial += 1
    let serial = serial
    global.commit(serial: serial)
    let ear = ear
    try turn { ear.committed.last == serial || ear.refused.last?.serial == serial }
    return ear.committed.last == serial
  }

  // MARK: Pictures

  final class CaptureEar: PortholeCaptureV1.EventHandler {
    var size: PixelSize?
    var ready = 0
    var skipped: UInt32 = 0
    var failure: PortholeCaptureV1.Failure?
    var isOver: Bool { ready > 0 || failure != nil }

    func size(_ proxy: Proxy<PortholeCaptureV1>, width: UInt32, height: UInt32) {
      size = PixelSize(width: Int(width), height: Int(height))
    }
    func ready(
      _ proxy: Proxy<PortholeCaptureV1>, sequenceHi: UInt32, sequenceLo: UInt32, secondsHi: UInt32, secondsLo: UInt32,
      nanoseconds: UInt32
    ) { ready += 1 }
    func skipped(_ proxy: Proxy<PortholeCaptureV1>, count: UInt32) { skipped += count }
    func failed(_ proxy: Proxy<PortholeCaptureV1>, reason: PortholeCaptureV1.Failure) { failure = reason }
  }

  /// The output's next frame, by shared memory; nil where the server gives none.
  func capture(_ output: Proxy<PortholeOutputV1>, width: Int, height: Int) throws -> [UInt8]? {
    let memory = try SharedMemory(byteCount: width * height * 4)
    let pool = global.createPool(fd: memory.descriptor, size: UInt32(memory.byteCount))
    let buffer = pool.createBuffer(
      offset: 0, width: UInt32(width), height: UInt32(height), stride: UInt32(width * 4), format: .rgba8888,
      alpha: .premultiplied)
    let capture = output.capture(buffer: buffer)
    let ear = CaptureEar()
    capture.handler = ear
    try turn { ear.isOver }
    capture.destroy()
    buffer.destroy()
    pool.destroy()
    guard ear.ready == 1 else { return nil }
    return memory.withBytes { Array($0) }
  }
}

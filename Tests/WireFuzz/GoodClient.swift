import Commit
import CommitCoding
import Geometry
import LinuxIO
import WaylandProtocol

/// A client that keeps to the protocol beside those that don't, and has to get its pictures all the while.
final class GoodClient {
  private final class RegistryEar: WlRegistry.EventHandler {
    var globals: [String: UInt32] = [:]
    func global(_ proxy: Proxy<WlRegistry>, name: UInt32, interface: String, version: UInt32) {
      globals[interface] = name
    }
    func globalRemove(_ proxy: Proxy<WlRegistry>, name: UInt32) {}
  }

  private final class CaptureEar: PortholeCaptureV1.EventHandler {
    var isReady = false
    var isFailed = false
    func size(_ proxy: Proxy<PortholeCaptureV1>, width: UInt32, height: UInt32) {}
    func ready(
      _ proxy: Proxy<PortholeCaptureV1>, sequenceHi: UInt32, sequenceLo: UInt32, secondsHi: UInt32, secondsLo: UInt32,
      nanoseconds: UInt32
    ) { isReady = true }
    func skipped(_ proxy: Proxy<PortholeCaptureV1>, count: UInt32) {}
    func failed(_ proxy: Proxy<PortholeCaptureV1>, reason: PortholeCaptureV1.Failure) { isFailed = true }
  }

  private static let side = 4
  private let connection: ClientConnection
  private let registry: Proxy<WlRegistry>
  private let layer: Proxy<PortholeLayerV1>
  private let output: Proxy<PortholeOutputV1>
  private let global: Proxy<PortholeV1>
  private let memory: SharedMemory
  private let buffer: Proxy<PortholeBufferV1>
  private var shade: UInt8 = 0

  /// - Parameter turn: lets the server take a turn.
  init(_ socket: consuming FileDescriptor, turn: () throws -> Void) throws {
    connection = try ClientConnection(adopting: socket)
    let ear = RegistryEar()
    registry = connection.display.getRegistry()
    registry.handler = ear
    for _ in 0..<100 where ear.globals[PortholeV1.name] == nil {
      _ = try connection.flush()
      try turn()
      try connection.read()
    }
    global = registry.bind(name: ear.globals[PortholeV1.name] ?? 0, id: PortholeV1.self, version: 1)
    layer = global.createLayer(kind: .layer)
    let side = UInt32(Self.side)
    output = global.createOutput(width: side, height: side, scale: [1.0].span.bytes, rate: 0, flags: [])
    output.setRoot(layer: layer)
    memory = try SharedMemory(byteCount: Self.side * Self.side * 4)
    let pool = global.createPool(fd: memory.descriptor, size: UInt32(memory.byteCount))
    buffer = pool.createBuffer(
      offset: 0, width: side, height: side, stride: side * 4, format: .rgba8888, alpha: .premultiplied)
  }

  /// Commits another colour and looks whether the next picture has it.
  /// - Returns: what is wrong; nil where nothing is.
  func draw(turn: () throws -> Void) throws -> String? {
    shade = shade == 255 ? 0 : 255
    let side = Double(Self.side)
    var records = PropertyRecords()
    try records.append(.bounds(Rect(x: 0, y: 0, width: side, height: side)))
    try records.append(.anchorPoint(.zero))
    try records.append(.backgroundColor(Color(red: Float(shade) / 255, green: 1, blue: 0)))
    records.withBytes { layer.set(records: $0) }
    global.commit(serial: 1)
    let capture = output.capture(buffer: buffer)
    let ear = CaptureEar()
    capture.handler = ear
    for _ in 0..<3000 where !ear.isReady && !ear.isFailed {
      _ = try connection.flush()
      try turn()
      try connection.read()
    }
    capture.destroy()
    guard ear.isReady else { return ear.isFailed ? "a picture of the good client failed" : "no picture in time" }
    let pixel = memory.withBytes { Array($0.prefix(4)) }
    return pixel == [shade, 255, 0, 255] ? nil : "the good client's picture is \(pixel) instead of shade \(shade)"
  }
}

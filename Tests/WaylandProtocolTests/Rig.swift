import LinuxIO
import WaylandProtocol

/// A server and its clients in one thread, moved by hand.
final class Rig {
  let display: ServerDisplay
  private(set) var servers: [ExerciseServer] = []

  init(version: UInt32 = 2) throws {
    display = try ServerDisplay()
    try display.offer(ExerciseV1.self, version: version) { [unowned self] (id) throws(ProtocolViolation) in
      let server = ExerciseServer()
      server.resource = try id.create(server)
      servers.append(server)
    }
  }

  /// A client that has bound the global.
  func connect(version: UInt32 = 2) throws -> ExerciseClient {
    let connection = try socket()
    let client = ExerciseClient(connection)
    client.registry.handler = client
    try settle(client)
    client.bind(version: version)
    try settle(client)
    return client
  }

  /// The other end is served.
  func socket() throws -> ClientConnection {
    try ClientConnection(adopting: rawSocket())
  }

  func rawSocket() throws -> FileDescriptor {
    let pair = try FileDescriptor.socketPair()
    var kept = FileDescriptor(adopting: -1)
    try pair.take { (mine, theirs) in
      kept = mine
      try display.serve(theirs)
    }
    return kept
  }

  func serve() {
    display.dispatch()
    display.flush()
  }

  /// Lets everything that is under way arrive.
  func settle(_ clients: ExerciseClient...) throws {
    for _ in 0..<3 {
      for client in clients { try client.connection.flush() }
      serve()
      for client in clients { try client.connection.read() }
    }
  }
}

/// What the server's end has heard.
final class ExerciseServer: ExerciseV1.RequestHandler, ExerciseChildV1.RequestHandler {
  var resource: Resource<ExerciseV1>?
  var heard: [String] = []
  var numbers: [Double] = []
  var bytesOfFile: [UInt8] = []
  var children: [Resource<ExerciseChildV1>] = []
  var destroyed = 0

  func everything(
    _ resource: Resource<ExerciseV1>, int: Int32, uint: UInt32, fixed: WireFixed, class text: String, nothing: String?,
    child: consuming NewID<ExerciseChildV1>, array: RawSpan, fd: consuming FileDescriptor, kind: ExerciseV1.Kind,
    bits: ExerciseV1.Bits
  ) throws(ProtocolViolation) {
    heard.append("\(int) \(uint) \(fixed.doubleValue) \(text) \(nothing ?? "–") \(kind.rawValue) \(bits.rawValue)")
    numbers = doubles(array)
    bytesOfFile = contents(fd)
    children.append(try child.create(self))
  }

  func show(
    _ resource: Resource<ExerciseV1>, child: Resource<ExerciseChildV1>, other: Resource<ExerciseChildV1>?
  ) {
    heard.append("show \(child.number) \(other?.number ?? 0)")
  }

  func fail(_ resource: Resource<ExerciseV1>) throws(ProtocolViolation) {
    throw ProtocolViolation(ExerciseV1.ErrorCode.askedFor, "100% as asked for %s " + String(repeating: "é", count: 600))
  }

  func twoDescriptors(
    _ resource: Resource<ExerciseV1>, first: consuming FileDescriptor, child: Resource<ExerciseChildV1>,
    second: consuming FileDescriptor
  ) { heard.append("two") }

  func newer(_ resource: Resource<ExerciseV1>, kind: ExerciseV1.Kind) { heard.append("newer \(kind.rawValue)") }

  func destroyed(_ resource: Resource<ExerciseV1>) { destroyed += 1 }
}

/// What the client's end has heard.
final class ExerciseClient: WlRegistry.EventHandler, ExerciseV1.EventHandler, ExerciseChildV1.EventHandler {
  let connection: ClientConnection
  let registry: Proxy<WlRegistry>
  private var globals: [String: UInt32] = [:]
  private(set) var exercise: Proxy<ExerciseV1>
  var heard: [String] = []
  var numbers: [Double] = []
  var bytesOfFile: [UInt8] = []
  var children: [Proxy<ExerciseChildV1>] = []

  init(_ connection: ClientConnection) {
    self.connection = connection
    registry = connection.display.getRegistry()
    exercise = .dead(connection)
  }

  func bind(version: UInt32) {
    exercise = registry.bind(name: globals["exercise_v1"] ?? 0, id: ExerciseV1.self, version: version)
    exercise.handler = self
  }

  func global(_ proxy: Proxy<WlRegistry>, name: UInt32, interface: String, version: UInt32) {
    globals[interface] = name
  }

  func globalRemove(_ proxy: Proxy<WlRegistry>, name: UInt32) {}

  func everything(
    _ proxy: Proxy<ExerciseV1>, int: Int32, uint: UInt32, fixed: WireFixed, text: String, nothing: String?,
    child: Proxy<ExerciseChildV1>, array: RawSpan, fd: consuming FileDescriptor, kind: ExerciseV1.Kind
  ) {
    heard.append("\(int) \(uint) \(fixed.doubleValue) \(text) \(nothing ?? "–") \(kind.rawValue)")
    numbers = doubles(array)
    bytesOfFile = contents(fd)
    child.handler = self
    children.append(child)
  }

  func show(_ proxy: Proxy<ExerciseV1>, child: Proxy<ExerciseChildV1>?, other: Proxy<ExerciseChildV1>?) {
    heard.append("show \(child?.number ?? 0) \(other?.number ?? 0)")
  }

  func newer(_ proxy: Proxy<ExerciseV1>) { heard.append("newer") }

  func greeting(_ proxy: Proxy<ExerciseChildV1>, number: UInt32) { heard.append("greeting \(number)") }
}

func doubles(_ span: RawSpan) -> [Double] {
  span.withUnsafeBytes { bytes in
    (0..<bytes.count / 8).map { bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Double.self) }
  }
}

/// What can be read from a descriptor until its end.
func contents(_ fd: borrowing FileDescriptor) -> [UInt8] {
  var all: [UInt8] = []
  var part = [UInt8](repeating: 0, count: 256)
  while let count = part.withUnsafeMutableBytes({ bytes in try? fd.read(into: bytes) }), count > 0 {
    all += part[..<count]
  }
  return all
}

/// Whether nothing will ever come from a descriptor that does not block.
func isAtEnd(_ fd: borrowing FileDescriptor) throws(SystemCallError) -> Bool {
  var byte: UInt8 = 0
  var count: Int?
  // Typed throws do not go through the standard library's closures.
  let result: Result<Int?, SystemCallError> = withUnsafeMutableBytes(of: &byte) { bytes in
    do throws(SystemCallError) { return .success(try fd.read(into: bytes)) } catch { return .failure(error) }
  }
  count = try result.get()
  return count == 0
}

/// The end of a pipe that gives these bytes.
func file(of bytes: [UInt8]) throws -> FileDescriptor {
  var end = FileDescriptor(adopting: -1)
  try FileDescriptor.pipe().take { (reader, writer) in
    _ = try bytes.withUnsafeBytes { bytes in try writer.write(bytes) }
    end = reader
  }
  return end
}

import Commit
import CommitCoding
import Geometry
import LinuxIO
import RenderServer
import RenderTree
import TestSupport
import Testing
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Messages that cannot be right", .serialized)
struct MalformedTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var name: String
    var code: PortholeV1.ErrorCode
    var body: @Sendable (TestClient) throws -> Void
    var testDescription: String { name }
  }

  private static func records(_ words: [UInt32], _ numbers: [Double] = []) -> [UInt8] {
    words.flatMap { withUnsafeBytes(of: $0.littleEndian) { Array($0) } }
      + numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian) { Array($0) } }
  }

  private static func set(_ words: [UInt32], _ numbers: [Double] = []) -> @Sendable (TestClient) throws -> Void {
    { client in
      let bytes = records(words, numbers)
      try client.layer().set(records: bytes.span.bytes)
    }
  }

  private static func buffer(
    _ offset: UInt32 = 0, _ width: UInt32 = 4, _ height: UInt32 = 4, _ stride: UInt32 = 16, format: UInt32 = 0,
    alpha: UInt32 = 0
  ) -> @Sendable (TestClient) throws -> Void {
    { client in
      let memory = try SharedMemory(byteCount: 64)
      let pool = client.global.createPool(fd: memory.descriptor, size: 64)
      _ = pool.createBuffer(
        offset: offset, width: width, height: height, stride: stride, format: .init(rawValue: format),
        alpha: .init(rawValue: alpha))
    }
  }

  static let cases: [Case] = [
    Case(name: "a kind that there is not", code: .badKind) {
      _ = $0.global.createLayer(kind: .init(rawValue: 99))
    },
    Case(name: "a record cut short", code: .badRecord, body: set([2, 2], [1])),
    Case(name: "a record of a great count", code: .badRecord, body: set([2, .max], [1, 2])),
    Case(name: "three bytes", code: .badRecord) { try $0.layer().set(records: [1 as UInt8, 2, 3].span.bytes) },
    Case(name: "an unknown property", code: .badProperty, body: set([9999, 1], [1])),
    Case(name: "a wrong count", code: .badValue, body: set([2, 1], [1])),
    Case(name: "a flag of two", code: .badValue, body: set([16, 1], [2])),
    Case(name: "a pool that is a pipe", code: .badPool) { client in
      let pipe = try FileDescriptor.pipe()
      _ = client.global.createPool(fd: pipe.first, size: 4096)
    },
    Case(name: "a pool shorter than its size", code: .badPool) { client in
      let memory = try SharedMemory(byteCount: 64)
      _ = client.global.createPool(fd: memory.descriptor, size: 65537)
    },
    Case(name: "a pool of nothing", code: .badPool) { client in
      let memory = try SharedMemory(byteCount: 64)
      _ = client.global.createPool(fd: memory.descriptor, size: 0)
    },
    Case(name: "a pool made smaller", code: .badPool) { client in
      let memory = try SharedMemory(byteCount: 64)
      client.global.createPool(fd: memory.descriptor, size: 64).resize(size: 63)
    },
    Case(name: "a buffer past its pool", code: .badBuffer, body: buffer(1)),
    Case(name: "a buffer at the end of the numbers", code: .badBuffer, body: buffer(.max, 16384, 16384, .max)),
    Case(name: "a buffer of no width", code: .badBuffer, body: buffer(0, 0)),
    Case(name: "rows that overlap", code: .badBuffer, body: buffer(0, 4, 4, 15)),
    Case(name: "a pixel format that there is not", code: .badFormat, body: buffer(format: 7)),
    Case(name: "an alpha that there is not", code: .badAlpha, body: buffer(alpha: 7)),
    Case(name: "an output of no pixel", code: .badMode) { _ = $0.output(width: 0, height: 4) },
    Case(name: "a scale that is no number", code: .badArray) { _ = $0.output(width: 4, height: 4, scale: .nan) },
    Case(name: "a scale of nothing", code: .badArray) { _ = $0.output(width: 4, height: 4, scale: 0) },
    Case(name: "a rate past the highest", code: .badMode) { _ = $0.output(width: 4, height: 4, rate: 1_000_001) },
    Case(name: "a scale of two numbers", code: .badArray) {
      _ = $0.global.createOutput(width: 4, height: 4, scale: [1.0, 1.0].span.bytes, rate: 0, flags: [])
    },
    Case(name: "a secure output", code: .denied) {
      _ = $0.global.createOutput(width: 4, height: 4, scale: [1.0].span.bytes, rate: 0, flags: .secure)
    },
    Case(name: "flags of an output", code: .badFlags) {
      _ = $0.global.createOutput(width: 4, height: 4, scale: [1.0].span.bytes, rate: 0, flags: .init(rawValue: 128))
    },
    Case(name: "flags of an export", code: .badFlags) {
      _ = $0.global.exportLayer(layer: try $0.layer(), flags: .init(rawValue: 128))
    },
    Case(name: "a background that is no number", code: .badArray) {
      $0.output(width: 4, height: 4).setBackground(color: [1.0, Double.nan, 0, 0].span.bytes)
    },
    Case(name: "a point of three numbers", code: .badArray) {
      let output = $0.output(width: 4, height: 4)
      _ = $0.global.hitTest(output: output, point: [1.0, 2, 3].span.bytes)
    },
    Case(name: "a long name", code: .badName) { $0.global.setName(name: String(repeating: "a", count: 256)) },
    Case(name: "a file format that there is not", code: .badFormat) { client in
      let pipe = try FileDescriptor.pipe()
      _ = client.output(width: 4, height: 4).captureToFile(fd: pipe.second, format: .init(rawValue: 9), count: 1)
    },
  ]

  @Test("a server that is let go of while clients are connected ends them, and nothing else happens")
  func letGo() throws {
    var server: RenderServer? = try RenderServer(ServerOptions())
    let pair = try FileDescriptor.socketPair()
    let client = try pair.take { (near, far) throws -> TestClient in
      try server?.serve(far)
      return try TestClient(near) { try server?.runOnce(timeoutMilliseconds: 2) }
    }
    let output = client.output(width: 8, height: 8, rate: 60_000)
    output.setRoot(layer: try client.layer())
    #expect(try client.commit())
    server = nil
    #expect(try client.violation() == nil)
    #expect(client.connection.error != nil)
  }

  @Test("end the client that sent them with their own error, and nobody else", arguments: cases)
  func malformed(testCase: Case) throws {
    let fixture = try ServerFixture()
    let bystander = try fixture.connect()
    let client = try fixture.connect()
    try testCase.body(client)
    #expect(try client.violation() == testCase.code)
    try fixture.turn { fixture.server.tree.clients.count == 1 }
    #expect(try bystander.commit())
    #expect(fixture.server.tree.tree.layerCount == 0)
  }

  @Test("memory that shrinks after it was attached ends its client alone")
  func shrinking() throws {
    let fixture = try ServerFixture()
    let bystander = try fixture.connect()
    let client = try fixture.connect()
    let path = "/dev/shm/porthole-test-\(getpid())"
    let file = FileDescriptor(adopting: open(path, O_RDWR | O_CREAT | O_EXCL, 0o600))
    unlink(path)
    try #require(file.isValid && ftruncate(file.rawValue, 65536) == 0)
    let pool = client.global.createPool(fd: file, size: 65536)
    let buffer = pool.createBuffer(
      offset: 0, width: 128, height: 128, stride: 512, format: .rgba8888, alpha: .opaque)
    let layer = try client.layer()
    layer.setContents(buffer: buffer)
    #expect(try client.commit())
    #expect(ftruncate(file.rawValue, 100) == 0)
    layer.setContents(buffer: buffer)
    client.global.commit(serial: 7)
    #expect(try client.violation() == .badPool)
    #expect(try bystander.commit())
  }

  @Test("random bytes end their client alone", arguments: 1...40 as ClosedRange<UInt64>)
  func randomBytes(seed: UInt64) throws {
    let fixture = try ServerFixture()
    let bystander = try fixture.connect()
    var random = SeededGenerator(seed: seed)
    let client = try fixture.connect()
    _ = try client.layer()
    _ = try client.connection.flush()
    let fd = client.connection.pollDescriptor
    // Headers that are plausible, and rubbish behind them.
    for _ in 0..<20 {
      let size = UInt32.random(in: 2...16, using: &random) * 4
      let words =
        [UInt32.random(in: 0...6, using: &random), size << 16 | UInt32.random(in: 0...12, using: &random)]
        + (0..<(size / 4 - 2)).map { _ in
          Bool.random(using: &random)
            ? UInt32.random(in: 0...16, using: &random) : UInt32.random(in: 0 ... .max, using: &random)
        }
      _ = words.withUnsafeBytes { send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
      try fixture.turns(1)
    }
    client.kill()
    try fixture.turn { fixture.server.tree.clients.count == 1 }
    #expect(fixture.server.tree.clients.count == 1)
    #expect(try bystander.commit())
    #expect(fixture.server.tree.tree.layerCount == 0)
  }
}

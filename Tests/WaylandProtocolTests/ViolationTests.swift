import LinuxIO
import Testing
import WaylandProtocol

@Suite("Clients that break the protocol")
struct ViolationTests {
  @Test("what a handler throws ends that connection, with its code on that object, and no other")
  func thrown() throws {
    let rig = try Rig()
    let good = try rig.connect()
    let bad = try rig.connect()
    bad.exercise.fail()
    #expect(throws: ConnectionError.violation(interface: "exercise_v1", object: bad.exercise.number, code: 7)) {
      try rig.settle(bad)
      try rig.settle(bad)
    }
    good.exercise.newer(kind: .high)
    try rig.settle(good)
    #expect(rig.servers.map(\.heard) == [["newer 4294967295"], []])
    #expect(rig.servers.map(\.destroyed) == [0, 1])
  }

  @Test("a message larger than the wire's ends the connection of its sender, and traps nowhere")
  func tooLarge() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let long = [UInt8](repeating: 0, count: 70_000)
    _ = client.exercise.everything(
      int: 0, uint: 0, fixed: WireFixed(0), class: "", nothing: nil, array: long.span.bytes, fd: try file(of: []),
      kind: .high, bits: [])
    #expect(throws: ConnectionError.self) { try rig.settle(client) }
    #expect(client.connection.error != nil)
  }

  /// The wire's words: object, size and opcode, then the arguments. Objects: 1 the display, 2 the registry, 3 the exercise.
  private static func message(
    _ object: UInt32, _ opcode: UInt32, _ arguments: [UInt32], size: UInt32? = nil
  ) -> [UInt32] {
    [object, (size ?? UInt32(8 + 4 * arguments.count)) << 16 | opcode] + arguments
  }

  /// `exercise_v1` as a string of 12 bytes, version 2, object 3.
  private static let bind: [UInt32] = [1, 12, 0x7265_7865, 0x6573_6963, 0x0031_765F, 2, 3]

  static let malformed: [(String, [UInt32])] = [
    ("an object that is not there", message(99, 0, [])),
    ("a request that there is not", message(3, 99, [])),
    ("a request too short for its arguments", message(3, 2, [])),
    ("a size smaller than a header", message(3, 3, [], size: 4)),
    ("a size of nothing", message(3, 3, [], size: 0)),
    ("an object that is none", message(3, 2, [77, 0])),
    ("an object of another interface", message(3, 2, [3, 0])),
    ("null where it is not allowed", message(3, 2, [0, 0])),
    ("a string longer than the message", message(3, 1, [0, 0, 0, 500, 0, 0, 0, 0, 0, 0])),
    ("a string without an end", message(3, 1, [0, 0, 0, 4, 0x4141_4141, 0, 4, 0, 0, 0])),
    ("an array longer than the message", message(3, 1, [0, 0, 0, 1, 0, 0, 4, 0xFFFF_FFFF, 0, 0])),
    ("a number for a new object that is taken", message(3, 1, [0, 0, 0, 1, 0, 0, 3, 0, 0, 0])),
    ("a number for a new object that is out of line", message(3, 1, [0, 0, 0, 1, 0, 0, 5000, 0, 0, 0])),
    ("a descriptor that did not come", message(3, 1, [0, 0, 0, 1, 0, 0, 4, 0, 0, 0])),
    ("a global that there is not", message(2, 0, [555, 12, 0x7265_7865, 0x6573_6963, 0x0031_765F, 2, 4])),
    ("a global by another interface", message(2, 0, [1, 4, 0x0061_6161, 2, 4])),
    ("a version that there is not", message(2, 0, [1, 12, 0x7265_7865, 0x6573_6963, 0x0031_765F, 99, 4])),
    ("random words of a plausible size", message(3, 1, (0..<64).map { $0 &* 2_654_435_761 })),
  ]

  @Test("a malformed message ends its own connection with an error", arguments: malformed.indices)
  func malformedMessage(index: Int) throws {
    let (name, words) = Self.malformed[index]
    let rig = try Rig()
    let good = try rig.connect()
    let socket = try rig.rawSocket()
    try socket.setNonBlocking()
    let all = Self.message(1, 1, [2]) + Self.message(2, 0, Self.bind) + words
    let written = try all.withUnsafeBytes { bytes in try socket.write(bytes) }
    #expect(written == 4 * all.count)
    rig.serve()
    rig.serve()
    let answer = contents(socket)
    #expect(try isAtEnd(socket), "\(name): the connection is still open")
    // The display's event 0 is the error.
    #expect(Self.hasError(answer), "\(name)")
    good.exercise.newer(kind: .high)
    try rig.settle(good)
    #expect(rig.servers.first?.heard == ["newer 4294967295"], "\(name)")
  }

  private static func hasError(_ answer: [UInt8]) -> Bool {
    var index = 0
    while index + 8 <= answer.count {
      let word = answer[index..<index + 8].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if word & 0xFFFF_FFFF == 1, word >> 32 & 0xFFFF == 0 { return true }
      index += max(8, Int(word >> 48))
    }
    return false
  }

  @Test("a message that never ends is cut off")
  func endless() throws {
    let rig = try Rig()
    let socket = try rig.rawSocket()
    try socket.setNonBlocking()
    let words = [1, 0xFFFF_0001] + [UInt32](repeating: 0, count: 4096)
    _ = try words.withUnsafeBytes { bytes in try socket.write(bytes) }
    for _ in 0..<8 { rig.serve() }
    #expect(throws: SystemCallError(call: "read", errno: 104)) { try isAtEnd(socket) }
  }

  @Test("descriptors are closed when the handler has them, and when nobody hears the message")
  func descriptorsAreClosed() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let server = try #require(rig.servers.first)
    let child = client.exercise.everything(
      int: 0, uint: 0, fixed: WireFixed(0), class: "", nothing: nil, array: [UInt8]().span.bytes,
      fd: try file(of: []), kind: .high, bits: [])
    try rig.settle(client)
    #expect(
      try isClosedAfter { first, second in
        client.exercise.twoDescriptors(first: first, child: child, second: second)
        try rig.settle(client)
      })
    #expect(server.heard.last == "two")

    client.exercise.handler = nil
    let owner = try #require(server.resource?.client)
    let made = try #require(Resource<ExerciseChildV1>(for: owner, version: 1, handler: server))
    #expect(
      try isClosedAfter { first, _ in
        server.resource?.sendEverything(
          int: 0, uint: 0, fixed: WireFixed(0), text: "", nothing: nil, child: made, array: [UInt8]().span.bytes,
          fd: first, kind: .high)
        try rig.settle(client)
      })
    #expect(client.heard == [])
  }

  /// Whether nobody has the writing end of a pipe any more, two of which `send` was lent.
  private func isClosedAfter(
    _ send: (borrowing FileDescriptor, borrowing FileDescriptor) throws -> Void
  ) throws -> Bool {
    try FileDescriptor.pipe().take { (reader, writer) throws in
      try reader.setNonBlocking()
      let copy = try writer.duplicate()
      try send(writer, copy)
      #expect(try !isAtEnd(reader))
      // The copies at the other end are all that is left.
      _ = consume writer
      _ = consume copy
      return try isAtEnd(reader)
    }
  }
}

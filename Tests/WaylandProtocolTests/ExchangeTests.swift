import LinuxIO
import Testing
import WaylandProtocol

@Suite("Messages between a server and a client")
struct ExchangeTests {
  private static let numbers = [0.1, -.pi * 1e300, .infinity, 5e-300]

  @Test("a request carries every type of argument")
  func request() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let file = try file(of: [1, 2, 3])
    let child = client.exercise.everything(
      int: .min, uint: .max, fixed: WireFixed(-1.5), class: "héllo", nothing: nil, array: Self.numbers.span.bytes,
      fd: file, kind: .high, bits: [.first, .third])
    try rig.settle(client)
    let server = try #require(rig.servers.first)
    #expect(server.heard == ["-2147483648 4294967295 -1.5 héllo – 4294967295 5"])
    #expect(server.numbers == Self.numbers)
    #expect(server.bytesOfFile == [1, 2, 3])
    #expect(server.children.map(\.number) == [child.number])

    client.exercise.show(child: child, other: nil)
    client.exercise.show(child: child, other: child)
    client.exercise.newer(kind: ._90)
    try rig.settle(client)
    #expect(server.heard.dropFirst() == ["show \(child.number) 0", "show \(child.number) \(child.number)", "newer 2"])
  }

  @Test("an event carries every type of argument")
  func event() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let server = try #require(rig.servers.first)
    let resource = try #require(server.resource)
    let owner = try #require(resource.client)
    let child = try #require(Resource<ExerciseChildV1>(for: owner, version: 1, handler: server))
    let file = try file(of: [4, 5])
    resource.sendEverything(
      int: -2, uint: 3, fixed: WireFixed(0.25), text: "", nothing: "something", child: child,
      array: Self.numbers.span.bytes, fd: file, kind: .`class`)
    child.sendGreeting(number: 9)
    resource.sendShow(child: child, other: child)
    resource.sendShow(child: child, other: nil)
    resource.sendNewer()
    try rig.settle(client)
    #expect(
      client.heard == [
        "-2 3 0.25  something 1", "greeting 9", "show \(child.number) \(child.number)", "show \(child.number) 0",
        "newer",
      ])
    #expect(client.numbers == Self.numbers)
    #expect(client.bytesOfFile == [4, 5])
    #expect(client.children.map(\.number) == [child.number])
  }

  @Test("a value without a name arrives as it is")
  func unknownValue() throws {
    let rig = try Rig()
    let client = try rig.connect()
    client.exercise.newer(kind: ExerciseV1.Kind(rawValue: 77))
    try rig.settle(client)
    #expect(rig.servers.first?.heard == ["newer 77"])
    #expect(!ExerciseV1.Kind.known.contains(ExerciseV1.Kind(rawValue: 77)))
  }

  @Test("what an older version does not have is not sent")
  func olderVersion() throws {
    let rig = try Rig(version: 1)
    let client = try rig.connect(version: 1)
    client.exercise.newer(kind: .high)
    rig.servers.first?.resource?.sendNewer()
    try rig.settle(client)
    #expect(rig.servers.first?.heard == [])
    #expect(client.heard == [])
    #expect(client.connection.error == nil)
  }

  @Test("an object is gone at both ends when its destructor was called, and is no use then")
  func destructor() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let server = try #require(rig.servers.first)
    let child = client.exercise.everything(
      int: 0, uint: 0, fixed: WireFixed(0), class: "", nothing: nil, array: [UInt8]().span.bytes,
      fd: try file(of: []), kind: .high, bits: [])
    try rig.settle(client)
    let resource = try #require(server.children.first)
    #expect(resource.isAlive)

    resource.sendGreeting(number: 1)
    child.destroy()
    client.exercise.show(child: child, other: nil)
    try rig.settle(client)
    #expect(!child.isAlive && !resource.isAlive)
    // The event crossed the destructor, and the request named nothing any more.
    #expect(client.heard == [] && server.heard.count == 1)
    resource.sendGreeting(number: 2)
    resource.post(ProtocolViolation(ExerciseV1.ErrorCode.askedFor, "too late"))
    child.destroy()
    try rig.settle(client)
    #expect(client.connection.error == nil)

    client.exercise.destroy()
    try rig.settle(client)
    #expect(server.destroyed == 1 && server.resource?.isAlive == false)
  }

  @Test("a proxy that nobody holds is let go of, and events for it are dropped with their descriptors")
  func droppedProxy() throws {
    let rig = try Rig()
    let client = try rig.connect()
    let server = try #require(rig.servers.first)
    _ = client.exercise.everything(
      int: 0, uint: 0, fixed: WireFixed(0), class: "", nothing: nil, array: [UInt8]().span.bytes,
      fd: try file(of: []), kind: .high, bits: [])
    try rig.settle(client)
    server.children.first?.sendGreeting(number: 1)
    try rig.settle(client)
    #expect(client.heard == [])
    #expect(client.connection.error == nil)
  }

  @Test("a client's end ends its objects, and the server hears of it once")
  func clientEnds() throws {
    let rig = try Rig()
    var client: ExerciseClient? = try rig.connect()
    let server = try #require(rig.servers.first)
    let owner = try #require(server.resource?.client)
    var endings = 0
    owner.whenEnded = { _ in endings += 1 }
    #expect(owner.process == ownProcess && owner.isAlive)
    // Its own handler keeps it: the cycle is the owner's to break.
    client?.exercise.abandon()
    client?.registry.abandon()
    client = nil
    rig.serve()
    #expect(endings == 1 && !owner.isAlive && server.destroyed == 1)
    #expect(server.resource?.isAlive == false)
    server.resource?.sendNewer()
    owner.disconnect()
  }

  @Test("a global that a client may not see does not exist for it")
  func invisibleGlobal() throws {
    let rig = try Rig()
    rig.display.isVisible = { _, interface in interface != "exercise_v1" }
    #expect(throws: ConnectionError.self) { try rig.connect() }
    #expect(rig.servers.isEmpty)
  }
}

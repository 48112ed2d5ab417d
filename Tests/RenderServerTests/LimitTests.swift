import Commit
import Geometry
import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

@Suite("Limits on the wire", .serialized)
struct LimitTests {
  /// A limit, and what goes past it by one.
  struct Case: Sendable, CustomTestStringConvertible {
    var limits: String
    var code: PortholeV1.ErrorCode
    var body: @Sendable (TestClient) throws -> Void
    var testDescription: String { limits }
  }

  static let cases: [Case] = [
    Case(limits: "layers=2", code: .tooManyLayers) { client in for _ in 0..<3 { _ = try client.layer() } },
    Case(limits: "portals=2", code: .tooManyPortals) { client in for _ in 0..<3 { _ = try client.layer(.portal) } },
    Case(limits: "nesting=3", code: .tooDeep) { client in
      let layers = try (0..<4).map { _ in try client.layer() }
      for index in [0, 2, 1] { layers[index].insertSublayer(child: layers[index + 1], index: 0) }
    },
    Case(limits: "shared_bytes=8191", code: .tooMuchSharedMemory) { client in
      let memory = try SharedMemory(byteCount: 4096)
      for _ in 0..<2 { _ = client.global.createPool(fd: memory.descriptor, size: 4096) }
    },
    Case(limits: "texture_bytes=100", code: .tooMuchTextureMemory) { client in
      for _ in 0..<2 {
        let picture = try TestPicture(client, width: 4, height: 4)
        try client.layer().setContents(buffer: picture.buffer)
        client.global.commit(serial: 1)
      }
    },
    Case(limits: "texture_bytes=8000", code: .tooMuchTextureMemory) { client in
      for _ in 0..<2 { _ = client.output(width: 32, height: 32) }
    },
    Case(limits: "texture_bytes=60000", code: .tooMuchTextureMemory) { client in
      // The frame alone is within the limit; what a blur of it needs is not.
      let output = client.output(width: 96, height: 96)
      let layer = try client.layer(
        .layer, .bounds(Rect(x: 0, y: 0, width: 96, height: 96)), .backgroundColor(.white),
        .filters([.gaussianBlur(radius: 4)]))
      output.setRoot(layer: layer)
      client.global.commit(serial: 1)
      output.requestFrame()
    },
    Case(limits: "commits_per_second=5", code: .tooManyCommits) { client in
      for serial: UInt32 in 0..<6 { client.global.commit(serial: serial) }
    },
    Case(limits: "descriptors=2", code: .tooManyDescriptors) { client in
      let memory = try SharedMemory(byteCount: 4096)
      for _ in 0..<3 { _ = client.global.createPool(fd: memory.descriptor, size: 4096) }
    },
    Case(limits: "changes=4", code: .tooManyChanges) { client in
      let layer = try client.layer()
      try client.set(layer, (0..<5).map { .zPosition(Double($0)) })
    },
    Case(limits: "outputs=1", code: .tooManyOutputs) { client in
      for _ in 0..<2 { _ = client.output(width: 4, height: 4) }
    },
    Case(limits: "output_side=64", code: .tooLargeOutput) { client in _ = client.output(width: 4, height: 65) },
    Case(limits: "exports=2", code: .tooManyExports) { client in
      let layer = try client.layer()
      _ = client.global.exportLayer(layer: layer, flags: [])
      for _ in 0..<2 { _ = client.global.importLayer(handle: [0.0].span.bytes) }
    },
    Case(limits: "questions=2", code: .tooManyQuestions) { client in
      let output = client.output(width: 4, height: 4, rate: 1)
      for _ in 0..<3 { _ = client.global.feedback(output: output) }
    },
  ]

  @Test("whoever goes past a limit is ended with the limit's own error, and nobody else is", arguments: cases)
  func limit(testCase: Case) throws {
    let fixture = try ServerFixture(limits: testCase.limits)
    let bystander = try fixture.connect()
    let client = try fixture.connect()
    try testCase.body(client)
    #expect(try client.violation() == testCase.code)
    try fixture.turn { fixture.server.tree.clients.count == 1 }
    #expect(try bystander.commit())
    #expect(fixture.server.tree.misapplied == [])
  }

  @Test("what is within the limits goes on", arguments: ["layers=3", "nesting=4", "changes=5", "exports=3"])
  func within(limits: String) throws {
    let fixture = try ServerFixture(limits: limits)
    let client = try fixture.connect()
    let layers = try (0..<3).map { _ in try client.layer() }
    layers[1].insertSublayer(child: layers[2], index: 0)
    layers[0].insertSublayer(child: layers[1], index: 0)
    _ = client.global.exportLayer(layer: layers[0], flags: [])
    #expect(try client.commit())
  }
}

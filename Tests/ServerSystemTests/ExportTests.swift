import Foundation
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("Layers of other clients")
  struct ExportTests {
    private let server: ServerRun
    private let size = Size(width: 32, height: 32)

    init() throws { server = try ServerRun() }

    private func card() -> Layer {
      let card = Layer()
      card.bounds = Rect(x: 0, y: 0, width: 32, height: 32)
      card.backgroundColor = Color(red: 1, green: 0, blue: 0)
      return card
    }

    private func window(_ source: Layer?) -> (root: Layer, portal: PortalLayer) {
      let (root, portal) = (Layer(), PortalLayer())
      root.frame = Rect(x: 0, y: 0, width: 32, height: 32)
      portal.frame = root.bounds
      portal.sourceLayer = source
      root.addSublayer(portal)
      return (root, portal)
    }

    private func middle(_ image: Image) -> [UInt8] { Array(image.pixels[(4 * (16 * 32 + 16))...].prefix(4)) }

    @Test("a portal shows another client's layer, live, until it is revoked")
    func portal() throws {
      let (owner, viewer) = (try server.connect(), try server.connect())
      let card = card()
      let handle = try owner.export(card)
      #expect(LayerHandle(hex: handle.description) == handle)
      let imported = try viewer.import(handle)
      #expect(imported.availability == .available)
      let (root, _) = window(imported)
      let renderer = try viewer.output(size: size)
      #expect(try middle(renderer.render(root)) == [255, 0, 0, 255])

      card.backgroundColor = Color(red: 0, green: 1, blue: 0)
      try owner.commit(card)
      try owner.finish()
      #expect(try middle(renderer.render(root)) == [0, 255, 0, 255])

      var heard: [ImportedLayer.Availability] = []
      imported.whenAvailabilityChanged = { heard.append($0) }
      try owner.revoke(handle)
      let end = Date().addingTimeInterval(20)
      while heard.isEmpty, Date() < end {
        try viewer.dispatch()
        Thread.sleep(forTimeInterval: 0.002)
      }
      #expect(heard == [.unavailable])
      #expect(try middle(renderer.render(root)) == [0, 0, 0, 0])
      #expect(try viewer.import(handle).availability == .unavailable)
    }

    @Test("the layers of a client that is gone are gone, and a guessed handle is none")
    func goneOwner() throws {
      let viewer = try server.connect()
      let renderer = try viewer.output(size: size)
      let owner = try server.connect()
      let imported = try viewer.import(try owner.export(card()))
      let (root, _) = window(imported)
      #expect(try middle(renderer.render(root)) == [255, 0, 0, 255])
      owner.close()
      let end = Date().addingTimeInterval(20)
      while imported.availability == .available, Date() < end {
        try viewer.dispatch()
        Thread.sleep(forTimeInterval: 0.002)
      }
      #expect(imported.availability == .unavailable)
      #expect(try middle(renderer.render(root)) == [0, 0, 0, 0])
      let guess = try #require(LayerHandle([UInt8](repeating: 7, count: 16)))
      #expect(try viewer.import(guess).availability == .unavailable)
    }

    @Test("a handle of a single use serves one client")
    func singleUse() throws {
      let owner = try server.connect()
      let handle = try owner.export(card(), isSingleUse: true)
      #expect(try server.connect().import(handle).availability == .available)
      #expect(try server.connect().import(handle).availability == .unavailable)
    }

    @Test("a program in C, made from the protocol's XML alone, shows a layer of this process")
    func programInC() throws {
      let built = try runProgram("/bin/sh", [Checkout.path("Tests/CClient/build.sh"), server.folder.path])
      try #require(built.status == 0, "\(built.text)")

      let (root, card) = TestLayers.cardAndPortal()
      let owner = try server.connect()
      let handle = try owner.export(root)
      let file = server.folder.appending(path: "picture")
      let program = server.folder.appending(path: "show_layer").path
      for _ in 0..<2 {
        let shown = try runProgram(program, [server.socket, handle.description, "64", "64", file.path])
        try #require(shown.status == 0, "\(shown.text)")
        let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64))
        // A portal shows its source's content, and the root here is nothing besides.
        #expect(try Pixels.difference([UInt8](Data(contentsOf: file)), embedded.render(root).pixels) == nil)
        embedded.close()
        card.backgroundColor = Color(red: 0.9, green: 0.8, blue: 0.1)
        try owner.commit(root)
        try owner.finish()
      }
      let stranger = try runProgram(program, [server.socket, String(repeating: "0", count: 32), "64", "64", file.path])
      #expect(stranger.status == 1)
      #expect(stranger.text.contains("the handle is not good"))
    }

    @Test("a handle is 32 digits and nothing else")
    func hexDigits() throws {
      let bytes = (0..<16).map { UInt8($0 * 17) }
      let handle = try #require(LayerHandle(bytes))
      #expect(handle.description == "00112233445566778899aabbccddeeff")
      #expect(handle.bytes == bytes)
      #expect(LayerHandle(hex: "00112233445566778899AABBCCDDEEFF") == handle)
      #expect(LayerHandle(hex: "0011") == nil)
      #expect(LayerHandle(hex: "0011223344556677 899aabbccddeeff") == nil)
      #expect(LayerHandle([1, 2]) == nil)
    }
  }
}

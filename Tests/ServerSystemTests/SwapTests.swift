import Foundation
import Geometry
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("A buffer that changes, by a server")
  struct SwapTests {
    private func scene() throws -> Scene { try SceneFile.read(Checkout.path("Tests/Scenes/surface-everywhere.json")) }

    private func picture(_ step: Int) throws -> Image {
      var pixels: [UInt8] = []
      for place in 0..<64 {
        let alpha = UInt8(255 - (step * 37 + place * 3) % 160)
        for part in 0..<3 { pixels.append(UInt8((step * (61 + part * 30) + place * (7 - part)) % (Int(alpha) + 1))) }
        pixels.append(alpha)
      }
      return try #require(Image(size: PixelSize(width: 8, height: 8), alpha: .premultiplied, pixels: pixels))
    }

    @Test("shows in its very frame, in every portal at any depth, with one request about pictures and none of the tree")
    func everywhere() throws {
      let server = try ServerRun()
      let connection = try server.connect()
      let (here, there) = (try scene(), try scene())
      let embedded = try OffscreenRenderer(size: here.size, background: here.background)
      let remote = try connection.output(size: there.size, background: there.background)
      defer {
        embedded.close()
        remote.close()
      }
      let surfaces = [here, there].compactMap { $0.layer("surface") as? SurfaceLayer }
      for surface in surfaces { surface.pacing = .latest }
      _ = try (embedded.render(here.root), remote.render(there.root))
      var last: [UInt8] = []
      for step in 0..<40 {
        let before = connection.counters
        let image = try picture(step)
        // Each second one says where it differs.
        let damage = step % 2 == 1 ? [PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)] : nil
        for surface in surfaces { surface.enqueue(SurfaceBuffer(image, damage: damage)) }
        let (expected, got) = (try embedded.render(here.root), try remote.render(there.root))
        #expect(Pixels.difference(expected.pixels, got.pixels) == nil, "step \(step)")
        #expect(got.pixels != last)
        last = got.pixels
        let after = connection.counters
        #expect(after.records == before.records && after.commits == before.commits + 1)
        #expect(after.requests <= before.requests + 2 && after.bytesOfPictures == before.bytesOfPictures + 256)
      }
    }

    @Test("ten thousand pictures of a hidden source leave the server's descriptors and memory, and the client's, flat")
    func flat() throws {
      let server = try ServerRun()
      let connection = try server.connect()
      let renderer = try connection.output(size: Size(width: 32, height: 16))
      defer { renderer.close() }
      let (root, surface, portal, second) = (Layer(), SurfaceLayer(), PortalLayer(), PortalLayer())
      root.frame = Rect(x: 0, y: 0, width: 32, height: 16)
      surface.frame = Rect(x: 0, y: 0, width: 16, height: 16)
      surface.pacing = .latest
      (portal.frame, portal.sourceLayer, portal.hidesSourceLayer) = (
        Rect(x: 16, y: 0, width: 16, height: 16), surface, true
      )
      (second.frame, second.sourceLayer) = (Rect(x: 0, y: 8, width: 8, height: 8), portal)
      for layer in [surface, portal, second] { root.addSublayer(layer) }
      let pictures = try (0..<8).map(picture)
      var out = 0
      var first: (files: Int, kilobytes: Int)?
      for step in 0..<10_000 {
        out += 1
        surface.enqueue(SurfaceBuffer(pictures[step % 8]) { out -= 1 })
        if step % 10 == 0 {
          let frame = try renderer.render(root)
          let expected = pictures[step % 8]
          // The upper left corner, over nothing.
          #expect(Array(frame.pixels[16 * 4..<16 * 4 + 4]) == Array(expected.pixels[0..<4]), "frame \(step)")
          #expect(frame.pixels[0..<4].allSatisfy { $0 == 0 }, "the source is hidden")
        } else {
          try renderer.update(root)
        }
        #expect(out == 0 && surface.queuedCount == 0)
        if step == 2000 { first = try held(by: server) }
      }
      try connection.finish()
      let (before, after) = (try #require(first), try held(by: server))
      #expect(after.files == before.files)
      // Every picture that was left would be a kilobyte, and its texture more.
      #expect(after.kilobytes - before.kilobytes < 4096, "\(before.kilobytes) kB, then \(after.kilobytes) kB")
      #expect(connection.layerCount == 4)
    }

    private func held(by server: ServerRun) throws -> (files: Int, kilobytes: Int) {
      let folder = "/proc/\(server.processIdentifier)"
      let pages = try String(contentsOfFile: folder + "/statm", encoding: .utf8).split(separator: " ")[1]
      return (
        try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count, (Int(pages) ?? 0) * 4
      )
    }
  }
}

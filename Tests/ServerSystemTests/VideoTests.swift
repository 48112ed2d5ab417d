import Foundation
import Media
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("A video, by a server")
  struct VideoTests {
    @Test(
      "each of its frames is the right one, by its pixels, in a portal, in a portal of that, and in another process's")
    func frames() throws {
      let pattern = TestPattern(.bars, size: PixelSize(width: 48, height: 30), rate: 25)
      let path = FileManager.default.temporaryDirectory.appending(path: "porthole-\(UUID().uuidString).mkv").path
      defer { try? FileManager.default.removeItem(atPath: path) }
      let writer = try VideoWriter(path, size: pattern.size, rate: pattern.rate)
      for number in 0..<24 { try writer.add(try #require(pattern.image(number))) }
      try writer.finish()

      let server = try ServerRun()
      let (owner, viewer) = (try server.connect(), try server.connect())
      let (root, surface) = (Layer(), SurfaceLayer())
      root.frame = Rect(x: 0, y: 0, width: 48, height: 60)
      surface.frame = Rect(x: 48, y: 0, width: 48, height: 30)
      root.addSublayer(surface)
      var source: Layer = surface
      for row in 0..<2 {
        let portal = PortalLayer()
        portal.frame = Rect(x: 0, y: Double(row) * 30, width: 48, height: 30)
        portal.sourceLayer = source
        portal.hidesSourceLayer = row == 0
        root.addSublayer(portal)
        source = portal
      }
      let handle = try owner.export(surface)
      let output = try owner.output(size: Size(width: 48, height: 60))
      let elsewhere = try viewer.output(size: Size(width: 48, height: 30))
      let portal = PortalLayer()
      portal.frame = Rect(x: 0, y: 0, width: 48, height: 30)
      let imported = try viewer.import(handle)
      portal.sourceLayer = imported
      let feed = VideoFeed(try VideoReader(file: path), into: surface)
      // One at a time, whatever the clock says.
      feed.lead = 0
      surface.pacing = .latest
      for number in 0..<24 {
        feed.advance(to: (Double(number) + 0.5) / 25)
        let expected = try #require(pattern.image(number)).pixels
        let image = try output.render(root)
        #expect(Array(image.pixels.prefix(expected.count)) == expected, "frame \(number)")
        #expect(Array(image.pixels.suffix(expected.count)) == expected, "frame \(number), a portal deeper")
        #expect(try elsewhere.render(portal).pixels == expected, "frame \(number), in another process")
      }
      #expect(feed.failures.isEmpty && surface.shownCount == 24 && feed.releasedCount == 24)
    }
  }
}

import Foundation
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("A connection's life")
  struct ConnectionTests {
    @Test("a lost connection says so, and the layers are shown by a new one")
    func lostConnection() throws {
      let first = try ServerRun()
      let renderer = try first.connect().output(size: Size(width: 64, height: 64))
      let (root, card) = TestLayers.cardAndPortal()
      _ = try renderer.render(root)
      first.kill()
      card.opacity = 0.5
      do throws(OffscreenError) {
        _ = try renderer.render(root)
        Issue.record("a picture came from a server that is dead")
      } catch {
        #expect(error.code == .connectionLost)
        #expect(error.description.contains("connection"))
      }
      #expect(throws: OffscreenError.self) { try renderer.update(root) }

      let second = try ServerRun()
      let again = try second.connect().output(size: Size(width: 64, height: 64))
      let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64))
      #expect(try Pixels.difference(again.render(root).pixels, embedded.render(root).pixels) == nil)
      card.opacity = 1
      #expect(try Pixels.difference(again.render(root).pixels, embedded.render(root).pixels) == nil)
    }

    @Test("a limit that is exceeded is an error with the server's own words")
    func limits() throws {
      let server = try ServerRun(["--limits", "layers=10"])
      let renderer = try server.connect().output(size: Size(width: 64, height: 64))
      let root = Layer()
      for _ in 0..<20 { root.addSublayer(Layer()) }
      do throws(OffscreenError) {
        _ = try renderer.render(root)
        Issue.record("20 layers were accepted")
      } catch {
        #expect(error.code == .connectionLost)
        #expect(error.description.contains("porthole_v1"))
        #expect(error.description.contains("32"))
        #expect(error.description.contains("more than 10"))
      }
      // Others are not concerned.
      let other = try server.connect().output(size: Size(width: 64, height: 64))
      #expect(try other.render(Layer()).width == 64)
    }

    @Test("commits wait rather than exceed the limit of commits a second")
    func pace() throws {
      let server = try ServerRun(["--limits", "commits_per_second=100"])
      let connection = try server.connect()
      let renderer = try connection.output(size: Size(width: 64, height: 64))
      let (root, card) = TestLayers.cardAndPortal()
      for step in 0..<150 {
        card.opacity = Float(step) / 150
        try renderer.update(root)
      }
      try connection.finish()
      #expect(connection.counters.commits == 150)
    }

    @Test("where nobody listens, the error says what to do")
    func nobody() {
      do throws(OffscreenError) {
        _ = try RenderServerConnection("/nonexistent/socket")
        Issue.record("connected to nothing")
      } catch {
        #expect(error.code == .noServer)
        #expect(error.description.contains("portholed"))
      }
    }

    @Test("a closed connection throws, and closes once")
    func closing() throws {
      let server = try ServerRun()
      let connection = try server.connect()
      let renderer = try connection.output(size: Size(width: 64, height: 64))
      let (root, _) = TestLayers.cardAndPortal()
      _ = try renderer.render(root)
      connection.close()
      connection.close()
      #expect(throws: OffscreenError.self) { try renderer.render(root) }
      #expect(throws: OffscreenError.self) { try connection.export(root) }
    }

    @Test("connections come and go, and the server holds no more descriptors than before")
    func reconnecting() throws {
      let server = try ServerRun()
      let (root, _) = TestLayers.cardAndPortal()
      func cycle() throws {
        let connection = try server.connect()
        _ = try connection.output(size: Size(width: 64, height: 64)).render(root)
        connection.close()
      }
      for _ in 0..<3 { try cycle() }
      let here = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      // Other tests open and close descriptors of this process at the same time; one that each connection left would be
      // more than they are.
      let cycles = 200
      for _ in 0..<cycles { try cycle() }
      #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < here + cycles / 2)
      #expect(server.isRunning)
    }
  }
}

import LiveView
import RenderServer
import TestSupport
import Testing

@Suite("Who is let in to the view")
struct ViewDoorTests {
  private func answer(_ fixture: ServerFixture, _ path: String, host: String? = nil) throws -> WebSocketClient.Answer {
    let port = fixture.viewPlace.port
    return try WebSocketClient(
      port: port, path: path, headers: ["Host: \(host ?? "127.0.0.1:\(port)")"], pump: fixture.viewPump
    ).answer
  }

  @Test("the page and its files are there for whoever has the token, and load nothing else")
  func page() throws {
    let fixture = try ServerFixture.viewed()
    let path = fixture.viewPlace.path
    let page = try answer(fixture, path)
    #expect(page.status == 200)
    #expect(page.head.contains("content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'"))
    #expect(page.head.contains("referrer-policy: no-referrer"))
    let text = String(decoding: page.body, as: UTF8.self)
    #expect(text.hasSuffix("</html>\n"))
    let named = text.matches(of: #/(?:src|href)="([^"]+)"/#).map { String($0.1) }
    #expect(named.sorted() == ["icon.svg", "page.css", "page.js"])
    for name in named + ["wire.js", "hand.js", "overlay.js", "figures.js"] {
      let file = try answer(fixture, path + name)
      #expect(file.status == 200 && !file.body.isEmpty, "\(name)")
      #expect(!String(decoding: file.body, as: UTF8.self).contains("http://127"), "\(name)")
    }
  }

  @Test("without the token there is nothing, whatever else is asked for")
  func token() throws {
    let fixture = try ServerFixture.viewed()
    let token = fixture.viewPlace.path.dropFirst().dropLast()
    #expect(token.count == 32)
    let other = String(token.dropLast()) + (token.last == "0" ? "1" : "0")
    for path in ["/", "/live", "/\(token)", "/\(other)/", "/\(token.dropLast())/", "/\(token)0/", "//", "/\(token)/no"]
    {
      #expect(try answer(fixture, path).status == 404, "\(path)")
    }
    for path in ["/live", "/\(other)/live", "/\(token)/page.js", "/\(token)/"] {
      let port = fixture.viewPlace.port
      let socket = try WebSocketClient(
        port: port, path: path, origin: "http://127.0.0.1:\(port)", pump: fixture.viewPump)
      #expect(socket.answer.status == 404, "\(path)")
    }
  }

  @Test("a name that somebody has led here is not the server's", arguments: ["evil.example", "127.0.0.1.evil.example"])
  func rebinding(name: String) throws {
    let fixture = try ServerFixture.viewed()
    let (port, path) = fixture.viewPlace
    for host in [name, "\(name):\(port)", "localhost.\(name)", "192.168.0.1:\(port)", "[::2]:\(port)", "[\(name)]"] {
      #expect(try answer(fixture, path, host: host).status == 404, "\(host)")
      #expect(try fixture.viewer(path: "live", host: host).answer.status == 404, "\(host)")
    }
    // A tunnel leads here from another port.
    for host in ["localhost", "localhost:9", "127.0.0.1:9", "127.1.2.3", "[::1]:\(port)"] {
      #expect(try answer(fixture, path, host: host).status == 200, "\(host)")
      #expect(try fixture.viewer(path: "live", host: host).answer.status == 101, "\(host)")
    }
  }

  @Test("a socket is opened by the server's own page alone")
  func origin() throws {
    let fixture = try ServerFixture.viewed()
    let port = fixture.viewPlace.port
    for origin in [
      "http://evil.example", "null", "https://127.0.0.1:\(port)", "http://127.0.0.1:9", "http://127.0.0.1",
    ] {
      #expect(try fixture.viewer(path: "live", origin: origin).answer.status == 404, "\(origin)")
    }
    #expect(try fixture.viewer(path: "live", origin: nil).answer.status == 404)
    #expect(try fixture.viewer(path: "live").answer.status == 101)
  }

  @Test("more viewers than there may be are sent away, until another goes")
  func crowd() throws {
    let fixture = try ServerFixture.viewed()
    var viewers = try (0..<8).map { _ in try TestViewer(fixture) }
    let late = try fixture.viewer(path: "live")
    #expect(try late.next() == .close(1013))
    #expect(try viewers[3].outputs() == [])
    viewers.removeLast()
    var isIn = false
    while !isIn { isIn = try fixture.viewer(path: "live").next() != .close(1013) }
  }

  @Test(
    "an address is a port, or a number and a port",
    arguments: [
      ("8080", "127.0.0.1", 8080), ("127.0.0.1:0", "127.0.0.1", 0), ("localhost:1", "127.0.0.1", 1),
      ("[::1]:65535", "::1", 65535), ("0.0.0.0:80", "0.0.0.0", 80),
    ] as [(String, String, UInt16)])
  func address(text: String, host: String, port: UInt16) {
    let address = ViewAddress(text)
    #expect(address?.host == host)
    #expect(address?.port == port)
    #expect(address?.isLoopback == (host != "0.0.0.0"))
  }

  @Test(
    "what is no address is refused",
    arguments: ["", ":", ":80", "80:", "example.org:80", "127.0.0.1", "65536", "-1", "+1", "1.2.3:4", "::1:5", "[a]:5"])
  func noAddress(text: String) {
    #expect(ViewAddress(text) == nil)
    #expect(throws: OptionError.self) { try ServerOptions.read(["--view=\(text)"]) }
  }

  @Test("a port that somebody has is an error that says so")
  func taken() throws {
    let fixture = try ServerFixture.viewed()
    let port = fixture.viewPlace.port
    let error = #expect(throws: ServerError.self) {
      try ServerFixture { $0.view = ViewAddress("127.0.0.1:\(port)") }
    }
    #expect(error?.description.contains("port \(port)") == true)
  }
}

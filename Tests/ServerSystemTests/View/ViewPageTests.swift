import Foundation
import Porthole
import Testing

/// The page of `portholed --view`, in headless Chromium.
@Suite(
  "The view's page", .serialized,
  .enabled(if: Browser.program != nil, "no Chromium here; apt-get install chromium, or make guests"))
struct ViewPageTests {
  /// A scene with what is hard to show right: text, gradients, portals that are turned.
  private static func scene() throws -> (root: Layer, card: Layer) {
    let root = Layer()
    root.anchorPoint = .zero
    root.bounds = Rect(x: 0, y: 0, width: 320, height: 200)
    root.backgroundColor = .white
    root.name = "root"
    let card = GradientLayer()
    card.frame = Rect(x: 20, y: 20, width: 120, height: 80)
    card.cornerRadius = 14
    card.masksToBounds = true
    card.colors = [Color(red: 0.1, green: 0.4, blue: 0.9), Color(red: 0.9, green: 0.2, blue: 0.4)]
    card.name = "card"
    root.addSublayer(card)
    let portal = PortalLayer()
    portal.frame = Rect(x: 170, y: 70, width: 120, height: 80)
    portal.sourceLayer = card
    portal.transform = .rotation(angle: 0.3)
    portal.forwardsHitTestingToSource = true
    portal.name = "portal"
    root.addSublayer(portal)
    return (root, card)
  }

  @Test("it shows what porthole server capture shows, to the pixel, and goes on doing so")
  func pixels() throws {
    let server = try ServerRun(["--view", "127.0.0.1:0"])
    let connection = try server.connect()
    defer { connection.close() }
    let (root, card) = try Self.scene()
    let view = try connection.output(size: root.bounds.size, background: .white)
    _ = try view.render(root)
    let page = try ViewedPage(try server.viewAddress())
    #expect(try page.isLive())
    for step in 0..<4 {
      card.position = Point(80 + 7.5 * Double(step), 60 + 3.25 * Double(step))
      let image = try view.render(root)
      #expect(try page.shows(image), "step \(step)")
    }
    let file = server.folder.appending(path: "now.png").path
    let captured = try runProgram(
      ServerRun.products.appending(path: "porthole").path,
      ["server", "capture", "-o", file, "--socket", server.socket])
    #expect(captured.status == 0, "\(captured.text)")
    #expect(try page.shows(try PNG.read(file)))
    // What lies over it: outlines, and names under the pointer, through the portal.
    #expect(try page.browser.wait("document.getElementById('rate').textContent !== '–'"))
    let corner = try page.place(230, 110)
    try page.browser.mouse("mouseMoved", corner.x, corner.y)
    let path = "document.getElementById('path').innerText.replace(/\\s+/g, ' ')"
    _ = try page.browser.wait("\(path) === 'root portal root card'")
    #expect(try page.browser.run(path) as? String == "root portal root card")
    for name in ["layers", "portals", "damage"] {
      try page.browser.run("document.getElementById('show-\(name)').click(); 0")
    }
    let ink = """
      (() => {
        const marks = document.getElementById('marks');
        const { data } = marks.getContext('2d').getImageData(0, 0, marks.width, marks.height);
        return data.some((value, index) => index % 4 === 3 && value > 0);
      })()
      """
    #expect(try page.browser.wait(ink))
    #expect(page.browser.complaints == [])
  }

  @Test("a click in a turned portal reaches its source's program in its own coordinates, and typing arrives")
  func hand() throws {
    // The terminal turns blue, waits for a click into its first cell, turns green, waits for a line, and turns red.
    let script = """
      colour() { printf "\\033[48;2;$1m\\033[2J"; }
      stty -icanon -echo
      printf '\\033[?1000;1006h'; colour '0;0;255'
      click=$(dd bs=1 count=9 2>/dev/null)
      case $click in *'[<0;1;1M') colour '0;128;0';; *) colour '9;9;9';; esac
      printf '\\033[?1000;1006l'; stty icanon
      while read x; do case $x in *Go42) colour '255;0;0';; esac; done
      sleep 100
      """
    let program = try GuestProgram(
      [
        "foot", "--config=/dev/null", "--override=csd.preferred=none", "--override=colors.alpha=1", "sh", "-c", script,
      ], server: ["--layout", "none", "--view", "127.0.0.1:0"])
    let window = try program.window()
    let root = Layer()
    root.bounds = Rect(x: 0, y: 0, width: 600, height: 600)
    root.anchorPoint = .zero
    root.backgroundColor = .white
    let view = try program.connection.output(size: root.bounds.size)
    let portal = PortalLayer.of(window)
    portal.position = Point(160, 40)
    portal.transform = .rotation(angle: 0.3) * .scale(x: 0.6, y: 0.6)
    root.addSublayer(portal)
    try #require(try program.look(view, root) { $0.pixel(250, 250) == [0, 0, 255, 255] } != nil, "\(program.said)")
    let page = try ViewedPage(try program.server.viewAddress())
    #expect(try page.watch(try program.outputNumber()))
    #expect(try page.waits(forPixel: 250, 250, [0, 0, 255, 255]))
    // (6, 9) of the terminal lies in its first cell, and nowhere near it in a portal that is turned.
    let (sine, cosine) = (sin(0.3), cos(0.3))
    try page.click(160 + 0.6 * (6 * cosine - 9 * sine), 40 + 0.6 * (6 * sine + 9 * cosine))
    try #require(
      try program.look(view, root) { $0.pixel(250, 250) == [0, 128, 0, 255] } != nil,
      "\(program.said)")
    #expect(try page.waits(forPixel: 250, 250, [0, 128, 0, 255]))
    try page.browser.key("G", "KeyG", shift: true)
    for (key, code) in [("o", "KeyO"), ("4", "Digit4"), ("2", "Digit2"), ("Enter", "Enter")] {
      try page.browser.key(key, code)
    }
    #expect(try program.look(view, root) { $0.pixel(250, 250) == [255, 0, 0, 255] } != nil, "\(program.said)")
    #expect(try page.waits(forPixel: 250, 250, [255, 0, 0, 255]))
    #expect(page.browser.complaints == [])
  }

  @Test("where the desk shows the pointer that a program wants, the browser shows none of its own")
  func pointer() throws {
    let program = try GuestProgram(
      ["foot", "--config=/dev/null", "--override=csd.preferred=none", "cat"],
      server: ["--layout", "cascade", "--view", "127.0.0.1:0"])
    _ = try program.window()
    let page = try ViewedPage(try program.server.viewAddress())
    #expect(try page.isLive())
    let shape = "getComputedStyle(document.getElementById('picture')).cursor"
    #expect(try page.browser.run(shape) as? String == "auto")
    // Windows begin at (32, 32).
    for (place, wanted) in [(60.0, "none"), (8, "auto"), (60, "none")] {
      let corner = try page.place(place, place)
      try page.browser.mouse("mouseMoved", corner.x, corner.y)
      #expect(try page.browser.wait("\(shape) === '\(wanted)'"), "at \(place): \(program.said)")
    }
    #expect(page.browser.complaints == [])
  }

  @Test("it says that the server is gone, and is live again when the server is back")
  func gone() throws {
    let token = "a-token-of-a-test-0123456789"
    var server = try ServerRun(
      ["--layout", "cascade", "--view", "127.0.0.1:0"], environment: ["PORTHOLE_VIEW_TOKEN": token])
    let address = try server.viewAddress()
    #expect(address.hasSuffix("/\(token)/"))
    let page = try ViewedPage(address)
    #expect(try page.isLive())
    server.kill()
    #expect(try page.browser.wait("document.body.dataset.state === 'gone' && !document.getElementById('veil').hidden"))
    #expect(
      try page.browser.run("document.getElementById('veil-title').textContent") as? String == "The server is gone")
    let port = address.split(separator: "/")[1].split(separator: ":")[1]
    server = try ServerRun(
      ["--layout", "cascade", "--view", "127.0.0.1:\(port)"], environment: ["PORTHOLE_VIEW_TOKEN": token])
    #expect(try page.isLive())
    #expect(try page.browser.run("document.getElementById('veil').hidden") as? Bool == true)
    withExtendedLifetime(server) {}
  }
}

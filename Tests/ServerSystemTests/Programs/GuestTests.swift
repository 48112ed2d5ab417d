import Foundation
import Porthole
import Testing

/// Programs of Debian's, unmodified, that have no idea of portals. Their windows stand nowhere: what is seen of them, portals
/// show.
@Suite("Programs of others", .serialized)
struct GuestTests {
  @Test(
    "a portal shows what a program draws, and it goes on drawing while it moves",
    arguments: [
      ["weston-simple-shm"], ["weston-simple-damage"], ["weston-simple-egl"], ["weston-subsurfaces"],
      ["weston-presentation-shm"], ["glmark2-es2-wayland", "-b", "build"],
      ["mpv", "--no-config", "--vo=wlshm", "av://lavfi:testsrc2=size=320x240:rate=30"],
      ["gst-launch-1.0", "videotestsrc", "pattern=ball", "!", "video/x-raw,format=BGRx", "!", "waylandsink"],
    ])
  func moving(_ words: [String]) throws {
    let program = try GuestProgram(words)
    let window = try program.window()
    let root = PortalLayer.of(window)
    let view = try program.connection.output(size: window.size)
    let first = try #require(
      try program.look(view, root) { $0.colours() > 1 }, "\(words[0]) is of one colour: \(program.said)")
    #expect(first.size == PixelSize(width: Int(window.size.width), height: Int(window.size.height)))
    var last = first.pixels
    for number in 1...3 {
      let next = try program.look(view, root) { $0.pixels != last }
      #expect(next != nil, "\(words[0]) stands still after \(number) pictures: \(program.said)")
      last = next?.pixels ?? []
    }
  }

  @Test("a portal shows what a still program draws", arguments: [["weston-scaler"], ["weston-flower"], ["gtk4-demo"]])
  func still(_ words: [String]) throws {
    let program = try GuestProgram(words)
    let window = try program.window()
    let view = try program.connection.output(size: window.size)
    let shown = try program.look(view, PortalLayer.of(window)) { $0.colours() > 2 }
    #expect(shown != nil, "\(words[0]) shows nothing: \(program.said)")
  }

  @Test("a video's pixels are the very ones that its player was given")
  func exact() throws {
    let video = [
      "videotestsrc", "pattern=smpte100", "num-buffers=1", "!", "video/x-raw,format=BGRx,width=320,height=240",
    ]
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).raw")
    defer { try? FileManager.default.removeItem(at: file) }
    let dumped = try runProgram("/usr/bin/gst-launch-1.0", video + ["!", "filesink", "location=\(file.path)"])
    #expect(dumped.status == 0, "\(dumped.text)")
    let raw = [UInt8](try Data(contentsOf: file))
    try #require(raw.count == 320 * 240 * 4)
    var expected = raw
    for index in stride(from: 0, to: raw.count, by: 4) {
      (expected[index], expected[index + 1], expected[index + 2], expected[index + 3]) =
        (raw[index + 2], raw[index + 1], raw[index], 255)
    }
    let program = try GuestProgram(
      ["gst-launch-1.0", "videotestsrc", "pattern=smpte100", "!", "video/x-raw,format=BGRx,width=320,height=240", "!"]
        + ["waylandsink"])
    let window = try program.window()
    #expect(window.size == Size(width: 320, height: 240))
    let view = try program.connection.output(size: window.size)
    let shown = try program.look(view, PortalLayer.of(window)) { $0.colours() > 2 }
    #expect(shown?.pixels == expected)
  }

  @Test("a terminal shows what is typed into a turned portal of it")
  func typing() throws {
    let script =
      "printf '\\033[48;2;0;0;255m\\033[2J'; read x; test $x = Go42 && printf '\\033[48;2;255;0;0m\\033[2J'; sleep 100"
    let program = try GuestProgram([
      "foot", "--config=/dev/null", "--override=csd.preferred=none", "--override=colors.alpha=1", "sh", "-c", script,
    ])
    let window = try program.window()
    let (root, _) = turnedPortal(of: window)
    let view = try program.connection.output(size: root.bounds.size)
    #expect(try program.look(view, root) { $0.pixel(300, 300) == [0, 0, 255, 255] } != nil, "\(program.said)")
    let output = try program.outputNumber()
    try program.operate("input", "click", "300", "300", "--output", output)
    try program.operate("input", "type", "Go42")
    try program.operate("input", "key", "Return")
    #expect(try program.look(view, root) { $0.pixel(300, 300) == [255, 0, 0, 255] } != nil, "\(program.said)")
  }

  @Test("a click in a turned, scaled portal of a button presses it")
  func clicking() throws {
    let program = try GuestProgram(["gtk4-demo", "--run=dialog"])
    let window = try program.window()
    let (root, portal) = turnedPortal(of: window)
    let view = try program.connection.output(size: root.bounds.size)
    // Once the window is there, so are its buttons: GTK draws them all at once.
    #expect(try program.look(view, root) { $0.colours() > 4 } != nil, "\(program.said)")
    let output = try program.outputNumber()
    // Its upper button opens a second window; beside it, nothing does.
    let beside = place(of: Point(300, 62), in: portal)
    try program.operate("input", "click", "\(beside.x)", "\(beside.y)", "--output", output)
    let button = place(of: Point(83, 62), in: portal)
    #expect(try program.windowCount() == 1)
    try program.operate("input", "click", "\(button.x)", "\(button.y)", "--output", output)
    // A window draws as long as somebody looks.
    #expect(try program.look(view, root) { _ in try program.windowCount() == 2 } != nil, "\(program.said)")
  }

  /// A portal of a window, turned by 0.3 and seven tenths of its size, in the middle of an empty layer.
  private func turnedPortal(of window: (source: ImportedLayer, size: Size)) -> (root: Layer, portal: PortalLayer) {
    let root = Layer()
    root.bounds = Rect(x: 0, y: 0, width: 600, height: 600)
    root.anchorPoint = .zero
    let portal = PortalLayer.of(window)
    portal.anchorPoint = Point(0.5, 0.5)
    portal.position = Point(300, 300)
    portal.transform = .rotation(angle: 0.3) * .scale(x: 0.7, y: 0.7)
    root.addSublayer(portal)
    return (root, portal)
  }

  /// Where a point of a turned portal's source lies in what shows it.
  private func place(of point: Point, in portal: PortalLayer) -> Point {
    let (x, y) = (point.x - portal.bounds.width / 2, point.y - portal.bounds.height / 2)
    return Point(300 + 0.7 * (x * cos(0.3) - y * sin(0.3)), 300 + 0.7 * (x * sin(0.3) + y * cos(0.3)))
  }
}

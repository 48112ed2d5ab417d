import Foundation
import Porthole
import Testing

/// Browsers as programs whose windows portals show.
@Suite("Browsers in portals", .serialized)
struct BrowserGuestTests {
  struct Guest: Sendable, CustomTestStringConvertible {
    var program: String
    var testDescription: String { program }

    var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)") }

    /// - Parameter folder: for what it keeps.
    func words(_ folder: URL, _ page: URL) throws -> [String] {
      guard program == "firefox-esr" else {
        // In a container, the superuser has no sandbox and little shared memory.
        return [
          program, "--ozone-platform=wayland", "--disable-gpu", "--no-sandbox", "--disable-dev-shm-usage",
          "--no-first-run", "--user-data-dir=\(folder.path)", "--app=\(page.absoluteString)",
        ]
      }
      let wishes = [
        "browser.shell.checkDefaultBrowser", "datareporting.policy.dataSubmissionEnabled",
        "browser.aboutwelcome.enabled",
        "security.sandbox.content.level.check", "trailhead.firstrun.didSeeAboutWelcome",
      ]
      let text = wishes.map { "user_pref(\"\($0)\", \($0.hasPrefix("trailhead")));" }.joined(separator: "\n")
      try Data(text.utf8).write(to: folder.appending(path: "user.js"))
      return ["MOZ_ENABLE_WAYLAND=1", program, "--no-remote", "--profile", folder.path, page.absoluteString]
    }
  }

  /// Blue, with a yellow button that turns it red.
  private static let page = """
    <!doctype html><style>
      body { margin: 0; height: 100vh; background: #00f; display: grid; place-items: center }
      button { appearance: none; border: 0; outline: 0; width: 200px; height: 120px; background: #ff0 }
    </style><button onclick="document.body.style.background = '#f00'"></button>
    """

  private static let (blue, red): ([UInt8], [UInt8]) = ([0, 0, 255, 255], [255, 0, 0, 255])

  @Test(
    "a click in a turned portal of a browser presses a button of its page, and one beside it does not",
    arguments: [Guest(program: "chromium"), Guest(program: "firefox-esr")].filter(\.isInstalled))
  func click(_ guest: Guest) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "porthole-test-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let page = folder.appending(path: "page.html")
    try Data(Self.page.utf8).write(to: page)
    let program = try GuestProgram(try guest.words(folder, page))
    let window = try program.window(patience: 90)
    let root = Layer()
    root.bounds = Rect(x: 0, y: 0, width: 600, height: 600)
    root.anchorPoint = .zero
    let portal = PortalLayer.of(window)
    portal.anchorPoint = Point(0.5, 0.5)
    portal.position = Point(300, 300)
    let scale = 500 / max(window.size.width, window.size.height)
    portal.transform = .rotation(angle: 0.3) * .scale(x: scale, y: scale)
    root.addSublayer(portal)
    let view = try program.connection.output(size: root.bounds.size)
    let shown = try #require(
      try program.look(view, root, patience: 90) { $0.middle(of: [255, 255, 0, 255]) != nil }, "\(program.said)")
    let button = try #require(shown.middle(of: [255, 255, 0, 255]))
    let around = try #require(shown.middle(of: Self.blue, least: 4000))
    #expect(hypot(button.x - around.x, button.y - around.y) < 60)
    let output = try program.outputNumber()
    // Of the page, but not of the button.
    let (dx, dy) = (0.45 * 200 * scale + 40, 0.0)
    let beside = Point(button.x + dx * cos(0.3) - dy, button.y + dx * sin(0.3) + dy)
    #expect(shown.pixel(Int(beside.x), Int(beside.y)) == Self.blue)
    try program.operate("input", "click", "\(beside.x)", "\(beside.y)", "--output", output)
    for _ in 0..<10 { #expect(try view.render(root).middle(of: Self.red) == nil) }
    try program.operate("input", "click", "\(button.x)", "\(button.y)", "--output", output)
    let pressed = try program.look(view, root) { $0.pixel(Int(beside.x), Int(beside.y)) == Self.red }
    #expect(pressed != nil, "\(program.said)")
    #expect(pressed?.middle(of: Self.blue) == nil)
  }
}

extension Image {
  /// The middle of what has a colour; nil for fewer pixels than that.
  fileprivate func middle(of pixel: [UInt8], least: Int = 400) -> Point? {
    var (x, y, count) = (0, 0, 0)
    for row in 0..<height {
      for column in 0..<width {
        let place = (row * width + column) * 4
        guard pixels[place] == pixel[0], pixels[place + 1] == pixel[1], pixels[place + 2] == pixel[2] else { continue }
        (x, y, count) = (x + column, y + row, count + 1)
      }
    }
    return count >= least ? Point(Double(x) / Double(count), Double(y) / Double(count)) : nil
  }
}

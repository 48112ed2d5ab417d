import Foundation
import Porthole
import Testing

/// Windows that can't be seen where they stand, and portals of them that show them all the same.
@Suite("Programs that stand out of sight", .serialized)
struct PlaceTests {
  enum Place: String, CaseIterable, CustomTestStringConvertible {
    /// It stands in no tree.
    case hidden
    /// Beyond the edges of its desk.
    case offTheOutput
    /// Behind the window of another program that is as large as the desk.
    case covered

    var testDescription: String { rawValue }

    var server: [String] {
      switch self {
      case .hidden: ["--layout", "none"]
      // Windows begin at (32, 32).
      case .offTheOutput: ["--layout", "cascade", "--desk", "16x16"]
      case .covered: ["--layout", "cascade", "--desk", "640x480"]
      }
    }

    func guest(_ words: [String]) throws -> GuestProgram {
      let program = try GuestProgram(words, server: server)
      guard self == .covered else { return program }
      _ = try program.window()
      try program.start(
        ["gst-launch-1.0", "videotestsrc", "pattern=black", "!", "video/x-raw,format=BGRx,width=64,height=64", "!"]
          + ["waylandsink", "fullscreen=true"])
      return program
    }
  }

  /// Nothing of the program is on the desk.
  private func expectUnseen(_ program: GuestProgram, _ place: Place) throws {
    guard place == .covered else { return }
    let end = Date().addingTimeInterval(30)
    while Date() < end {
      if try program.desk().colours() == 1, try program.windowCount() == 2 { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    Issue.record("the window is not covered: \(program.said)")
  }

  @Test(
    "each picture of a moving video is one of its frames, to the bit, and they come in order",
    arguments: Place.allCases)
  func video(_ place: Place) throws {
    let caps = "video/x-raw,format=BGRx,width=160,height=120,framerate=30/1"
    let frames = try VideoFrames(["videotestsrc", "pattern=ball", "num-buffers=900", "!", caps], pixels: 160 * 120)
    let program = try place.guest(["gst-launch-1.0", "videotestsrc", "pattern=ball", "!", caps, "!", "waylandsink"])
    let window = try program.window()
    try expectUnseen(program, place)
    let view = try program.connection.output(size: window.size)
    let root = PortalLayer.of(window)
    _ = try program.look(view, root) { $0.colours() > 1 }
    try frames.follow(60) { try view.render(root).pixels }
    try expectUnseen(program, place)
  }

  @Test("a program that draws by OpenGL goes on drawing", arguments: Place.allCases)
  func drawn(_ place: Place) throws {
    let program = try place.guest(["weston-simple-egl"])
    let window = try program.window()
    try expectUnseen(program, place)
    let view = try program.connection.output(size: window.size)
    let root = PortalLayer.of(window)
    var last: [UInt8] = []
    for number in 1...4 {
      let next = try program.look(view, root) { $0.colours() > 2 && $0.pixels != last }
      #expect(next != nil, "it stands still after \(number) pictures: \(program.said)")
      // A triangle of all colours on black that one sees through by half, or all of it.
      #expect(next?.size == PixelSize(width: Int(window.size.width), height: Int(window.size.height)))
      last = next?.pixels ?? []
    }
    try expectUnseen(program, place)
  }

  @Test("a picture that is looked at has its very pixels", arguments: Place.allCases)
  func picture(_ place: Place) throws {
    let size = PixelSize(width: 200, height: 120)
    var pixels: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width { pixels += [UInt8(x), UInt8(y * 2), UInt8((x ^ y) & 255), 255] }
    }
    let picture = try #require(Image(size: size, alpha: .opaque, pixels: pixels))
    let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).png")
    defer { try? FileManager.default.removeItem(at: file) }
    try PNG.write(picture, to: file.path)
    let program = try place.guest(["imv-wayland", "-s", "none", "-b", "102030", file.path])
    let window = try program.window()
    try expectUnseen(program, place)
    let view = try program.connection.output(size: window.size)
    let left = (Int(window.size.width) - size.width) / 2
    let top = (Int(window.size.height) - size.height) / 2
    let shown = try program.look(view, PortalLayer.of(window)) { $0.pixel(left + 3, top + 5) == [3, 10, 6, 255] }
    let image = try #require(shown, "\(program.said)")
    var part: [UInt8] = []
    for y in top..<top + size.height {
      part += image.pixels[(y * image.width + left) * 4..<(y * image.width + left + size.width) * 4]
    }
    #expect(part == pixels)
    #expect(image.pixel(2, 2) == [0x10, 0x20, 0x30, 255])
    try expectUnseen(program, place)
  }
}

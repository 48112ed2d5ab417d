import Commit
import Foundation
import Geometry
import Porthole
import TestSupport
import Testing

@Suite("PNG files")
struct PNGTests {
  private let folder = Folder()

  private func image(_ width: Int, _ height: Int, _ alpha: AlphaState) throws -> Image {
    let pixels = (0..<width * height * 4).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 3) }
    return try #require(Image(size: PixelSize(width: width, height: height), alpha: alpha, pixels: pixels))
  }

  @Test("a straight picture comes back to the last bit", arguments: [(1, 1), (3, 5), (64, 33)])
  func roundTrip(width: Int, height: Int) throws {
    let image = try image(width, height, .straight)
    let path = folder.path("a.png")
    try PNG.write(image, to: path)
    let back = try PNG.read(path)
    #expect(back.alpha == .straight && back.size == image.size && back.pixels == image.pixels)
    #expect(folder.names == ["a.png"])
  }

  @Test("an opaque picture's fourth byte does not count")
  func opaque() throws {
    let image = try image(4, 4, .opaque)
    let back = try PNG.decode(try PNG.encode(image))
    #expect(back.isOpaque)
    for index in image.pixels.indices where index & 3 != 3 { #expect(back.pixels[index] == image.pixels[index]) }
  }

  @Test("a premultiplied picture is written straight")
  func premultiplied() throws {
    let image = try #require(
      Image(size: PixelSize(width: 2, height: 1), alpha: .premultiplied, pixels: [64, 0, 128, 128, 0, 0, 0, 0]))
    #expect(try PNG.decode(try PNG.encode(image)).pixels == [128, 0, 255, 128, 0, 0, 0, 0])
  }

  @Test("a file cut off anywhere is refused as cut off")
  func truncated() throws {
    let bytes = try PNG.encode(try image(9, 9, .straight))
    for count in [0, 4, 8, 20, 33, 60, bytes.count / 2, bytes.count - 12, bytes.count - 1] {
      let error = try #require(throws: ImageFileError.self) { try PNG.decode(Array(bytes[..<count]), path: "cut.png") }
      #expect(error.code == .truncated, "\(count) bytes: \(error)")
      #expect(error.description.hasPrefix("cut.png: "))
    }
  }

  @Test("a byte flipped anywhere is refused, or in a part that does not matter")
  func damaged() throws {
    let image = try image(9, 9, .straight)
    let bytes = try PNG.encode(image)
    var refused = 0
    for place in bytes.indices {
      var copy = bytes
      copy[place] ^= 0x41
      do { _ = try PNG.decode(copy) } catch { refused += 1 }
    }
    #expect(refused > bytes.count / 2)
  }

  @Test("what is no PNG is refused as such")
  func notPNG() throws {
    let error = try #require(throws: ImageFileError.self) { try PNG.decode(Array("GIF89a, or some text".utf8)) }
    #expect(error.code == .wrongFormat)
  }

  @Test("a picture of too many pixels is refused before it is decoded")
  func tooLarge() throws {
    var bytes = try PNG.encode(try image(1, 1, .straight))
    // Width and height in the header, and the checksum of it.
    bytes.replaceSubrange(16..<24, with: [0, 0, 0x40, 0, 0, 0, 0x40, 0])
    let checksum = crc(bytes[12..<29])
    bytes.replaceSubrange(29..<33, with: (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (24 - 8 * UInt32($0))) })
    let error = try #require(throws: ImageFileError.self) { try PNG.decode(bytes) }
    #expect(error.code == .tooLarge)
    #expect(error.reason.contains("16384 × 16384"))
  }

  @Test("files that can't be read or written are errors with their path, and leave nothing behind")
  func noFile() throws {
    let missing = try #require(throws: ImageFileError.self) { try PNG.read(folder.path("no.png")) }
    #expect(missing.code == .unreadable && missing.description.hasPrefix(folder.path("no.png")))
    #expect(try #require(throws: ImageFileError.self) { try PNG.read(folder.path("")) }.code == .unreadable)
    let image = try image(2, 2, .straight)
    for path in [folder.path("none/a.png"), folder.path("")] {
      #expect(try #require(throws: ImageFileError.self) { try PNG.write(image, to: path) }.code == .unwritable)
    }
    // A folder of the picture's name can't be replaced.
    try FileManager.default.createDirectory(atPath: folder.path("taken.png"), withIntermediateDirectories: false)
    let path = folder.path("taken.png")
    #expect(
      try #require(throws: ImageFileError.self) { try PNG.write(image, to: path) }.code == .unwritable)
    #expect(folder.names == ["taken.png"])
  }

  @Test("a device is written to and stays one, and a link leads to the file that is replaced")
  func devicesAndLinks() throws {
    let image = try image(2, 2, .straight)
    try PNG.write(image, to: "/dev/null")
    #expect(try #require(throws: ImageFileError.self) { try PNG.read("/dev/null") }.code == .unreadable)
    try PNG.write(image, to: folder.path("file.png"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link.png"), withDestinationPath: folder.path("file.png"))
    try PNG.write(try self.image(3, 3, .straight), to: folder.path("link.png"))
    #expect(try PNG.read(folder.path("file.png")).width == 3)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link.png")) == folder.path("file.png"))
  }

  @Test("pixels that can't be compressed are written too")
  func noise() throws {
    var random = SeededGenerator(seed: 7)
    let pixels = (0..<400 * 400 * 4).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    let image = try #require(Image(size: PixelSize(width: 400, height: 400), alpha: .straight, pixels: pixels))
    #expect(try PNG.decode(try PNG.encode(image)).pixels == pixels)
  }

  @Test("a scene finds its picture beside it")
  func sceneImage() throws {
    try PNG.write(try image(3, 2, .straight), to: folder.path("photo.png"))
    let text = sceneText(#""contents": "photo""#, images: #"{"photo": {"file": "photo.png"}}"#)
    try Data(text).write(to: URL(filePath: folder.path("scene.json")))
    let scene = try SceneFile.read(folder.path("scene.json"))
    #expect(scene.root.contents?.size == PixelSize(width: 3, height: 2))
    #expect(scene.root.contents === scene.images["photo"])
  }

  /// PNG's checksum, bit by bit.
  private func crc(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
  }
}

/// A folder of its own for a test, gone after it.
final class Folder: Sendable {
  private let url = FileManager.default.temporaryDirectory.appending(path: "porthole-tests-\(UUID().uuidString)")

  init() { try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }

  func path(_ name: String) -> String { url.appending(path: name).path }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }
}

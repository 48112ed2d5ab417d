import Commit
import Geometry
import Media
import Testing

@Suite("Writing videos")
struct VideoWriterTests {
  private let size = PixelSize(width: 16, height: 16)

  private func picture(_ bytes: [UInt8], _ alpha: AlphaState = .opaque, _ size: PixelSize? = nil) throws -> Image {
    let size = size ?? self.size
    return try #require(
      Image(size: size, alpha: alpha, pixels: (0..<size.area).flatMap { _ in bytes }))
  }

  @Test("a frame of a wrong size is refused, and the video goes on without it")
  func wrongSize() throws {
    let folder = try MediaFolder()
    let writer = try VideoWriter(folder.path("a.mkv"), size: size, rate: 10)
    try writer.add(try picture([10, 20, 30, 255]))
    let wrong = try picture([0, 0, 0, 255], .opaque, PixelSize(width: 16, height: 15))
    let error = #expect(throws: MediaError.self) { try writer.add(wrong) }
    #expect(error?.code == .wrongSize)
    try writer.add(try picture([40, 50, 60, 255]))
    try writer.finish()
    let frames = try VideoReader(file: writer.path).everything().frames
    #expect(frames.map { $0.image[3, 3] } == [[10, 20, 30, 255], [40, 50, 60, 255]])
  }

  @Test("what is see-through is black behind")
  func alpha() throws {
    let folder = try MediaFolder()
    let writer = try VideoWriter(folder.path("a.mkv"), size: size, rate: 10)
    try writer.add(try picture([200, 100, 0, 51], .straight))
    try writer.add(try picture([200, 100, 0, 51], .premultiplied))
    try writer.finish()
    let frames = try VideoReader(file: writer.path).everything().frames
    #expect(frames.map { $0.image[3, 3] } == [[40, 20, 0, 255], [200, 100, 0, 255]])
  }

  @Test("what makes no video is refused before anything is written")
  func nonsense() throws {
    let folder = try MediaFolder()
    for name in ["a.gif", "a", "mp4", ".mp4x", "a.webp.txt"] {
      #expect(throws: MediaError.self) { try VideoWriter(folder.path(name), size: size, rate: 10) }
    }
    for rate in [0, -1, .nan, .infinity, 1e9] {
      #expect(throws: MediaError.self) { try VideoWriter(folder.path("a.mkv"), size: size, rate: rate) }
    }
    for size in [PixelSize(width: 0, height: 4), PixelSize(width: 4, height: -1), PixelSize(width: 1 << 20, height: 4)]
    {
      #expect(throws: MediaError.self) { try VideoWriter(folder.path("a.mkv"), size: size, rate: 10) }
    }
    let empty = try VideoWriter(folder.path("a.mkv"), size: size, rate: 10)
    #expect(throws: MediaError.self) { try empty.finish() }
    let writer = try VideoWriter(folder.path("missing/a.mkv"), size: size, rate: 10)
    try writer.add(try picture([0, 0, 0, 255]))
    #expect(throws: MediaError.self) { try writer.finish() }
    #expect(throws: MediaError.self) { try writer.add(try picture([0, 0, 0, 255])) }
    #expect(folder.names.isEmpty)
  }

  @Test("frame rates are kept as they are", arguments: [24, 30, 60, 12.5, 29.97])
  func rates(rate: Double) throws {
    let folder = try MediaFolder()
    let writer = try VideoWriter(folder.path("a.mp4"), size: size, rate: rate)
    for _ in 0..<10 { try writer.add(try picture([0, 0, 0, 255])) }
    try writer.finish()
    let frames = try VideoReader(file: writer.path).everything().frames
    #expect(frames.count == 10)
    for (number, frame) in frames.enumerated() { #expect(abs(frame.time - Double(number) / rate) < 1e-4) }
  }
}

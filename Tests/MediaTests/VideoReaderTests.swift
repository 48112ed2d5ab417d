import CTurboJPEG
import Commit
import Geometry
import Media
import Testing

@Suite("Reading videos")
struct VideoReaderTests {
  private let pattern = TestPattern(.bars, size: PixelSize(width: 48, height: 32), rate: 25)

  private func hash(_ number: Int) -> UInt64? { pattern.image(number)?.hash }

  @Test("without loss, each frame comes at its time with every pixel as it was written, twice the same")
  func lossless() throws {
    let folder = try MediaFolder()
    let reader = try VideoReader(file: try folder.video("a.mkv", pattern, frames: 20))
    #expect(reader.size == pattern.size && reader.codecName == "ffv1" && reader.rate == 25)
    #expect(abs((reader.duration ?? 0) - 0.8) < 0.01)
    for _ in 0..<2 {
      let (frames, errors) = reader.everything()
      #expect(errors.isEmpty && frames.map(\.image.hash) == (0..<20).map(hash))
      // Matroska counts milliseconds.
      for (number, frame) in frames.enumerated() { #expect(abs(frame.time - Double(number) / 25) < 0.001) }
      #expect(try reader.rewind())
    }
  }

  @Test("with loss, the frames are those that were written, nearly", arguments: ["a.mp4", "a.webm"])
  func lossy(name: String) throws {
    let folder = try MediaFolder()
    let hills = TestPattern(.hills, size: PixelSize(width: 64, height: 36), rate: 30)
    let reader = try VideoReader(file: try folder.video(name, hills, frames: 12))
    let (frames, errors) = reader.everything()
    #expect(errors.isEmpty && frames.count == 12 && reader.size == hills.size)
    for (number, frame) in frames.enumerated() {
      let expected = try #require(hills.image(number))
      var sum = 0
      for (a, b) in zip(expected.pixels, frame.image.pixels) { sum += abs(Int(a) - Int(b)) }
      #expect(Double(sum) / Double(expected.pixels.count) < 4, "frame \(number)")
      #expect(abs(frame.time - Double(number) / 30) < 0.002)
    }
  }

  @Test("an odd column and row come back as part of an even picture", arguments: ["a.mp4", "a.webm", "a.mkv"])
  func oddSides(name: String) throws {
    let folder = try MediaFolder()
    let odd = TestPattern(.hills, size: PixelSize(width: 33, height: 17))
    let reader = try VideoReader(file: try folder.video(name, odd, frames: 2))
    #expect(reader.size == (name == "a.mkv" ? odd.size : PixelSize(width: 34, height: 18)))
    #expect(reader.everything().frames.count == 2)
  }

  @Test("the same frames are the same file, to the byte", arguments: VideoCoding.allCases)
  func sameBytes(coding: VideoCoding) throws {
    func bytes() throws -> [UInt8] {
      let writer = try VideoWriter("x", size: pattern.size, rate: 25, coding: coding)
      for number in 0..<4 { try writer.add(try #require(pattern.image(number))) }
      return try writer.encoded()
    }
    #expect(try bytes() == bytes())
  }

  @Test("what is no video, or not there, is refused in words")
  func unreadable() throws {
    let folder = try MediaFolder()
    try folder.write(Array("once upon a time".utf8), "story.mp4")
    try folder.write([], "empty.webm")
    func code(_ name: String) -> MediaError.Code? {
      do throws(MediaError) {
        _ = try VideoReader(file: folder.path(name))
        return nil
      } catch {
        #expect(error.description.hasPrefix(folder.path(name)) && error.reason.count > 12)
        return error.code
      }
    }
    #expect(code("missing.mp4") == .unreadable)
    #expect(code("story.mp4") == .unsupported)
    #expect(code("empty.webm") == .unsupported)
    #expect(code(".") != nil)
  }

  @Test("of a video that is cut off, what is there comes, and then an error that says so", arguments: [0.3, 0.5, 0.8])
  func truncated(share: Double) throws {
    let folder = try MediaFolder()
    let path = try folder.video("a.mkv", pattern, frames: 50)
    let whole = try folder.bytes("a.mkv")
    try folder.write(whole.prefix(Int(Double(whole.count) * share)), "a.mkv")
    let reader = try VideoReader(file: path)
    let (frames, errors) = reader.everything()
    #expect(errors.last?.code == .truncated, "\(errors)")
    #expect(frames.count > 5 && frames.count < 50)
    #expect(frames.map(\.image.hash) == (0..<frames.count).map(hash), "what comes is right")
    #expect(try reader.next() == nil, "it is said once")
  }

  @Test("an MP4 without its end, where its index stands, is no video")
  func truncatedIndex() throws {
    let folder = try MediaFolder()
    let path = try folder.video("a.mp4", pattern, frames: 10)
    try folder.write(try folder.bytes("a.mp4").prefix(try folder.bytes("a.mp4").count / 2), "a.mp4")
    #expect(throws: MediaError.self) { try VideoReader(file: path) }
  }

  @Test("bytes that were overwritten hurt the frame in which they are, and the others are right", arguments: 3..<8)
  func damaged(place: Int) throws {
    let folder = try MediaFolder()
    let path = try folder.video("a.mkv", pattern, frames: 30)
    var bytes = try folder.bytes("a.mkv")
    for index in bytes.count * place / 10..<bytes.count * place / 10 + 20 { bytes[index] ^= 0xA5 }
    try folder.write(bytes, "a.mkv")
    let (frames, errors) = try VideoReader(file: path).everything()
    let wrong = frames.filter { $0.image.hash != hash(Int(($0.time * 25).rounded())) }
    // Where the container's own bytes are hurt, it goes on with the next part that can be read.
    #expect(wrong.count <= 1 && errors.count <= 2 && frames.count >= 8, "\(wrong.count) \(errors) \(frames.count)")
  }

  @Test("a frame of another size than the video's is an error, and the next ones come")
  func wrongSize() throws {
    let folder = try MediaFolder()
    try folder.write([(32, 24), (32, 24), (16, 8), (32, 24)].flatMap { jpeg($0.0, $0.1) }, "a.mjpeg")
    let (frames, errors) = try VideoReader(file: folder.path("a.mjpeg")).everything()
    #expect(errors.map(\.code) == [.wrongSize] && frames.count == 3, "\(errors) \(frames.count)")
  }

  private func jpeg(_ width: Int32, _ height: Int32) -> [UInt8] {
    let compressor = tjInitCompress()
    defer { tjDestroy(compressor) }
    var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
    let pixels = [UInt8](repeating: 90, count: Int(width * height * 4))
    tjCompress2(
      compressor, pixels, width, 0, height, Int32(TJPF_RGBA.rawValue), &bytes, &count, Int32(TJSAMP_420.rawValue), 90, 0
    )
    defer { tjFree(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
  }

  @Test(
    "what is no camera is an error that names it", arguments: ["/dev/null", "/dev/video-that-is-not", "/proc/version"])
  func noCamera(path: String) {
    let error = #expect(throws: MediaError.self) {
      try VideoReader(camera: path, size: PixelSize(width: 64, height: 48))
    }
    #expect(error?.code == .unreadable && error?.path == path && error?.reason.count ?? 0 > 12, "\(error as Any)")
  }

  @Test(
    "a driver that there is not, or that reads files, is no device's", arguments: ["nothing", "matroska", "concat"])
  func noDriver(name: String) throws {
    let folder = try MediaFolder()
    let path = try folder.video("a.mkv", pattern, frames: 3)
    let error = #expect(throws: MediaError.self) { try VideoReader(device: path, driver: name) }
    #expect(error?.code == .unsupported && error?.reason.contains(name) == true)
  }

  @Test("a device of libavdevice gives its frames, at times that begin with the first")
  func device() throws {
    // The stand-in for a camera: FFmpeg's own test device, which is opened, read and decoded as one.
    let reader = try VideoReader(device: "color=c=red:size=32x24:rate=10,settb=AVTB,setpts=PTS+77", driver: "lavfi")
    #expect(reader.isLive && reader.size == PixelSize(width: 32, height: 24) && reader.duration == nil)
    for number in 0..<5 {
      let frame = try #require(try reader.next())
      #expect(abs(frame.time - Double(number) / 10) < 1e-6)
      let pixel = frame.image[5, 5]
      #expect(pixel[0] > 250 && pixel[1] < 5 && pixel[2] < 5, "\(pixel)")
    }
    #expect(try !reader.rewind())
    let wrong = #expect(throws: MediaError.self) { try VideoReader(device: "no-such-filter", driver: "lavfi") }
    #expect(wrong?.code == .unreadable)
  }
}

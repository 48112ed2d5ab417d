import Commit
import Geometry
import Media
import Porthole
import Testing

@Suite("Videos in surfaces and portals")
struct VideoFeedTests {
  /// A hidden surface, a portal of it, and a portal of that portal.
  private final class Screen {
    let renderer: OffscreenRenderer
    let (root, surface) = (Layer(), SurfaceLayer())

    init(_ size: PixelSize, _ backend: Backend) throws {
      let (width, height) = (Double(size.width), Double(size.height))
      renderer = try OffscreenRenderer(size: Size(width: width, height: height * 2), backend: backend)
      root.frame = Rect(x: 0, y: 0, width: width, height: height * 2)
      surface.frame = Rect(x: width, y: 0, width: width, height: height)
      root.addSublayer(surface)
      var source: Layer = surface
      for row in 0..<2 {
        let portal = PortalLayer()
        portal.frame = Rect(x: 0, y: Double(row) * height, width: width, height: height)
        portal.sourceLayer = source
        portal.hidesSourceLayer = row == 0
        root.addSublayer(portal)
        source = portal
      }
    }

    deinit { renderer.close() }
  }

  /// The picture of that row: the first is the portal's, the second that of the portal of the portal.
  private func row(_ image: Image, _ row: Int, _ size: PixelSize) -> Image? {
    Image(
      size: size, alpha: .opaque, pixels: Array(image.pixels[row * size.area * 4..<(row + 1) * size.area * 4]))
  }

  @Test(
    "each frame of a video is the right one, by its hash, in a portal and in a portal of that, in its very frame",
    arguments: [Backend.gl, .reference])
  func hashes(_ backend: Backend) throws {
    let folder = try MediaFolder()
    let pattern = TestPattern(.bars, size: PixelSize(width: 48, height: 30), rate: 25)
    let path = try folder.video("a.mkv", pattern, frames: 12)
    let screen = try Screen(pattern.size, backend)
    let feed = VideoFeed(try VideoReader(file: path), into: screen.surface, startingAt: 1)
    // Twice as many frames as the video has, and more at its end.
    for step in 0..<30 {
      let time = 1 + (Double(step) + 0.5) / 50
      feed.advance(to: time)
      let image = try screen.renderer.render(screen.root, at: time)
      let expected = pattern.image(min(11, step / 2))?.hash
      #expect(row(image, 0, pattern.size)?.hash == expected && row(image, 1, pattern.size)?.hash == expected, "\(step)")
    }
    #expect(feed.isOver && feed.failures.isEmpty && feed.enqueuedCount == 12 && feed.releasedCount == 12)
    #expect(screen.surface.shownCount == 12 && screen.surface.skippedCount == 0)
  }

  @Test("a video that loops goes on, and one that is drawn slower than it plays skips")
  func looping() throws {
    let pattern = TestPattern(.bars, size: PixelSize(width: 16, height: 12), rate: 10, frameCount: 5)
    let screen = try Screen(pattern.size, .reference)
    let feed = VideoFeed(pattern, into: screen.surface, loops: true)
    for step in 0..<20 {
      let time = Double(step) * 0.3 + 0.05
      feed.advance(to: time)
      let image = try screen.renderer.render(screen.root, at: time)
      #expect(row(image, 0, pattern.size)?.hash == pattern.image(step * 3 % 5)?.hash, "\(step)")
    }
    screen.surface.flush()
    #expect(feed.releasedCount == feed.enqueuedCount && screen.surface.skippedCount > 30)
  }

  /// Every third frame is an error; then the end.
  private final class Broken: VideoSource {
    let size = PixelSize(width: 4, height: 4)
    let pattern = TestPattern(size: PixelSize(width: 4, height: 4))
    let folder: MediaFolder
    var count = 0
    init() throws { folder = try MediaFolder() }
    func next() throws(MediaError) -> VideoFrame? {
      count += 1
      guard count <= 30 else { return nil }
      guard count % 3 != 0 else {
        _ = try VideoReader(file: folder.path("missing"))
        return nil
      }
      return pattern.image(count).map { VideoFrame(image: $0, time: Double(count) / 10, duration: 0.1) }
    }
    func rewind() throws(MediaError) -> Bool { false }
  }

  @Test("what can't be decoded is told, and the rest is shown")
  func failures() throws {
    let screen = try Screen(PixelSize(width: 4, height: 4), .reference)
    let feed = VideoFeed(try Broken(), into: screen.surface, loops: true)
    for step in 0..<60 {
      feed.advance(to: Double(step) / 10)
      try screen.renderer.update(screen.root, at: Double(step) / 10)
    }
    #expect(feed.failures.count == 10 && feed.isOver && screen.surface.shownCount == 20)
  }

  /// Frames that are there at their times, and one that is lost on the way; taken away at last.
  private final class Camera: VideoSource {
    let size = PixelSize(width: 4, height: 4)
    let isLive = true
    let pattern = TestPattern(size: PixelSize(width: 4, height: 4))
    let folder: MediaFolder
    var now = 0.0
    var count = 0
    var isTaken = false
    init() throws { folder = try MediaFolder() }

    func next() throws(MediaError) -> VideoFrame? {
      if isTaken { _ = try VideoReader(file: folder.path("missing")) }
      // A little late, as cameras are.
      let time = Double(count) / 10
      guard time + 0.02 <= now else { return nil }
      count += 1
      return pattern.image(count - 1).map { VideoFrame(image: $0, time: time, duration: 0.1) }
    }
    func rewind() throws(MediaError) -> Bool { false }
  }

  @Test("a camera's newest frame shows as soon as it is there, nobody waits for the next, and its loss is told")
  func camera() throws {
    let source = try Camera()
    let screen = try Screen(source.size, .reference)
    let feed = VideoFeed(source, into: screen.surface)
    for step in 0..<100 {
      // Drawn unevenly: often, and then not for a while.
      source.now = step < 60 ? Double(step) / 60 : 1 + Double(step - 60) / 4
      feed.advance(to: source.now)
      let image = try screen.renderer.render(screen.root, at: source.now)
      let newest = Int(((source.now - 0.02) * 10).rounded(.down))
      guard newest >= 0 else { continue }
      #expect(row(image, 1, source.size)?.hash == source.pattern.image(newest)?.hash, "at \(source.now) s")
    }
    #expect(!feed.isOver && feed.failures.isEmpty && feed.enqueuedCount == feed.releasedCount)
    source.isTaken = true
    feed.advance(to: source.now + 1)
    #expect(feed.isOver && feed.failures.map(\.code) == [.unreadable])
  }

  @Test("ten thousand frames of a hidden source, a visible portal and a video leave memory and buffers as they were")
  func flat() throws {
    let pattern = TestPattern(.bars, size: PixelSize(width: 16, height: 12), rate: 60)
    let screen = try Screen(pattern.size, .gl)
    let feed = VideoFeed(pattern, into: screen.surface)
    var first: RendererMemory?
    for step in 0..<10_000 {
      let time = (Double(step) + 0.5) / 60
      feed.advance(to: time)
      try screen.renderer.update(screen.root, at: time)
      // All but what is queued ahead has come back.
      #expect(feed.enqueuedCount - feed.releasedCount == screen.surface.queuedCount)
      if step == 20 { first = screen.renderer.memory }
      if step % 1000 == 999 {
        #expect(screen.renderer.memory == first, "after \(step) frames")
        #expect(screen.surface.queuedCount < 16 && screen.renderer.layerCount == 4)
      }
    }
    let image = try screen.renderer.render(screen.root)
    #expect(row(image, 0, pattern.size)?.hash == pattern.image(9999)?.hash)
    #expect(first?.images == 1, "one texture for all of its frames")
  }
}

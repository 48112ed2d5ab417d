import Media
import Porthole

/// An example as it is drawn, frame by frame.
public final class ExampleRun {
  public let example: any Example
  public let renderer: OffscreenRenderer
  /// Of its videos.
  public let feeds: [VideoFeed]
  private var isFirst = true

  /// - Parameter source: what is played in the place of a video; nil for those of the scene.
  public init(
    _ example: any Example, scale: Double = 1, backend: Backend = .gl,
    source: ((SceneVideo) -> any VideoSource)? = nil
  ) throws {
    self.example = example
    renderer = try OffscreenRenderer(
      size: example.scene.size, scale: scale, background: example.scene.background, backend: backend)
    if let source {
      feeds = example.scene.videos.map { VideoFeed(source($0), into: $0.layer, startingAt: $0.beginTime) }
    } else {
      feeds = try VideoFeed.feeds(of: example.scene)
    }
  }

  /// Everything that changes by then, without drawing. Times rise.
  public func prepare(for time: Double) throws {
    if isFirst { try renderer.commit(example.scene.root, at: 0) }
    isFirst = false
    renderer.time = time
    example.prepare(for: time)
    for feed in feeds { feed.advance(to: time) }
  }

  public func frame(at time: Double) throws -> Image {
    try prepare(for: time)
    return try renderer.render(example.scene.root, at: time)
  }

  /// As `frame`, and the picture stays where it is.
  @discardableResult
  public func update(at time: Double) throws -> FrameReport {
    try prepare(for: time)
    return try renderer.update(example.scene.root, at: time)
  }
}

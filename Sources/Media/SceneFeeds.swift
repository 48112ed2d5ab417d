import Commit
import Porthole

extension VideoFeed {
  /// A feed for each video of a scene, its files opened.
  public static func feeds(of scene: Scene) throws(MediaError) -> [VideoFeed] {
    var feeds: [VideoFeed] = []
    for video in scene.videos {
      let source: any VideoSource
      switch video.content {
      case .file(let path): source = try VideoReader(file: path)
      case .pattern(let pattern, let size, let rate):
        source = TestPattern(pattern == .bars ? .bars : .hills, size: size, rate: rate)
      }
      feeds.append(VideoFeed(source, into: video.layer, startingAt: video.beginTime, loops: video.loops))
    }
    return feeds
  }
}

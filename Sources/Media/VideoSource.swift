import Commit
import Geometry

/// A picture of a video, and when it is shown.
public struct VideoFrame: Sendable {
  public var image: Image
  /// In seconds from the video's beginning.
  public var time: Double
  /// How long it stands, in seconds; the next frame's time where that is known.
  public var duration: Double

  public init(image: Image, time: Double, duration: Double) {
    self.image = image
    self.time = time
    self.duration = duration
  }
}

/// Pictures in the order of their times: a file, a camera, a pattern.
public protocol VideoSource: AnyObject {
  /// Of every frame, in pixels.
  var size: PixelSize { get }

  /// Frames are made as time goes by, as a camera's are: what comes is shown at once, and nil is not the end.
  var isLive: Bool { get }

  /// The next frame; nil at the end, or where a live source has none yet. After an error, the next call goes on behind what was wrong, or says that it is the
  /// end.
  func next() throws(MediaError) -> VideoFrame?

  /// Begins again; false for what can't be, such as a camera.
  func rewind() throws(MediaError) -> Bool
}

extension VideoSource {
  public var isLive: Bool { false }
}

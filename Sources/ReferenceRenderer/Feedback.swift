import Commit
import Geometry

/// The pictures that `previousFrame` portals show: what their sources' bounds showed at the end of a frame.
struct Feedback {
  struct Frame {
    var picture: Picture
    /// What of the source's layer space the picture shows, and its pixels a point.
    var bounds: Rect
    var pixelsPerPoint: Double
  }

  /// Longest side of a picture, in pixels.
  static let longestSide = 4096.0

  /// By the source's layer: indices of nodes do not outlive a frame.
  var frames: [LayerID: Frame] = [:]

  /// Where a picture of `bounds` lies and how large it is; nil for empty bounds.
  static func layout(of bounds: Rect, scale: Double) -> (size: PixelSize, pixelsPerPoint: Double)? {
    guard !bounds.isEmpty, bounds.isFinite else { return nil }
    let factor = min(scale, longestSide / max(bounds.width, bounds.height))
    func pixels(_ length: Double) -> Int {
      Int(max(1, min(longestSide, Outline.snapped(length * factor).rounded(.up))))
    }
    guard factor.isFinite, factor > 0 else { return nil }
    return (PixelSize(width: pixels(bounds.width), height: pixels(bounds.height)), factor)
  }
}

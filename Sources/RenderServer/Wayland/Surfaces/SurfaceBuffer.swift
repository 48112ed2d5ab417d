import Commit
import Geometry
import WaylandProtocol

/// A client's `wl_buffer`, of whatever memory: what its surfaces show.
protocol SurfaceBuffer: AnyObject {
  var size: PixelSize { get }

  /// The picture of one commit.
  /// - Parameters:
  ///   - stream: the sequence of the surface's pictures.
  ///   - last: the picture before in the same surface.
  ///   - damage: where the two differ, in pixels; nil for everywhere.
  func take(
    stream: UInt64, after last: Image?, damage: [PixelRect]?
  ) throws(ProtocolViolation) -> SurfacePicture
}

/// What a commit of a surface shows.
struct SurfacePicture {
  var image: Image
  /// Nil for a copy.
  var hold: BufferHold?
}

/// Keeps a buffer from its client for as long as somebody keeps this: a picture that is no copy is shown, or is to be.
final class BufferHold {
  private let whenOver: () -> Void

  init(whenOver: @escaping () -> Void) { self.whenOver = whenOver }

  deinit { whenOver() }
}

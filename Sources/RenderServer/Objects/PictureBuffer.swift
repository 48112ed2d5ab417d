import Commit
import Geometry

/// A client's `porthole_buffer_v1`, of whatever memory: contents for layers, a place for captures.
protocol PictureBuffer: PixelSource {
  var size: PixelSize { get }
  /// Some layer gets it with the next commit.
  var isUsed: Bool { get set }
  /// The commit that used it is answered.
  func answered(_ serial: UInt32, isAccepted: Bool)
}

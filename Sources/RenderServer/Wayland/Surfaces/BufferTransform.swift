import Geometry
import WaylandProtocol

/// What a client has done to its pixels before it drew them into a buffer: a flip about the vertical axis or none, and then
/// quarter turns counter-clockwise (`wl_output.transform`). Showing the buffer undoes it.
package struct BufferTransform: Hashable, Sendable {
  package var isFlipped: Bool
  /// 0 to 3.
  package var quarterTurns: Int

  package static let normal = BufferTransform(isFlipped: false, quarterTurns: 0)

  package init(isFlipped: Bool, quarterTurns: Int) {
    self.isFlipped = isFlipped
    self.quarterTurns = quarterTurns & 3
  }

  /// Nil for a number that is none of `wl_output.transform`.
  init?(_ transform: WlOutput.Transform) {
    guard transform.rawValue < 8 else { return nil }
    self.init(isFlipped: transform.rawValue >= 4, quarterTurns: Int(transform.rawValue & 3))
  }

  /// Whether width and height change places.
  package var swapsSides: Bool { quarterTurns % 2 == 1 }

  package func apply(_ size: Size) -> Size {
    swapsSides ? Size(width: size.height, height: size.width) : size
  }

  /// From the buffer's pixels about their centre to the surface's about its own.
  package var undone: Transform3D {
    // A quarter turn counter-clockwise takes (x, y) to (y, −x), so undoing it takes (x, y) to (−y, x).
    let (cosine, sine): (Double, Double) =
      switch quarterTurns {
      case 0: (1, 0)
      case 1: (0, 1)
      case 2: (-1, 0)
      default: (0, -1)
      }
    let flip: Double = isFlipped ? -1 : 1
    return Transform3D(m11: cosine * flip, m12: sine, m21: -sine * flip, m22: cosine)
  }

  /// A rectangle of a surface of `size`, before a viewport, as it lies in the buffer of the same scale.
  package func inBuffer(_ rect: Rect, ofSurface size: Size) -> Rect {
    let (width, height) = (rect.width, rect.height)
    let x = isFlipped ? size.width - rect.x - width : rect.x
    let y = rect.y
    switch quarterTurns {
    case 0: return Rect(x: x, y: y, width: width, height: height)
    case 1: return Rect(x: y, y: size.width - x - width, width: height, height: width)
    case 2: return Rect(x: size.width - x - width, y: size.height - y - height, width: width, height: height)
    default: return Rect(x: size.height - y - height, y: x, width: height, height: width)
    }
  }
}

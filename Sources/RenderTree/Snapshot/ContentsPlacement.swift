import Commit
import Geometry

// Where a layer's picture lies, and how it is stretched.

extension RenderTree {
  mutating func place(
    _ image: Image, _ record: LayerRecord, frame: Rect?, in node: inout SnapshotNode, _ snapshot: inout Snapshot
  ) {
    let whole = Rect(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
    let crop = Rect(
      x: record.contentsRect.x * whole.width, y: record.contentsRect.y * whole.height,
      width: record.contentsRect.width * whole.width, height: record.contentsRect.height * whole.height
    ).standardized
    let place =
      frame
      ?? record.contentsGravity.place(
        Size(width: crop.width / record.contentsScale, height: crop.height / record.contentsScale), in: record.bounds)
    guard !crop.isEmpty, !place.isEmpty, place.isFinite else { return }
    if let known = scratch.imageIndex[image.identity] {
      node.image = known
    } else {
      node.image = Int32(snapshot.images.count)
      scratch.imageIndex[image.identity] = node.image
      snapshot.images.append(image)
    }
    node.imageRect = place
    node.imageCrop = crop
  }

  /// Notes how the placed picture is stretched: its middle alone, where it is resized. What lies around the middle is as
  /// large as `contentsScale` says, or where there is no room for both sides, as much smaller as they are too large.
  func divide(_ center: Rect, _ record: LayerRecord, in node: inout SnapshotNode, _ snapshot: inout Snapshot) {
    switch record.contentsGravity {
    case .resize, .resizeAspect, .resizeAspectFill: break
    default: return
    }
    let (crop, place) = (node.imageCrop, node.imageRect)
    func cuts(_ low: Double, _ high: Double, _ start: Double, _ length: Double, _ from: Double, _ to: Double) -> Cuts {
      let (before, after) = (low * length, (1 - high) * length)
      let (left, right) = (before / record.contentsScale, after / record.contentsScale)
      let squeeze = left + right > to ? to / (left + right) : 1
      return Cuts(
        texels: (start, start + before, start + length - after, start + length),
        points: (from, from + left * squeeze, from + to - right * squeeze, from + to))
    }
    snapshot.nineParts.append(
      SnapshotNineParts(
        node: Int32(snapshot.nodes.count),
        columns: cuts(center.minX, center.maxX, crop.x, crop.width, place.x, place.width),
        rows: cuts(center.minY, center.maxY, crop.y, crop.height, place.y, place.height)))
    node.flags.insert(.hasNineParts)
  }
}

extension ContentsGravity {
  /// Where a picture of `size` points lies in `bounds`. A centred one begins on a whole point from the bounds' origin, so
  /// that a picture of an odd number of pixels less than its place is not blurred by half a pixel.
  func place(_ size: Size, in bounds: Rect) -> Rect {
    var size = size
    switch self {
    case .resize: return bounds
    case .resizeAspect, .resizeAspectFill:
      let (kx, ky) = (bounds.width / size.width, bounds.height / size.height)
      let k = self == .resizeAspect ? min(kx, ky) : max(kx, ky)
      size = Size(width: size.width * k, height: size.height * k)
    default: break
    }
    let (dx, dy) = (bounds.width - size.width, bounds.height - size.height)
    let x: Double =
      switch self {
      case .left, .topLeft, .bottomLeft: 0
      case .right, .topRight, .bottomRight: dx
      default: (dx / 2 + 0.5).rounded(.down)
      }
    let y: Double =
      switch self {
      case .top, .topLeft, .topRight: 0
      case .bottom, .bottomLeft, .bottomRight: dy
      default: (dy / 2 + 0.5).rounded(.down)
      }
    return Rect(x: bounds.x + x, y: bounds.y + y, width: size.width, height: size.height)
  }
}

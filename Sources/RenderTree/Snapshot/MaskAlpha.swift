import Commit
import Geometry

// How much a mask shows at a point, for hit tests: of each layer alone, the most. What filters and shadows do to a mask does
// not count.

extension Snapshot {
  /// Masks and portals in each other, deeper than which a mask counts as showing everything.
  private static let maskLevels = 64

  private struct Place {
    var matrix: Homography
    var end: Int32
    var opacity: Float
  }

  /// The alpha of the mask with root `root` at a point of the masked layer's space.
  func maskAlpha(
    _ root: Int32, at point: Point, context: RecursionContext, level: Int, _ budget: inout Int
  ) -> Float {
    alpha(root, at: point, nodes[Int(root)].local, isSource: false, context: context, level: level, &budget)
  }

  private func alpha(
    _ root: Int32, at point: Point, _ toContent: Homography, isSource: Bool, context: RecursionContext, level: Int,
    _ budget: inout Int
  ) -> Float {
    guard level < Self.maskLevels else { return 1 }
    var most: Float = 0
    var path: [Place] = []
    var index = root
    let end = nodes[Int(root)].end
    while index < end, most < 1 {
      budget -= 1
      guard budget > 0 else { return 1 }
      while let last = path.last, index >= last.end { path.removeLast() }
      let node = nodes[Int(index)]
      let isTop = index == root
      let matrix = isTop ? toContent : node.local * (path.last?.matrix ?? .identity)
      var opacity = (path.last?.opacity ?? 1) * (isTop && isSource ? 1 : node.opacity)
      let isHidden = node.isHidden || !(isTop && isSource) && node.flags.contains(.hiddenByPortal)
      guard !isHidden, opacity > most, let local = matrix.inverse?.apply(point), matrix.project(local).w > 0 else {
        index = node.end
        continue
      }
      if node.effects >= 0, effects[Int(node.effects)].mask >= 0 {
        let mask = effects[Int(node.effects)].mask
        opacity *= maskAlpha(mask, at: local, context: context, level: level + 1, &budget)
      }
      let isInside = node.shape.contains(local)
      most = max(most, opacity * ownAlpha(index, at: local, isInside: isInside))
      if node.masksToBounds, !isInside {
        index = node.end
        continue
      }
      if node.portal >= 0 {
        let shown = shownAlpha(node.portal, at: local, context: context, level: level + 1, &budget)
        most = max(most, opacity * shown)
      }
      path.append(Place(matrix: matrix, end: node.end, opacity: opacity))
      index += 1
    }
    return most
  }

  /// What the layer draws by itself; its picture is cut where the layer is.
  private func ownAlpha(_ index: Int32, at local: Point, isInside: Bool) -> Float {
    let node = nodes[Int(index)]
    var most: Float = 0
    if isInside {
      most = node.backgroundColor.alpha
      if node.gradient >= 0 { most = max(most, gradients[Int(node.gradient)].alpha(at: local, in: node.bounds)) }
      let inner = node.bounds.insetBy(dx: node.borderWidth, dy: node.borderWidth)
      if node.borderWidth > 0, !inner.contains(local) { most = max(most, node.borderColor.alpha) }
    }
    guard node.image >= 0, node.imageRect.contains(local), isInside || !node.masksToBounds else { return most }
    let image = images[Int(node.image)]
    // Nobody but the GPU knows what is in it.
    if image.alpha == .opaque || image.foreign != nil { return 1 }
    let (x, y) = texel(of: index, at: local)
    let (column, row) = (
      min(image.width - 1, max(0, Int(max(0, min(1e9, x))))), min(image.height - 1, max(0, Int(max(0, min(1e9, y)))))
    )
    return max(most, Float(image.pixels[(row * image.width + column) * 4 + 3]) / 255)
  }

  private func texel(of index: Int32, at local: Point) -> (x: Double, y: Double) {
    if let parts = nineParts(of: index) { return (parts.columns.texel(at: local.x), parts.rows.texel(at: local.y)) }
    let node = nodes[Int(index)]
    return (
      node.imageCrop.x + (local.x - node.imageRect.x) / node.imageRect.width * node.imageCrop.width,
      node.imageCrop.y + (local.y - node.imageRect.y) / node.imageRect.height * node.imageCrop.height
    )
  }

  private func shownAlpha(
    _ index: Int32, at local: Point, context: RecursionContext, level: Int, _ budget: inout Int
  ) -> Float {
    let portal = portals[Int(index)]
    switch entry(of: index, in: context) {
    case .nothing: return 0
    case .previousFrame: return portal.contentOpacity
    case .content(let inner):
      if let rect = portal.sourceRect {
        guard let inSource = portal.matrix.inverse?.apply(local), rect.contains(inSource) else { return 0 }
      }
      return portal.contentOpacity
        * alpha(portal.source, at: local, portal.matrix, isSource: true, context: inner, level: level, &budget)
    }
  }
}

extension Cuts {
  /// Where in the texels a point's coordinate lies.
  public func texel(at point: Double) -> Double {
    let part = point < points.1 ? parts[0] : point < points.2 ? parts[1] : parts[2]
    let length = part.points.1 - part.points.0
    guard length > 0 else { return part.texels.0 }
    return part.texels.0 + (point - part.points.0) / length * (part.texels.1 - part.texels.0)
  }
}

extension Gradient {
  /// The alpha at a point of the layer of `bounds`.
  fileprivate func alpha(at point: Point, in bounds: Rect) -> Float {
    guard let first = stops.first, let last = stops.last else { return 0 }
    let from = Point(bounds.x + start.x * bounds.width, bounds.y + start.y * bounds.height)
    let to = Point(bounds.x + end.x * bounds.width, bounds.y + end.y * bounds.height)
    let (way, place) = (to - from, point - from)
    let square = way.x * way.x + way.y * way.y
    let share: Double
    switch type {
    case .axial: share = (place.x * way.x + place.y * way.y) / square
    case .radial: share = length(place.x / way.x, place.y / way.y)
    case .conic:
      let turn = angle(x: place.x * way.x + place.y * way.y, y: place.y * way.x - place.x * way.y) / (2 * .pi)
      share = turn < 0 ? turn + 1 : turn
    }
    guard share.isFinite else { return last.color.alpha }
    if share <= first.location { return first.color.alpha }
    for (a, b) in zip(stops, stops.dropFirst()) where share < b.location {
      let length = b.location - a.location
      let part = length > 0 ? Float((share - a.location) / length) : 1
      return a.color.alpha + (b.color.alpha - a.color.alpha) * part
    }
    return last.color.alpha
  }
}

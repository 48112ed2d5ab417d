import Commit
import Geometry
import RenderTree

// Sublayers that are sorted by depth: a walk goes from piece to piece, and cuts those that others cross.

extension FramePlanner {
  /// Goes on with the next piece of the layer in hand, in a frame of its own. Its node; nil where there is none to come.
  mutating func beginPiece(_ frames: inout [Frame]) -> Int32? {
    guard let layer = frames.last, let pieces = layer.pieces else { return nil }
    guard let next = pieces.first else { return layer.end }
    frames[frames.count - 1].pieces = pieces.dropFirst()
    let piece = snapshot.pieces[next]
    let node = snapshot.nodes[Int(piece.node)]
    var place = layer
    place.node = -1
    place.end = node.end
    place.pieces = nil
    place.opacity = piece.opacity
    place.opacityGroup = nil
    place.clipGroups = []
    if !piece.cuts.isEmpty { cut(node, at: piece, &place) }
    frames.append(place)
    return piece.node
  }

  /// Narrows what is drawn to one side of each line: of a single picture by its clip, else as a group.
  private mutating func cut(_ node: SnapshotNode, at piece: SnapshotPiece, _ place: inout Frame) {
    var c = NodeContext(
      index: piece.node, node: node, matrix: place.matrix, windowMatrix: place.windowMatrix, alpha: place.alpha,
      clip: place.clip, segment: place.segment, showsBack: place.showsBack, visible: place.clip.scissor,
      recursion: .outside)
    let extent = extents.rects[Int(piece.node)]
    let isSingle =
      node.hasSinglePrimitive(at: piece.node) && node.portal < 0 && !isSharedSource[Int(piece.node)]
      && !node.flags.contains(.readsBehind)
    for index in piece.cuts {
      let matrix = c.windowMatrix.map { node.window * $0 } ?? node.local * c.matrix
      c.visible = PixelRect(enclosing: matrix.boundingBox(of: extent)).intersection(c.clip.scissor)
      let showsBehind = node.flags.contains(.readsBehind)
      let area = showsBehind ? c.clip.scissor : c.visible
      guard !c.visible.isEmpty, let clip = Clip(snapshot.cuts[index], under: matrix, within: area)
      else {
        c.clip.scissor = .empty
        break
      }
      // All of what shows lies on the side that is drawn.
      if clip.isWhole { continue }
      let shape = addClip(clip)
      if isSingle, piece.cuts.count == 1, c.clip.shape < 0 {
        c.clip = ClipState(scissor: c.clip.scissor.intersection(clip.bounds), shape: shape)
      } else {
        place.clipGroups.append(
          openGroup(
            &c, region: area.intersection(clip.bounds), alpha: 1, shape: shape, showsBehind: showsBehind))
      }
    }
    (place.matrix, place.windowMatrix, place.clip, place.segment) = (c.matrix, c.windowMatrix, c.clip, c.segment)
  }
}

extension Clip {
  /// One side of a line in layer space, as far as it matters for `pixels`: a rectangle along it in target space, where one
  /// unit is one pixel whatever the layer's perspective. Nil where nothing lies on that side.
  init?(_ cut: SnapshotCut, under matrix: Homography, within pixels: PixelRect) {
    guard let inverse = matrix.inverse else { return nil }
    // The line in pixels: what it is at the point in the layer that a pixel shows, times a number that is of one sign
    // wherever the layer shows.
    func line(_ x: Double, _ y: Double, _ w: Double) -> Double { cut.a * x + cut.b * y + cut.c * w }
    var (a, b, c) = (
      line(inverse.m11, inverse.m12, inverse.m14), line(inverse.m21, inverse.m22, inverse.m24),
      line(inverse.m41, inverse.m42, inverse.m44)
    )
    let middle = pixels.rect.center
    let w = middle.x * inverse.m14 + middle.y * inverse.m24 + inverse.m44
    let length = (a * a + b * b).squareRoot() * (w < 0 ? -1 : 1)
    guard length.isFinite, length != 0 else { return nil }
    (a, b, c) = (a / length, b / length, c / length)
    if cut.isHidden { c += 1 }
    let height = a * middle.x + b * middle.y + c
    let reach = Double(max(pixels.width, pixels.height)) + 4
    guard height > -reach else { return nil }
    // From the point of the line nearest to the middle: x along it, y into what is drawn.
    let foot = Point(middle.x - a * height, middle.y - b * height)
    self.init(
      RoundedRect(rect: Rect(x: -2 * reach, y: 0, width: 4 * reach, height: max(0, height) + 2 * reach)),
      under: Homography(m11: b, m12: -a, m21: a, m22: b, m41: foot.x, m42: foot.y))
    isWhole = height > reach
    bounds = Self.box(of: pixels, above: (a, b, c))
  }

  /// The pixels around what of `pixels` lies above a line: where `a·x + b·y + c` is positive.
  private static func box(of pixels: PixelRect, above line: (a: Double, b: Double, c: Double)) -> PixelRect {
    func height(_ p: Point) -> Double { line.a * p.x + line.b * p.y + line.c }
    let corners = pixels.rect.corners
    var (low, high) = (Point(.infinity, .infinity), Point(-.infinity, -.infinity))
    func add(_ p: Point) {
      (low.x, low.y, high.x, high.y) = (min(low.x, p.x), min(low.y, p.y), max(high.x, p.x), max(high.y, p.y))
    }
    for (index, corner) in corners.enumerated() {
      let next = corners[(index + 1) % corners.count]
      let (from, to) = (height(corner), height(next))
      if from >= 0 { add(corner) }
      if (from >= 0) != (to >= 0) {
        let t = from / (from - to)
        add(Point(corner.x + (next.x - corner.x) * t, corner.y + (next.y - corner.y) * t))
      }
    }
    guard low.x <= high.x else { return .empty }
    return PixelRect(enclosing: Rect(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)).intersection(pixels)
  }
}

import Geometry

/// How much of each pixel a shape covers: the exact area, from 0 to 1.
///
/// Each edge leaves in every cell that it crosses the area to its right within the cell, and its height in the next; the
/// running sum along a row is then the area covered. Double precision, relative to the shape's own top left pixel, so
/// that a shape moved by whole pixels covers the same to the last bit.
package struct Coverage {
  package private(set) var bounds: PixelRect
  /// A row of `bounds` after another.
  package private(set) var values: [Float]

  package var isEmpty: Bool { bounds.isEmpty }

  /// Of the pixel (x, y), which lies in `bounds`.
  subscript(x: Int, y: Int) -> Float { values[index(x, y)] }

  /// Makes it no more than `share` there.
  mutating func limit(to share: Float, _ x: Int, _ y: Int) { values[index(x, y)] = min(values[index(x, y)], share) }

  private func index(_ x: Int, _ y: Int) -> Int { (y - Int(bounds.minY)) * bounds.width + x - Int(bounds.minX) }

  /// The area within `outer` and, where given, outside of `inner`, which must lie in `outer` and run the same way round.
  init(of outer: Outline, without inner: Outline? = nil) {
    bounds = outer.points.count > 2 ? outer.pixelBounds : .empty
    values = []
    guard !bounds.isEmpty else { return }
    var cells = Cells(bounds: bounds)
    cells.add(outer, sign: 1)
    if let inner, inner.points.count > 2 { cells.add(inner, sign: -1) }
    values = cells.sums()
  }

  /// Replaces the value of each pixel (x, y).
  mutating func mapPixels(_ body: (Int, Int, Float) -> Float) {
    var index = 0
    for y in Int(bounds.minY)..<Int(bounds.maxY) {
      for x in Int(bounds.minX)..<Int(bounds.maxX) {
        values[index] = body(x, y, values[index])
        index += 1
      }
    }
  }

  /// What of `shape` shows in `clip` under `transform`, which leads to pixels.
  package init(of shape: RoundedRect, under transform: Homography, within clip: PixelRect) {
    self.init(of: Outline(shape, under: transform, within: clip))
  }

  /// The band within the outline of `shape` that is `width` points wide.
  package init(ofBorder width: Double, of shape: RoundedRect, under transform: Homography, within clip: PixelRect) {
    let inside = RoundedRect(rect: shape.rect.insetBy(dx: width, dy: width), radii: shape.radii.inset(by: width))
    self.init(
      of: Outline(shape, under: transform, within: clip),
      without: inside.rect.isEmpty ? nil : Outline(inside, under: transform, within: clip))
  }
}

/// What edges leave behind, cell by cell. Two cells more than pixels in a row, since an edge on the right border still
/// writes to the cell after its own.
private struct Cells {
  let bounds: PixelRect
  let stride: Int
  var cells: [Double]

  init(bounds: PixelRect) {
    self.bounds = bounds
    stride = bounds.width + 2
    cells = Array(repeating: 0, count: stride * bounds.height)
  }

  mutating func add(_ outline: Outline, sign: Double) {
    guard var previous = outline.points.last else { return }
    for point in outline.points {
      if previous.y < point.y {
        addEdge(from: previous, to: point, sign: sign)
      } else if previous.y > point.y {
        addEdge(from: point, to: previous, sign: -sign)
      }
      previous = point
    }
  }

  /// An edge that runs down. It lies within `bounds`.
  private mutating func addEdge(from top: Point, to bottom: Point, sign: Double) {
    let (originX, originY) = (Double(bounds.minX), Double(bounds.minY))
    let (x0, y0, x1, y1) = (top.x - originX, top.y - originY, bottom.x - originX, bottom.y - originY)
    let slope = (x1 - x0) / (y1 - y0)
    let (low, high) = (max(0, min(x0, x1)), min(Double(bounds.width), max(x0, x1)))
    let firstRow = max(0, Int(y0.rounded(.down)))
    let endRow = min(bounds.height, Int(y1.rounded(.up)))
    guard firstRow < endRow, low <= high else { return }
    for row in firstRow..<endRow {
      let (ya, yb) = (max(Double(row), y0), min(Double(row + 1), y1))
      guard yb > ya else { continue }
      let xa = ya == y0 ? x0 : min(high, max(low, x0 + (ya - y0) * slope))
      let xb = yb == y1 ? x1 : min(high, max(low, x0 + (yb - y0) * slope))
      addSpan(from: min(xa, xb), to: max(xa, xb), height: (yb - ya) * sign, row: row)
    }
  }

  /// A piece of an edge within one row.
  private mutating func addSpan(from left: Double, to right: Double, height: Double, row: Int) {
    let first = Int(left.rounded(.down))
    let end = Int(right.rounded(.up))
    let base = row * stride
    if end <= first + 1 {
      let mean = (left + right) / 2 - Double(first)
      cells[base + first] += height * (1 - mean)
      cells[base + first + 1] += height * mean
      return
    }
    let share = height / (right - left)
    for column in first..<end {
      let (a, b) = (max(left, Double(column)), min(right, Double(column + 1)))
      let mean = (a + b) / 2 - Double(column)
      cells[base + column] += share * (b - a) * (1 - mean)
      cells[base + column + 1] += share * (b - a) * mean
    }
  }

  /// The covered areas. What double precision leaves of an empty or a full pixel is taken away.
  func sums() -> [Float] {
    let (width, height) = (bounds.width, bounds.height)
    var result = [Float](repeating: 0, count: width * height)
    for row in 0..<height {
      var sum = 0.0
      for column in 0..<width {
        sum += cells[row * stride + column]
        let area = sum.magnitude
        result[row * width + column] = area < 1e-9 ? 0 : area > 1 - 1e-9 ? 1 : Float(area)
      }
    }
    return result
  }
}

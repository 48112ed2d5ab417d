import Geometry

/// What of a pass is drawn anew where that is many small places: rectangles of which no two have a pixel in common. Found by
/// cells, so that thousands are no more work each than a few.
struct DamageSpots {
  private static let cellShift: Int32 = 5
  /// More are not worth it.
  private static let most = 16384

  private struct Link {
    var spot: Int32
    var next: Int32
  }

  /// Empty ones have become parts of others.
  private(set) var rects: [PixelRect] = []
  /// They are all that differs.
  private(set) var isComplete = false
  private(set) var area = 0
  private var bounds = PixelRect.empty
  private var columns: Int32 = 0
  /// By cell, index in `links`, or -1.
  private var heads: [Int32] = []
  private var links: [Link] = []

  /// Begins with what is known to differ in a target of `size`.
  mutating func begin(_ size: PixelSize, _ damage: Damage) {
    bounds = PixelRect(size: size)
    columns = (bounds.maxX >> Self.cellShift) + 1
    rects.removeAll(keepingCapacity: true)
    links.removeAll(keepingCapacity: true)
    heads.removeAll(keepingCapacity: true)
    heads.append(
      contentsOf: repeatElement(-1, count: Int(columns) * Int((bounds.maxY >> Self.cellShift) + 1)))
    area = 0
    isComplete = !damage.isEverything
    for rect in damage.rects { add(rect) }
  }

  mutating func add(_ rect: PixelRect) {
    var rect = rect.intersection(bounds)
    guard isComplete, !rect.isEmpty else { return }
    while let known = firstOverlap(rect) {
      if rects[known].contains(rect) { return }
      rect = rect.union(rects[known])
      area -= rects[known].area
      rects[known] = .empty
    }
    area += rect.area
    rects.append(rect)
    let cells = self.cells(of: rect)
    // What is a good part of all is drawn as that.
    guard area * 4 < bounds.area, links.count + cells.count <= Self.most else {
      isComplete = false
      return
    }
    for y in cells.rows {
      for x in cells.columns {
        let cell = Int(y * columns + x)
        links.append(Link(spot: Int32(rects.count - 1), next: heads[cell]))
        heads[cell] = Int32(links.count - 1)
      }
    }
  }

  private func firstOverlap(_ rect: PixelRect) -> Int? {
    let cells = self.cells(of: rect)
    for y in cells.rows {
      for x in cells.columns {
        var link = heads[Int(y * columns + x)]
        while link >= 0 {
          let spot = Int(links[Int(link)].spot)
          if rects[spot].intersects(rect) { return spot }
          link = links[Int(link)].next
        }
      }
    }
    return nil
  }

  /// Calls `body` once with each spot that `rect` has pixels of.
  func forEach(meeting rect: PixelRect, _ body: (_ spot: Int, _ part: PixelRect) -> Void) {
    let rect = rect.intersection(bounds)
    guard !rect.isEmpty else { return }
    let cells = self.cells(of: rect)
    for y in cells.rows {
      for x in cells.columns {
        var link = heads[Int(y * columns + x)]
        while link >= 0 {
          let spot = Int(links[Int(link)].spot)
          let part = rects[spot].intersection(rect)
          // A part lies in several cells: it counts in that of its corner.
          if !part.isEmpty, part.minX >> Self.cellShift == x, part.minY >> Self.cellShift == y { body(spot, part) }
          link = links[Int(link)].next
        }
      }
    }
  }

  private struct Cells {
    var columns: ClosedRange<Int32>
    var rows: ClosedRange<Int32>
    var count: Int { columns.count * rows.count }
  }

  /// Those that a rectangle within the bounds touches, which is not empty.
  private func cells(of rect: PixelRect) -> Cells {
    Cells(
      columns: (rect.minX >> Self.cellShift)...((rect.maxX - 1) >> Self.cellShift),
      rows: (rect.minY >> Self.cellShift)...((rect.maxY - 1) >> Self.cellShift))
  }
}

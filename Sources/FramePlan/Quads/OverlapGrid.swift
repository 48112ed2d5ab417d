import Geometry

/// Answers for a rectangle: which is the latest batch with a quad under it? The target is divided into cells, each with
/// a list of the rectangles that touch it; a cell that fills up remembers only the latest batch of all.
struct OverlapGrid {
  private static let cellShift: Int32 = 6
  private static let fullCell: Int32 = 48

  private struct Entry {
    var rect: PixelRect
    var batch: Int32
    var next: Int32
  }
  private struct Cell {
    var head: Int32 = -1
    var count: Int32 = 0
    /// Overlaps everything in the cell.
    var floor: Int32 = -1
  }

  private var columns: Int32 = 0
  private var rows: Int32 = 0
  private var cells: [Cell] = []
  private var entries: [Entry] = []

  /// Begins anew, for rectangles within `area`.
  mutating func reset(_ area: PixelRect) {
    columns = (area.maxX >> Self.cellShift) + 1
    rows = (area.maxY >> Self.cellShift) + 1
    cells.removeAll(keepingCapacity: true)
    cells.append(contentsOf: repeatElement(Cell(), count: Int(columns) * Int(rows)))
    entries.removeAll(keepingCapacity: true)
  }

  /// -1 where nothing lies under `rect`.
  func latestBatch(under rect: PixelRect) -> Int32 {
    var latest: Int32 = -1
    forEachCell(rect) { index in
      let cell = cells[index]
      latest = max(latest, cell.floor)
      var entry = cell.head
      while entry >= 0 {
        let record = entries[Int(entry)]
        if record.batch > latest, record.rect.intersects(rect) { latest = record.batch }
        entry = record.next
      }
    }
    return latest
  }

  mutating func insert(_ rect: PixelRect, batch: Int32) {
    let (left, right, top, bottom) = range(rect)
    guard left <= right, top <= bottom else { return }
    for y in top...bottom {
      for x in left...right {
        let index = Int(y * columns + x)
        let isFilled =
          rect.minX <= x << Self.cellShift && rect.maxX >= (x + 1) << Self.cellShift
          && rect.minY <= y << Self.cellShift && rect.maxY >= (y + 1) << Self.cellShift
        if isFilled || cells[index].count >= Self.fullCell {
          var floor = max(cells[index].floor, batch)
          var entry = cells[index].head
          while entry >= 0 {
            floor = max(floor, entries[Int(entry)].batch)
            entry = entries[Int(entry)].next
          }
          cells[index] = Cell(head: -1, count: 0, floor: floor)
        } else {
          entries.append(Entry(rect: rect, batch: batch, next: cells[index].head))
          cells[index].head = Int32(entries.count - 1)
          cells[index].count += 1
        }
      }
    }
  }

  private func forEachCell(_ rect: PixelRect, _ body: (Int) -> Void) {
    let (left, right, top, bottom) = range(rect)
    guard left <= right, top <= bottom else { return }
    for y in top...bottom {
      for x in left...right { body(Int(y * columns + x)) }
    }
  }

  private func range(_ rect: PixelRect) -> (left: Int32, right: Int32, top: Int32, bottom: Int32) {
    (
      max(0, rect.minX >> Self.cellShift), min(columns - 1, (rect.maxX - 1) >> Self.cellShift),
      max(0, rect.minY >> Self.cellShift), min(rows - 1, (rect.maxY - 1) >> Self.cellShift)
    )
  }
}

import Geometry

/// Which pixels of a pass what lies further in front hides: cells of sixteen pixels, each hidden wholly or not.
struct Occlusion {
  private static let shift: Int32 = 4

  private var area = PixelRect.empty
  private var columns: Int32 = 0
  private var rows: Int32 = 0
  private var isHidden: [Bool] = []
  private var hiddenCount = 0

  /// Begins in front, for what shows in `area` of a target.
  mutating func reset(_ area: PixelRect) {
    self.area = area
    columns = Int32(clamping: (area.width + 15) >> Self.shift)
    rows = Int32(clamping: (area.height + 15) >> Self.shift)
    isHidden.removeAll(keepingCapacity: true)
    isHidden.append(contentsOf: repeatElement(false, count: Int(columns) * Int(rows)))
    hiddenCount = 0
  }

  /// Nothing is left to see of what lies behind: not even of what the target is cleared to.
  var isComplete: Bool { hiddenCount == isHidden.count }

  /// The smallest rectangle around what of `rect` shows; empty if nothing does.
  func visiblePart(of rect: PixelRect) -> PixelRect {
    let part = rect.intersection(area)
    guard !part.isEmpty, hiddenCount > 0 else { return part }
    let (left, right) = ((part.minX - area.minX) >> Self.shift, (part.maxX - 1 - area.minX) >> Self.shift)
    let (top, bottom) = ((part.minY - area.minY) >> Self.shift, (part.maxY - 1 - area.minY) >> Self.shift)
    var (minX, maxX, minY, maxY) = (Int32.max, Int32.min, Int32.max, Int32.min)
    for y in top...bottom {
      let row = Int(y * columns)
      for x in left...right where !isHidden[row + Int(x)] {
        minX = min(minX, x)
        maxX = max(maxX, x)
        minY = min(minY, y)
        maxY = max(maxY, y)
      }
    }
    guard minX <= maxX else { return .empty }
    return part.intersection(
      PixelRect(
        minX: area.minX + minX << Self.shift, minY: area.minY + minY << Self.shift,
        maxX: area.minX + (maxX + 1) << Self.shift, maxY: area.minY + (maxY + 1) << Self.shift))
  }

  /// Hides what lies behind `rect`.
  mutating func hide(_ rect: PixelRect) {
    let part = rect.intersection(area)
    guard !part.isEmpty else { return }
    // The first cell that begins in it, and the last that ends in it or at the area's edge.
    func first(_ value: Int32) -> Int32 { (value + 15) >> Self.shift }
    let left = first(part.minX - area.minX)
    let top = first(part.minY - area.minY)
    let right = part.maxX == area.maxX ? columns : (part.maxX - area.minX) >> Self.shift
    let bottom = part.maxY == area.maxY ? rows : (part.maxY - area.minY) >> Self.shift
    guard left < right, top < bottom else { return }
    for y in top..<bottom {
      let row = Int(y * columns)
      for x in left..<right where !isHidden[row + Int(x)] {
        isHidden[row + Int(x)] = true
        hiddenCount += 1
      }
    }
  }
}

import Geometry

/// What of a picture is new: a few rectangles, which may have more in them than was put in, and do not lie over each other.
public struct DirtyRegion: Sendable, Hashable {
  public private(set) var rects: [PixelRect] = []

  /// More are drawn together.
  static let countLimit = 12

  public init() {}
  public init(_ size: PixelSize) { add(PixelRect(size: size)) }

  public var isEmpty: Bool { rects.isEmpty }

  public mutating func add(_ rect: PixelRect) {
    guard !rect.isEmpty else { return }
    var rect = rect
    // What it touches is drawn in, until it touches nothing.
    while let index = rects.firstIndex(where: { $0.intersects(rect) }) { rect = rect.union(rects.remove(at: index)) }
    rects.append(rect)
    if rects.count > Self.countLimit { joinNearest() }
  }

  public mutating func add(_ other: DirtyRegion) { for rect in other.rects { add(rect) } }

  /// Leaves out what lies beyond a picture.
  public mutating func clip(to size: PixelSize) {
    rects = rects.map { $0.intersection(PixelRect(size: size)) }.filter { !$0.isEmpty }
  }

  /// Joins the two that waste least.
  private mutating func joinNearest() {
    var best = (waste: Int.max, first: 0, second: 1)
    for first in rects.indices {
      for second in rects.indices where second > first {
        let waste = rects[first].union(rects[second]).area - rects[first].area - rects[second].area
        if waste < best.waste { best = (waste, first, second) }
      }
    }
    let second = rects.remove(at: best.second)
    let first = rects.remove(at: best.first)
    add(first.union(second))
  }
}

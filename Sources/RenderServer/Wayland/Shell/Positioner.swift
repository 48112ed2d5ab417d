import Geometry

/// Where a popup opens: beside a rectangle of its parent, and inside what there is of the desk (`xdg_positioner`).
package struct Positioner: Hashable, Sendable {
  /// Which way from the middle: −1, 0 or 1 in each direction.
  package struct Side: Hashable, Sendable {
    package var x: Double
    package var y: Double

    package init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

    /// By the number that the protocol's anchors and gravities have.
    package init?(number: UInt32) {
      switch number {
      case 0: self.init(x: 0, y: 0)
      case 1: self.init(x: 0, y: -1)
      case 2: self.init(x: 0, y: 1)
      case 3: self.init(x: -1, y: 0)
      case 4: self.init(x: 1, y: 0)
      case 5: self.init(x: -1, y: -1)
      case 6: self.init(x: -1, y: 1)
      case 7: self.init(x: 1, y: -1)
      case 8: self.init(x: 1, y: 1)
      default: return nil
      }
    }
  }

  /// What may be done to a popup that does not fit.
  package struct Adjustment: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32
    package init(rawValue: UInt32) { self.rawValue = rawValue }
    package static let slideX = Adjustment(rawValue: 1)
    package static let slideY = Adjustment(rawValue: 2)
    package static let flipX = Adjustment(rawValue: 4)
    package static let flipY = Adjustment(rawValue: 8)
    package static let resizeX = Adjustment(rawValue: 16)
    package static let resizeY = Adjustment(rawValue: 32)
  }

  package var size = Size.zero
  package var anchorRect: Rect?
  package var anchor = Side(x: 0, y: 0)
  package var gravity = Side(x: 0, y: 0)
  package var adjustment: Adjustment = []
  package var offset = Point.zero
  /// The popup is placed anew where what it belongs to moves.
  package var isReactive = false

  package init() {}

  package var isComplete: Bool { size.width > 0 && size.height > 0 && anchorRect != nil }

  /// The popup's rectangle, in the space of its parent's window.
  /// - Parameter bounds: what there is to be seen, in the same space.
  package func place(within bounds: Rect) -> Rect {
    guard let rect = anchorRect else { return Rect(origin: .zero, size: size) }
    let x = Self.place(
      Axis(
        length: size.width, anchorStart: rect.x, anchorLength: rect.width, anchor: anchor.x, gravity: gravity.x,
        offset: offset.x),
      within: (bounds.x, bounds.x + bounds.width), flips: adjustment.contains(.flipX),
      slides: adjustment.contains(.slideX), resizes: adjustment.contains(.resizeX))
    let y = Self.place(
      Axis(
        length: size.height, anchorStart: rect.y, anchorLength: rect.height, anchor: anchor.y, gravity: gravity.y,
        offset: offset.y),
      within: (bounds.y, bounds.y + bounds.height), flips: adjustment.contains(.flipY),
      slides: adjustment.contains(.slideY), resizes: adjustment.contains(.resizeY))
    return Rect(minX: x.start, minY: y.start, maxX: x.end, maxY: y.end)
  }

  /// One direction of it.
  private struct Axis {
    var length: Double
    var anchorStart: Double
    var anchorLength: Double
    var anchor: Double
    var gravity: Double
    var offset: Double

    var start: Double {
      let point = anchorStart + (anchorLength * (anchor + 1) / 2).rounded(.down)
      return point + offset + (length * (gravity - 1) / 2).rounded(.down)
    }

    var flipped: Axis {
      var axis = self
      (axis.anchor, axis.gravity, axis.offset) = (-anchor, -gravity, -offset)
      return axis
    }
  }

  private static func place(
    _ axis: Axis, within bounds: (low: Double, high: Double), flips: Bool, slides: Bool, resizes: Bool
  ) -> (start: Double, end: Double) {
    func fits(_ start: Double) -> Bool { start >= bounds.low && start + axis.length <= bounds.high }
    var start = axis.start
    if fits(start) { return (start, start + axis.length) }
    // Flipped where that helps altogether, else not at all.
    if flips, fits(axis.flipped.start) {
      start = axis.flipped.start
      return (start, start + axis.length)
    }
    if slides {
      // First the way that it opens, until its other end is in view; then back, until the end that it opens to is.
      func forwards() { if start < bounds.low { start = max(start, min(bounds.low, bounds.high - axis.length)) } }
      func backwards() {
        if start + axis.length > bounds.high { start = min(start, max(bounds.low, bounds.high - axis.length)) }
      }
      if axis.gravity >= 0 {
        forwards()
        backwards()
      } else {
        backwards()
        forwards()
      }
      if fits(start) { return (start, start + axis.length) }
    }
    if resizes {
      let (low, high) = (max(start, bounds.low), min(start + axis.length, bounds.high))
      if high - low >= 1 { return (low, high) }
    }
    return (start, start + axis.length)
  }
}

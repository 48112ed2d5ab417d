import Geometry
import RenderServer
import TestSupport
import Testing

@Suite("Where popups open")
struct PositionerTests {
  private let desk = Rect(x: -100, y: -100, width: 400, height: 300)

  /// A popup of 60 × 40 below a button of 30 × 20 at (10, 20), to the right.
  private func menu(_ change: (inout Positioner) -> Void = { _ in }) -> Positioner {
    var positioner = Positioner()
    positioner.size = Size(width: 60, height: 40)
    positioner.anchorRect = Rect(x: 10, y: 20, width: 30, height: 20)
    positioner.anchor = Positioner.Side(x: -1, y: 1)
    positioner.gravity = Positioner.Side(x: 1, y: 1)
    change(&positioner)
    return positioner
  }

  @Test("one that fits lies at its anchor, to the side of its gravity, with its offset")
  func fitting() {
    #expect(menu().place(within: desk) == Rect(x: 10, y: 40, width: 60, height: 40))
    let moved = menu { $0.offset = Point(3, -2) }
    #expect(moved.place(within: desk) == Rect(x: 13, y: 38, width: 60, height: 40))
    let above = menu {
      $0.anchor = Positioner.Side(x: 0, y: -1)
      $0.gravity = Positioner.Side(x: 0, y: -1)
    }
    #expect(above.place(within: desk) == Rect(x: -5, y: -20, width: 60, height: 40))
  }

  @Test("one that may not be adjusted stays where it is, in view or not")
  func unadjusted() {
    let low = menu { $0.anchorRect = Rect(x: 280, y: 190, width: 10, height: 5) }
    #expect(low.place(within: desk) == Rect(x: 280, y: 195, width: 60, height: 40))
  }

  @Test("flipping goes to the other side of the anchor where that is in view, and else not at all")
  func flipped() {
    let low = menu {
      $0.anchorRect = Rect(x: 10, y: 170, width: 30, height: 20)
      $0.adjustment = .flipY
      $0.offset = Point(0, 4)
    }
    #expect(low.place(within: desk) == Rect(x: 10, y: 126, width: 60, height: 40))
    let tall = menu {
      $0.size.height = 290
      $0.adjustment = .flipY
    }
    #expect(tall.place(within: desk) == Rect(x: 10, y: 40, width: 60, height: 290))
  }

  @Test("sliding keeps it in view, its near end where both can't be")
  func slid() {
    let right = menu {
      $0.anchorRect = Rect(x: 270, y: 20, width: 10, height: 10)
      $0.adjustment = .slideX
    }
    #expect(right.place(within: desk) == Rect(x: 240, y: 30, width: 60, height: 40))
    let wide = menu {
      $0.size.width = 500
      $0.adjustment = .slideX
    }
    #expect(wide.place(within: desk) == Rect(x: -100, y: 40, width: 500, height: 40))
  }

  @Test("resizing cuts off what is out of view")
  func resized() {
    let low = menu {
      $0.anchorRect = Rect(x: 10, y: 170, width: 30, height: 10)
      $0.adjustment = .resizeY
    }
    #expect(low.place(within: desk) == Rect(x: 10, y: 180, width: 60, height: 20))
  }

  @Test("of random ones, each that may slide and is no larger than the desk is in view, and its size stays")
  func random() {
    let seed: UInt64 = 20_261_130
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      var positioner = Positioner()
      positioner.size = Size(width: random.whole(1...400), height: random.whole(1...300))
      positioner.anchorRect = Rect(
        x: random.whole(-300...500), y: random.whole(-300...500),
        width: random.whole(0...60), height: random.whole(0...60))
      positioner.anchor = Positioner.Side(x: random.whole(-1...1), y: random.whole(-1...1))
      positioner.gravity = Positioner.Side(x: random.whole(-1...1), y: random.whole(-1...1))
      positioner.adjustment = random.chance(50) ? [.slideX, .slideY] : [.slideX, .slideY, .flipX, .flipY, .resizeX]
      let place = positioner.place(within: desk)
      #expect(desk.contains(place), "\(positioner)")
      #expect(place.size == positioner.size, "\(positioner)")
    }
  }
}

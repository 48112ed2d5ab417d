import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("A backdrop is captured once a group, and only where what lies behind has changed")
struct BackdropDamageTests {
  private static let output = PixelSize(width: 640, height: 480)

  /// A planner that has drawn the scene once.
  private struct Scene {
    private var tree: RenderTree
    private var planner = FramePlanner()
    let first: Cost

    init(_ layers: [TestLayer]) throws {
      tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 640, 480, color: .white, [], layers)])
      first = Cost(planner.plan(tree.snapshot(root: 900), size: output, scale: 1, background: .clear))
    }

    /// Of the frame after a change.
    mutating func next(_ layer: UInt64, _ property: PropertyChange) throws -> Cost {
      try tree.set(layer, property)
      return Cost(planner.plan(tree.snapshot(root: 900), size: output, scale: 1, background: .clear))
    }
  }

  private struct Cost {
    var captures: Int
    var passes: Int
    var targetPixels: Int
    /// That passes may change.
    var pixels = 0

    init(_ plan: FramePlan) {
      (captures, passes, targetPixels) = (plan.counters.captures, plan.passes.count, plan.counters.targetPixels)
      for pass in plan.passes { pixels += (pass.scissor ?? PixelRect(size: pass.size)).area }
    }
  }

  private static func panel(_ id: UInt64, x: Double, y: Double, group: String?, radius: Double = 4) -> TestLayer {
    var panel = TestLayer.box(
      id, x: x, y: y, 60, 40, [.backdropFilters([.gaussianBlur(radius: radius)]), .backdropGroup(group)])
    panel.kind = .backdrop
    return panel
  }

  /// Forty of them, side by side.
  private static func wall(group: String?) -> [TestLayer] {
    var panels: [TestLayer] = []
    for row in 0..<5 {
      for column in 0..<8 {
        let id = UInt64(100 + row * 8 + column)
        panels.append(panel(id, x: Double(column * 80), y: Double(row * 90), group: group))
      }
    }
    return panels
  }

  private static func box(_ id: UInt64, x: Double, y: Double) -> TestLayer { .box(id, x: x, y: y, 8, 8, color: .black) }
  private static let red = PropertyChange.backgroundColor(Color(red: 1, green: 0, blue: 0))

  @Test("what changes beside a panel, or above it, has nothing captured or blurred again", arguments: [nil, "g"])
  func unchanged(_ group: String?) throws {
    var scene = try Scene([
      Self.box(1, x: 60, y: 60), Self.panel(2, x: 50, y: 50, group: group), Self.box(3, x: 400, y: 300),
      Self.box(4, x: 70, y: 70),
    ])
    #expect(scene.first.captures == 1)
    // Beside it: its own pixels, in each of the two parts that the capture divides the frame into.
    let beside = try scene.next(3, Self.red)
    #expect(beside.captures == 0 && beside.pixels <= 4 * 64, "\(beside)")
    // Above it: the same, with the panel's picture under it, which is as it was.
    let above = try scene.next(4, Self.red)
    #expect(above.captures == 0 && above.pixels <= 4 * 64, "\(above)")
  }

  @Test("what changes behind one of many panels is captured there, and blurred as far as it reaches")
  func oneOfMany() throws {
    let panels = Self.wall(group: "g")
    var scene = try Scene([Self.box(1, x: 20, y: 20)] + panels)
    #expect(scene.first.captures == 1)
    let after = try scene.next(1, Self.red)
    // Three deviations of 4 on each side of 8 pixels, and some for rounding: in the two passes of the blur and the capture.
    #expect(after.captures == 1 && after.pixels < 8 * 48 * 48, "\(after)")
    #expect(after.pixels * 20 < scene.first.pixels)
  }

  @Test("panels by themselves are captured each by itself: only that which has something new behind it")
  func alone() throws {
    let panels = Self.wall(group: nil)
    var scene = try Scene([Self.box(1, x: 20, y: 20)] + panels)
    #expect(scene.first.captures == 40)
    #expect(try scene.next(1, Self.red).captures == 1)
    // A panel that moves is captured anew, and no other.
    #expect(try scene.next(121, .position(Point(430, 210))).captures == 1)
  }

  @Test("a group's panel that moves shows what was captured before, and nothing is captured for it")
  func moving() throws {
    var scene = try Scene([
      Self.box(1, x: 60, y: 60), Self.panel(2, x: 10, y: 10, group: "g"), Self.panel(3, x: 400, y: 300, group: "g"),
      Self.panel(4, x: 200, y: 100, group: "g"),
    ])
    // Within what the others already have captured.
    let counters = try scene.next(4, .position(Point(232, 120)))
    #expect(counters.captures == 0 && counters.pixels < 6 * 100 * 70, "\(counters)")
  }

  @Test("what multiplies looks again at what has changed behind it, and at no more")
  func blended() throws {
    var scene = try Scene([
      Self.box(1, x: 60, y: 60), Self.box(2, x: 400, y: 300),
      .box(3, x: 0, y: 0, 300, 300, color: .white, [.blendMode(.multiply)]),
    ])
    #expect(scene.first.captures == 1)
    #expect(try scene.next(2, Self.red).captures == 0)
    let behind = try scene.next(1, Self.red)
    #expect(behind.captures == 1 && behind.pixels < 6 * 16 * 16, "\(behind)")
  }

  @Test("the picture of a blur is no larger, and its passes are no more, the wider it is", arguments: [nil, "g"])
  func radius(_ group: String?) throws {
    let narrow = try Scene([Self.panel(2, x: 50, y: 50, group: group, radius: 3)]).first
    for radius in [6.0, 24, 96, 400, 2000, 1e6] {
      let wide = try Scene([Self.panel(2, x: 50, y: 50, group: group, radius: radius)]).first
      // Halved as often as it takes, which is bounded by the picture's size.
      #expect(wide.passes <= narrow.passes + 9, "\(radius): \(wide.passes) passes")
      #expect(wide.targetPixels <= 4 * Self.output.area, "\(radius): \(wide.targetPixels) pixels")
    }
  }
}

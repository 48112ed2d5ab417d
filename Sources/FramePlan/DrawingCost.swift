import Geometry
import RenderTree

/// What drawing a content once costs: its quads, and the area that they cover in its own space, which may be several times
/// that of the content.
struct ContentCost {
  var primitives = 0.0
  var ink = 0.0

  static func + (a: ContentCost, b: ContentCost) -> ContentCost {
    // Contents that show contents double with each level: a number this large says "never" and stays finite.
    ContentCost(primitives: min(1e15, a.primitives + b.primitives), ink: min(1e15, a.ink + b.ink))
  }

  /// More than one picture, so that its opacity or clip takes a group.
  var isMany: Bool { primitives > 1 }
}

/// The model of cost by which the plan chooses, in pixels filled: counts and areas of the frame in hand, never a clock,
/// so that the same scene gives the same bytes. The weights are round numbers of what software and hardware take.
enum DrawingCost {
  /// A quad, besides its pixels.
  static let quad = 128.0
  /// A pass: a change of target, and what the driver does at its end.
  static let pass = 8192.0

  /// Drawing a content so that `pixels` of it show.
  static func drawing(_ content: ContentCost, pixels: Int, overdraw: Double) -> Double {
    content.primitives * quad + Double(pixels) * overdraw
  }

  /// Drawing into a target of its own, and compositing that.
  static func group(pixels: Int) -> Double { pass + quad + 2 * Double(pixels) }

  /// A picture of a content: its target is cleared, and drawn.
  static func picture(_ content: ContentCost, pixels: Int, overdraw: Double) -> Double {
    pass + Double(pixels) + drawing(content, pixels: pixels, overdraw: overdraw)
  }

  /// Showing `pixels` of a picture.
  static func sampling(pixels: Int) -> Double { quad + Double(pixels) }
}

extension FramePlanner {
  /// How often a content covers each of its pixels, on average.
  func overdraw(_ key: ContentKey) -> Double {
    let area = extents.rects[Int(key.source)].area
    guard area > 0, let cost = contentCosts[key] else { return 1 }
    return max(0.25, min(64, cost.ink / area))
  }

  /// What drawing a content takes, what it shows of other sources counted as drawn again. Contents that it shows must
  /// have been measured before.
  func measure(_ key: ContentKey) -> ContentCost {
    var cost = ContentCost()
    // How much the areas below a layer are magnified in the content's own space.
    var scales: [(end: Int32, scale: Double)] = []
    var index = key.source
    let end = snapshot.nodes[Int(index)].end
    while index < end {
      while let last = scales.last, index >= last.end { scales.removeLast() }
      let node = snapshot.nodes[Int(index)]
      let isSource = index == key.source
      if node.isHidden || !isSource && (node.flags.contains(.hiddenByPortal) || node.opacity == 0) {
        index = node.end
        continue
      }
      let scale = isSource ? 1 : (scales.last?.scale ?? 1) * node.local.areaScale
      cost = cost + ContentCost(primitives: Double(node.primitiveCount), ink: node.ink * scale)
      if node.portal >= 0 { cost = cost + measure(node.portal, in: key.context, scale: scale) }
      scales.append((node.end, scale))
      index += 1
    }
    return cost
  }

  private func measure(_ index: Int32, in context: RecursionContext, scale: Double) -> ContentCost {
    let portal = snapshot.portals[Int(index)]
    switch snapshot.entry(of: index, in: context) {
    case .nothing: return ContentCost()
    case .previousFrame: return ContentCost(primitives: 1, ink: snapshot.nodes[Int(portal.source)].bounds.area * scale)
    case .content(let inner):
      let content = contentCosts[ContentKey(source: portal.source, context: inner)] ?? ContentCost(primitives: 1)
      return ContentCost(
        primitives: content.primitives, ink: min(1e15, content.ink * scale * portal.matrix.areaScale))
    }
  }
}

extension Homography {
  /// By how much areas grow, near the origin.
  fileprivate var areaScale: Double {
    let scale = (m11 * m22 - m12 * m21).magnitude / max(1e-12, m44 * m44)
    return scale.isFinite ? scale : 1
  }
}

extension SnapshotNode {
  /// The area that its own pictures cover.
  fileprivate var ink: Double {
    let border = borderWidth > 0 && borderColor.alpha > 0 ? 2 * borderWidth * (bounds.width + bounds.height) : 0
    return (backgroundColor.alpha > 0 ? bounds.area : 0) + (gradient >= 0 ? bounds.area : 0)
      + (image >= 0 ? imageRect.area : 0) + min(border, bounds.area)
  }
}

import Geometry
import RenderTree

/// What drawing a content once takes: its pictures, and their sizes in its own space.
struct ContentCost {
  var primitives = 0.0
  /// The area that they cover, which may be several times that of the content.
  var ink = 0.0
  /// The same, a pixel of one colour counted as a part of a sampled one.
  var paint = 0.0
  /// The sums of their widths and heights.
  var widths = 0.0
  var heights = 0.0

  static func + (a: ContentCost, b: ContentCost) -> ContentCost {
    // Contents that show contents double with each level: a number this large says "never" and stays finite.
    ContentCost(
      primitives: min(1e15, a.primitives + b.primitives), ink: min(1e15, a.ink + b.ink),
      paint: min(1e15, a.paint + b.paint),
      widths: min(1e15, a.widths + b.widths), heights: min(1e15, a.heights + b.heights))
  }

  /// More than one picture, so that its opacity or clip takes a group.
  var isMany: Bool { primitives > 1 }

  /// What a pixel costs on average: how often it is covered, and by what.
  func paintPerPixel(of extent: Rect) -> Double {
    extent.area > 0 ? max(0.25, min(64, paint / extent.area)) : 1
  }

  /// The same content on a plane where areas are `area` times as large.
  func magnified(area: Double) -> ContentCost {
    let side = area.squareRoot()
    return ContentCost(
      primitives: primitives, ink: ink * area, paint: paint * area, widths: widths * side, heights: heights * side)
  }

  /// How many of the pictures a window of `part`'s size meets, wherever it lies in `whole`: for each, the share of places in
  /// which it would.
  func primitives(meeting part: Size, of whole: Rect) -> Double {
    guard whole.area > 0 else { return primitives }
    let places = ink + part.width * heights + part.height * widths + primitives * part.width * part.height
    return max(1, min(primitives, places / whole.area))
  }
}

/// The model of cost by which the plan chooses, in pixels filled: counts and areas of the frame in hand, never a clock,
/// so that the same scene gives the same bytes. The weights are round numbers of what was measured with a software
/// rasteriser: a quad among others of other kinds, with its share of draw calls, costs about as much as a thousand pixels.
enum DrawingCost {
  /// A quad of a layer, besides its pixels.
  static let quad = 1024.0
  /// One of many quads of one texture.
  static let sampledQuad = 128.0
  /// A pass: a change of target, and what the driver does at its end.
  static let pass = 8192.0
  static let clearedPixel = 0.1
  static let filledPixel = 0.35
  /// A pixel of a texture that is filtered; one that is copied.
  static let filteredPixel = 1.0
  static let copiedPixel = 0.75

  /// Drawing into a target of its own, and compositing that.
  static func group(pixels: Int) -> Double { pass + quad + Double(pixels) * (clearedPixel + copiedPixel) }

  /// Showing `pixels` of a picture.
  static func sampling(pixels: Int, isExact: Bool) -> Double {
    sampledQuad + Double(pixels) * (isExact ? copiedPixel : filteredPixel)
  }
}

/// What drawing one content again takes, looked up once for all of its uses.
struct ContentMeasure {
  private let cost: ContentCost
  private let extent: Rect
  private let paint: Double

  init(_ cost: ContentCost?, extent: Rect) {
    self.cost = cost ?? ContentCost(primitives: 1)
    self.extent = extent
    paint = cost.map { $0.paintPerPixel(of: extent) } ?? 1
    isMany = cost?.isMany ?? true
  }

  let isMany: Bool

  /// Drawing the content's layers where a use stands.
  func inlineCost(part: Rect, pixels: Int) -> Double {
    let quads = cost.primitives(meeting: part.size, of: extent)
    // Quads of one picture shown many times are all of one kind.
    let quad = cost.isMany ? DrawingCost.quad : DrawingCost.sampledQuad
    return quads * quad + Double(pixels) * paint
  }
}

extension FramePlanner {
  /// Drawing a picture of a content.
  func pictureCost(_ key: ContentKey, _ picture: SourcePicture) -> Double {
    let cost = contentCosts[key] ?? ContentCost(primitives: 1)
    let size = picture.region.size
    let part = Size(width: Double(size.width) / picture.scaleX, height: Double(size.height) / picture.scaleY)
    let quads = cost.primitives(meeting: part, of: extents.rects[Int(key.source)])
    return DrawingCost.pass + quads * DrawingCost.quad
      + Double(size.area) * (DrawingCost.clearedPixel + paintPerPixel(key))
  }

  /// What a pixel of a content costs on average: how often it is covered, and by what.
  func paintPerPixel(_ key: ContentKey) -> Double {
    contentCosts[key].map { $0.paintPerPixel(of: extents.rects[Int(key.source)]) } ?? 1
  }

  /// What drawing a content takes, what it shows of other sources counted as drawn again. Contents that it shows must
  /// have been measured before.
  mutating func measure(_ key: ContentKey) -> ContentCost {
    var cost = ContentCost()
    // How much the areas below a layer are magnified in the content's own space.
    scratch.scales.removeAll(keepingCapacity: true)
    var index = key.source
    let end = snapshot.nodes[Int(index)].end
    while index < end {
      while let last = scratch.scales.last, index >= last.end { scratch.scales.removeLast() }
      let node = snapshot.nodes[Int(index)]
      let isSource = index == key.source
      if node.isHidden || !isSource && (node.flags.contains(.hiddenByPortal) || node.opacity == 0) {
        index = node.end
        continue
      }
      let scale = isSource ? 1 : (scratch.scales.last?.scale ?? 1) * node.local.areaScale
      cost = cost + node.ownCost.magnified(area: scale)
      if node.portal >= 0 { cost = cost + measure(node.portal, in: key.context, scale: scale) }
      scratch.scales.append((node.end, scale))
      index += 1
    }
    return cost
  }

  private func measure(_ index: Int32, in context: RecursionContext, scale: Double) -> ContentCost {
    let portal = snapshot.portals[Int(index)]
    switch snapshot.entry(of: index, in: context) {
    case .nothing: return ContentCost()
    case .previousFrame:
      let bounds = snapshot.nodes[Int(portal.source)].bounds
      return ContentCost(
        primitives: 1, ink: bounds.area, paint: bounds.area, widths: bounds.width, heights: bounds.height
      )
      .magnified(area: scale)
    case .content(let inner):
      let content = contentCosts[ContentKey(source: portal.source, context: inner)] ?? ContentCost(primitives: 1)
      return content.magnified(area: scale * portal.matrix.areaScale)
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
  /// What its own pictures take.
  fileprivate var ownCost: ContentCost {
    var cost = ContentCost(primitives: Double(primitiveCount))
    let border = borderWidth > 0 && borderColor.alpha > 0 ? 2 * borderWidth * (bounds.width + bounds.height) : 0
    let plain = (backgroundColor.alpha > 0 ? bounds.area : 0) + min(border, bounds.area)
    let sampled = (gradient >= 0 ? bounds.area : 0) + (image >= 0 ? imageRect.area : 0)
    cost.ink = plain + sampled
    cost.paint = plain * DrawingCost.filledPixel + sampled
    let size = image >= 0 ? imageRect.union(bounds).size : bounds.size
    cost.widths = cost.primitives * size.width
    cost.heights = cost.primitives * size.height
    return cost
  }
}

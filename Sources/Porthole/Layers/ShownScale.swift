import Commit
import Geometry

/// A tree that a renderer shows.
struct Showing: Equatable {
  var root: LayerID
  /// Pixels per point; nil where another process decides it.
  var scale: Double?
  /// The root is drawn in its own space, whatever its own transform.
  var isAlone = false
  /// In points; nil where it is not known for sure what is in view.
  var size: Size?
}

/// How many pixels of an output a point of a layer becomes, at most, wherever it is shown: in its own place and in portals.
///
/// It asks the model, so an animation that a server runs does not count. What is hidden counts as shown: it may be, by a
/// portal.
struct ShownScale {
  let showings: [Showing]
  /// By the source's identity.
  let portals: [LayerID: [PortalLayer]]
  /// Of portals' own spaces, for the showing at hand; 0 while it is being found out, so that a loop adds nothing.
  private var known: [LayerID: Double] = [:]

  /// A perspective that comes close to the eye has no limit of its own.
  private static let largestStretch = 32.0

  init(_ showings: [Showing], portals: [PortalLayer]) {
    self.showings = showings
    self.portals = Dictionary(grouping: portals.filter { $0.sourceLayer != nil }) { $0.sourceLayer?.id ?? $0.id }
  }

  /// The pixels per point at which the layer is to be drawn; 0 where nothing shows it.
  mutating func callAsFunction(_ layer: Layer) -> Double {
    let largest = showings.lazy.compactMap(\.scale).max() ?? 1
    var best = 0.0
    for showing in showings {
      known.removeAll(keepingCapacity: true)
      let stretch = stretch(of: layer, around: layer.drawnExtent ?? layer.bounds, in: showing, level: 0)
      best = max(best, Self.stepped(stretch) * (showing.scale ?? max(1, largest)))
    }
    return best
  }

  /// The next of eight steps an octave, so that a layer that grows is not drawn anew for each frame. 0 stays 0.
  static func stepped(_ stretch: Double) -> Double {
    guard stretch > 0 else { return 0 }
    let least = max(stretch, 1.0 / 64)
    let octave = Double(sign: .plus, exponent: least.exponent, significand: 1)
    let step = octave / 8
    return (least / step - 1e-6).rounded(.up) * step
  }

  /// The longest chain of portals that is followed.
  private static let levelLimit = 64

  private mutating func stretch(of layer: Layer, around rect: Rect, in showing: Showing, level: Int) -> Double {
    guard level < Self.levelLimit else { return 0 }
    var best = 0.0
    // To the space of the layer at hand.
    var matrix = Homography.identity
    var current = layer
    while true {
      let isRoot = current.id == showing.root
      if isRoot, showing.isAlone { best = max(best, matrix.largestStretch(of: rect)) }
      for portal in portals[current.id] ?? [] {
        let inner = matrix.largestStretch(of: rect) * ownFactor(of: current, in: portal)
        guard inner > 0 else { continue }
        best = max(best, inner * scale(of: portal, in: showing, level: level))
      }
      matrix = matrix * Homography(current.placement * (current.container?.sublayerPlacement ?? .identity))
      if isRoot, !showing.isAlone { best = max(best, matrix.largestStretch(of: rect)) }
      guard let next = current.container else { break }
      if let replicator = next as? ReplicatorLayer { matrix = matrix * largestInstance(of: replicator, matrix, rect) }
      current = next
    }
    return min(best, Self.largestStretch)
  }

  /// The placement of the first or the last instance, whichever is larger: those between are no larger than both.
  private func largestInstance(of replicator: ReplicatorLayer, _ matrix: Homography, _ rect: Rect) -> Homography {
    guard replicator.instanceCount > 1, !replicator.instanceTransform.isIdentity else { return .identity }
    let (a, step) = (replicator.anchor, Homography(replicator.instanceTransform))
    var turned = Homography.identity
    // A transform that grows without end is of no use after some dozens of steps.
    for _ in 1..<min(replicator.instanceCount, 64) { turned = turned * step }
    let last = Homography.translation(x: -a.x, y: -a.y) * turned * Homography.translation(x: a.x, y: a.y)
    guard last.isFinite else { return .identity }
    return (matrix * last).largestStretch(of: rect) > matrix.largestStretch(of: rect) ? last : .identity
  }

  private mutating func scale(of portal: PortalLayer, in showing: Showing, level: Int) -> Double {
    if let scale = known[portal.id] { return scale }
    known[portal.id] = 0
    let scale = stretch(of: portal, around: portal.bounds, in: showing, level: level + 1)
    known[portal.id] = scale
    return scale
  }

  /// What a portal that turns and scales the picture as the source is in its own place does to it, besides what it does
  /// to its own drawing.
  private func ownFactor(of source: Layer, in portal: PortalLayer) -> Double {
    guard portal.matchesTransform else { return 1 }
    let (own, portals) = (Self.stretchToTop(source), Self.stretchToTop(portal))
    return portals > 0 ? own / portals : 0
  }

  private static func stretchToTop(_ layer: Layer) -> Double {
    var matrix = Homography.identity
    var current = layer
    while true {
      matrix = matrix * Homography(current.placement * (current.container?.sublayerPlacement ?? .identity))
      guard let next = current.container else { break }
      current = next
    }
    return matrix.largestStretch(of: layer.bounds)
  }
}

extension Homography {
  /// How much it stretches anything in the rectangle at most; what lies behind the eye does not count.
  fileprivate func largestStretch(of rect: Rect) -> Double {
    if isAffine { return LinearMap(a: m11, b: m12, c: m21, d: m22).singularValues.largest }
    var best = 0.0
    for point in rect.corners + [rect.center] {
      if let map = scales(at: point) { best = max(best, map.singularValues.largest) }
    }
    return best.isFinite ? best : 0
  }
}

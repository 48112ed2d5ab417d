import Commit
import Geometry

/// A layer that a point hits, and the point in that layer's space.
public struct HitLink: Sendable, Hashable {
  public var layer: LayerID
  public var point: Point
  /// The layer is a portal; where it forwards, the next link lies inside its source.
  public var isPortal: Bool

  public init(layer: LayerID, point: Point, isPortal: Bool) {
    self.layer = layer
    self.point = point
    self.isPortal = isPortal
  }
}

extension Snapshot {
  /// The index of a layer's node, if the frame has it.
  /// - Complexity: O(layers).
  public func index(of layer: LayerID) -> Int32? {
    nodes.firstIndex { $0.layer == layer }.map { Int32($0) }
  }

  /// The frontmost layer at `point`, in window space: through a portal that forwards, the portal first and then the
  /// layer inside its source. Empty where nothing is hit.
  ///
  /// A layer is hit within its bounds with their corner radius, under the clips of its ancestors and where their masks show
  /// something, in the order of depth where that is how layers are drawn; hidden ones, those of an opacity below 0.01, and
  /// those that allow no hit testing are passed by, with their sublayers.
  /// - Parameter accepts: whether a layer takes what happens at a point of its own space; where it does not, it is passed by,
  ///   but not its sublayers.
  /// - Complexity: O(layers), times the levels of portals that forward.
  public func hitTest(_ point: Point, accepts: (LayerID, Point) -> Bool = { _, _ in true }) -> [HitLink] {
    hit(point, accepts: accepts).map(\.link)
  }

  /// A layer that is hit, and how window space maps to its own, by the way on which it was hit.
  public struct HitStep {
    public var link: HitLink
    public var fromWindow: Homography
  }

  /// As `hitTest`, with the maps.
  public func hit(_ point: Point, accepts: (LayerID, Point) -> Bool = { _, _ in true }) -> [HitStep] {
    guard hasRoot, point.isFinite else { return [] }
    var links: [HitStep] = []
    // The budget bounds a walk through portals that nest without end.
    var budget = max(1 << 20, nodes.count)
    _ = hit(
      content: 0, at: point, toContent: nodes[0].local, fromWindow: .identity, isSource: false, context: .outside,
      accepts,
      &links, &budget)
    return links
  }

  /// A layer on the way, and how it lies.
  private struct Walk {
    var node: Int32
    /// Layer space to that of the point.
    var matrix: Homography
    var showsBack: Bool
  }

  /// What is left to do, from back to front.
  private enum Step {
    case layer(Walk)
    /// The sublayers from the node `next` on.
    case sublayers(Walk, next: Int32)
    /// The pieces from `next` on of sublayers that are sorted by depth.
    case pieces(Walk, next: Int)
  }

  /// Hits the subtree of `root`, whose own space maps to that of `point` by `toContent`. What comes later lies in front, so
  /// the last one that is hit counts.
  private func hit(
    content root: Int32, at point: Point, toContent: Homography, fromWindow: Homography, isSource: Bool,
    context: RecursionContext, _ accepts: (LayerID, Point) -> Bool, _ links: inout [HitStep], _ budget: inout Int
  ) -> Bool {
    var best: [HitStep] = []
    let turnsBack = !isSource && nodes[Int(root)].flags.contains(.turnsBack)
    var steps: [Step] = [.layer(Walk(node: root, matrix: toContent, showsBack: turnsBack))]
    while let step = steps.popLast(), budget > 0 {
      switch step {
      case .layer(let walk):
        budget -= 1
        let isPlaced = walk.node != root || !isSource
        guard let local = local(of: point, in: walk, isPlaced: isPlaced, context: context, &budget) else { continue }
        let node = nodes[Int(walk.node)]
        // An instance of a replicator is no layer, but what it shows is.
        let isInstance = node.portal >= 0 && portals[Int(node.portal)].isInstance
        let isInside = node.shape.contains(local)
        if isInside, !isInstance, accepts(node.layer, local) {
          let link = HitLink(layer: node.layer, point: local, isPortal: node.portal >= 0)
          best = [HitStep(link: link, fromWindow: fromWindow * (walk.matrix.inverse ?? .identity))]
        }
        if node.masksToBounds, !isInside { continue }
        if node.portal >= 0,
          let inner = hitThrough(
            node, at: local, fromWindow: fromWindow * (walk.matrix.inverse ?? .identity), context: context, accepts,
            &budget)
        {
          best = inner
        }
        if node.depthSort >= 0 {
          steps.append(.pieces(walk, next: depthSorts[Int(node.depthSort)].lowerBound))
        } else {
          steps.append(.sublayers(walk, next: walk.node + 1))
        }
      case .sublayers(let outer, let next):
        guard next < nodes[Int(outer.node)].end else { continue }
        steps.append(.sublayers(outer, next: nodes[Int(next)].end))
        steps.append(.layer(self.walk(next, in: outer)))
      case .pieces(let outer, let next):
        guard depthSorts[Int(nodes[Int(outer.node)].depthSort)].contains(next) else { continue }
        steps.append(.pieces(outer, next: next + 1))
        let walk = self.walk(pieces[next].node, in: outer)
        if isHit(pieces[next], at: point, walk, in: outer.node) { steps.append(.layer(walk)) }
      }
    }
    links += best
    return !best.isEmpty
  }

  private func walk(_ node: Int32, in outer: Walk) -> Walk {
    Walk(
      node: node, matrix: nodes[Int(node)].local * outer.matrix,
      showsBack: outer.showsBack != nodes[Int(node)].flags.contains(.turnsBack))
  }

  /// The point in the layer's space; nil where the layer with its sublayers is passed by.
  private func local(
    of point: Point, in walk: Walk, isPlaced: Bool, context: RecursionContext, _ budget: inout Int
  ) -> Point? {
    let node = nodes[Int(walk.node)]
    guard !node.isHidden, node.flags.contains(.allowsHitTesting), !walk.showsBack || node.flags.contains(.doubleSided),
      !isPlaced || node.opacity >= 0.01 && !node.flags.contains(.hiddenByPortal),
      let local = walk.matrix.inverse?.apply(point), walk.matrix.project(local).w > 0
    else { return nil }
    if node.effects >= 0, effects[Int(node.effects)].mask >= 0 {
      let mask = effects[Int(node.effects)].mask
      if maskAlpha(mask, at: local, context: context, level: 0, &budget) < 0.01 { return nil }
    }
    return local
  }

  /// Whether the part of a layer has the point, and the transform layers that it stands in let it be hit.
  private func isHit(_ piece: SnapshotPiece, at point: Point, _ walk: Walk, in sorted: Int32) -> Bool {
    guard piece.opacity >= 0.01 else { return false }
    var ancestor = nodes[Int(piece.node)].parent
    while ancestor > sorted {
      guard nodes[Int(ancestor)].flags.contains(.allowsHitTesting) else { return false }
      ancestor = nodes[Int(ancestor)].parent
    }
    if piece.cuts.isEmpty { return true }
    guard let local = walk.matrix.inverse?.apply(point) else { return false }
    return cuts[piece.cuts].allSatisfy { $0.a * local.x + $0.b * local.y + $0.c >= 0 }
  }

  /// What a portal that forwards has at `local`, in its own space: itself, then what lies inside its source.
  private func hitThrough(
    _ node: SnapshotNode, at local: Point, fromWindow: Homography, context: RecursionContext,
    _ accepts: (LayerID, Point) -> Bool, _ budget: inout Int
  ) -> [HitStep]? {
    let portal = portals[Int(node.portal)]
    guard portal.forwardsHitTesting, case .content(let inner) = entry(of: node.portal, in: context) else { return nil }
    if let rect = portal.sourceRect {
      guard let inSource = portal.matrix.inverse?.apply(local), rect.contains(inSource) else { return nil }
    }
    let own = HitStep(link: HitLink(layer: node.layer, point: local, isPortal: true), fromWindow: fromWindow)
    var links = portal.isInstance ? [] : [own]
    let isHit = hit(
      content: portal.source, at: local, toContent: portal.matrix, fromWindow: fromWindow, isSource: true,
      context: inner, accepts, &links, &budget)
    return isHit ? links : nil
  }
}

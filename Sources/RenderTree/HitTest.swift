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
  /// something; hidden ones, those of
  /// an opacity below 0.01, and those that allow no hit testing are passed by, with their sublayers.
  /// - Complexity: O(layers), times the levels of portals that forward.
  public func hitTest(_ point: Point) -> [HitLink] {
    guard hasRoot, point.isFinite else { return [] }
    var links: [HitLink] = []
    // The budget bounds a walk through portals that nest without end.
    var budget = max(1 << 20, nodes.count)
    _ = hit(content: 0, at: point, toContent: nodes[0].local, isSource: false, context: .outside, &links, &budget)
    return links
  }

  private struct Walk {
    var matrix: Homography
    /// Index past the subtree that this matrix is for.
    var end: Int32
    var showsBack: Bool
  }

  /// Hits the subtree of `root`, whose own space maps to that of `point` by `toContent`. Later nodes lie in front, so the
  /// last one that is hit counts.
  private func hit(
    content root: Int32, at point: Point, toContent: Homography, isSource: Bool, context: RecursionContext,
    _ links: inout [HitLink], _ budget: inout Int
  ) -> Bool {
    var best: [HitLink] = []
    var path: [Walk] = []
    var index = root
    let end = nodes[Int(root)].end
    while index < end {
      budget -= 1
      guard budget > 0 else { break }
      while let last = path.last, index >= last.end { path.removeLast() }
      let node = nodes[Int(index)]
      let isRoot = index == root
      let matrix = isRoot ? toContent : node.local * (path.last?.matrix ?? .identity)
      let showsBack =
        isRoot && isSource ? false : (path.last?.showsBack ?? false) != node.flags.contains(.turnsBack)
      let isSkipped =
        node.isHidden || !node.flags.contains(.allowsHitTesting)
        || !(isRoot && isSource) && (node.opacity < 0.01 || node.flags.contains(.hiddenByPortal))
        || showsBack && !node.flags.contains(.doubleSided)
      guard !isSkipped, let local = matrix.inverse?.apply(point), (matrix.project(local).w) > 0 else {
        index = node.end
        continue
      }
      if node.effects >= 0, effects[Int(node.effects)].mask >= 0 {
        let mask = effects[Int(node.effects)].mask
        if maskAlpha(mask, at: local, context: context, level: 0, &budget) < 0.01 {
          index = node.end
          continue
        }
      }
      // An instance of a replicator is no layer, but what it shows is.
      let isInstance = node.portal >= 0 && portals[Int(node.portal)].isInstance
      let isInside = node.shape.contains(local)
      if isInside, !isInstance { best = [HitLink(layer: node.layer, point: local, isPortal: node.portal >= 0)] }
      if node.masksToBounds, !isInside {
        index = node.end
        continue
      }
      if node.portal >= 0, let inner = hitThrough(node, at: local, context: context, &budget) { best = inner }
      path.append(Walk(matrix: matrix, end: node.end, showsBack: showsBack))
      index += 1
    }
    links += best
    return !best.isEmpty
  }

  /// What a portal that forwards has at `local`, in its own space: itself, then what lies inside its source.
  private func hitThrough(
    _ node: SnapshotNode, at local: Point, context: RecursionContext, _ budget: inout Int
  ) -> [HitLink]? {
    let portal = portals[Int(node.portal)]
    guard portal.forwardsHitTesting, case .content(let inner) = entry(of: node.portal, in: context) else { return nil }
    if let rect = portal.sourceRect {
      guard let inSource = portal.matrix.inverse?.apply(local), rect.contains(inSource) else { return nil }
    }
    var links = portal.isInstance ? [] : [HitLink(layer: node.layer, point: local, isPortal: true)]
    let isHit = hit(
      content: portal.source, at: local, toContent: portal.matrix, isSource: true, context: inner, &links, &budget)
    return isHit ? links : nil
  }
}

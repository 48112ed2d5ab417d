import Commit
import Geometry
import RenderTree

/// How far the content of each layer reaches, in its own space: what it and its sublayers draw, portals included.
/// Conservative: never too small. Used to leave out what can't be seen and to size off-screen targets.
struct ContentExtents {
  /// By node.
  private(set) var rects: [Rect] = []
  /// The same before the layer's own effects, with what casts its shadow, of the layers that have any.
  private(set) var unaffected: [Int32: Rect] = [:]
  private var scale = 1.0
  private var isDone: [Bool] = []
  private var isBegun: [Bool] = []
  /// Trees that are yet to be measured.
  private var stack: [Int32] = []
  /// Further than anything visible; stands for "unknown" below recursive portals.
  static let everywhere = Rect(x: -1e7, y: -1e7, width: 2e7, height: 2e7)

  /// - Parameter scale: the output's pixels a point.
  /// - Complexity: O(nodes).
  mutating func update(_ snapshot: Snapshot, scale: Double) {
    self.scale = scale
    rects.removeAll(keepingCapacity: true)
    unaffected.removeAll(keepingCapacity: true)
    rects.append(contentsOf: repeatElement(Rect(x: 0, y: 0, width: -1, height: -1), count: snapshot.nodes.count))
    isDone.removeAll(keepingCapacity: true)
    isDone.append(contentsOf: repeatElement(false, count: snapshot.nodes.count))
    isBegun.removeAll(keepingCapacity: true)
    isBegun.append(contentsOf: repeatElement(false, count: snapshot.nodes.count))
    // A content is measured after the sources that it shows; a loop is cut by taking everywhere for granted.
    stack.removeAll(keepingCapacity: true)
    if snapshot.hasRoot { stack.append(0) }
    var last: Int32 = -1
    for index in snapshot.portals.indices.reversed() {
      let source = snapshot.portals[index].source
      // Thousands of portals of one source stand in a row.
      if source >= 0, source != last { stack.append(source) }
      last = source
    }
    for index in snapshot.effects.indices where snapshot.effects[index].mask >= 0 {
      stack.append(snapshot.effects[index].mask)
    }
    while let root = stack.last {
      if isDone[Int(root)] {
        stack.removeLast()
        continue
      }
      if !isBegun[Int(root)] {
        isBegun[Int(root)] = true
        let waiting = stack.count
        if snapshot.effects.isEmpty {
          pushSources(within: root, snapshot)
        } else {
          let trees = snapshot.trees(of: root)
          for tree in trees { pushSources(within: tree, snapshot) }
          // Masks last, since each of them waits for its own.
          for mask in trees.dropFirst() where !isBegun[Int(mask)] { stack.append(mask) }
        }
        if stack.count > waiting { continue }
      }
      stack.removeLast()
      measure(root, snapshot)
    }
  }

  /// Has the sources be measured that a tree shows.
  private mutating func pushSources(within tree: Int32, _ snapshot: Snapshot) {
    var last: Int32 = -1
    for index in snapshot.portalRange(within: tree) {
      let source = snapshot.portals[index].source
      guard source >= 0, source != last, !isBegun[Int(source)] else { continue }
      last = source
      stack.append(source)
    }
  }

  /// Measures a layer without sublayers and effects anew.
  mutating func update(_ index: Int32, of snapshot: Snapshot) { rects[Int(index)] = extent(of: index, snapshot) }

  /// Whether a layer without effects reaches as far as it did, now that its sublayers may not.
  func isSettled(_ index: Int32, in snapshot: Snapshot) -> Bool {
    snapshot.nodes[Int(index)].effects < 0 && extent(of: index, snapshot) == rects[Int(index)]
  }

  private mutating func measure(_ root: Int32, _ snapshot: Snapshot) {
    var index = snapshot.nodes[Int(root)].end - 1
    while index >= root {
      if !isDone[Int(index)] {
        let node = snapshot.nodes[Int(index)]
        let rect = extent(of: index, snapshot)
        rects[Int(index)] = node.effects < 0 ? rect : affected(rect, by: snapshot.effects[Int(node.effects)], snapshot)
        if node.effects >= 0 { narrow(index, by: snapshot.effects[Int(node.effects)].mask, snapshot) }
        if node.effects >= 0 {
          let path = snapshot.effects[Int(node.effects)].shadow?.path?.rect.standardized ?? .zero
          unaffected[index] = path.isEmpty ? rect : rect.union(path)
        }
      }
      isDone[Int(index)] = true
      index -= 1
    }
  }

  private func extent(of index: Int32, _ snapshot: Snapshot) -> Rect {
    let node = snapshot.nodes[Int(index)]
    var clipped = Rect.zero
    if node.image >= 0 { clipped = clipped.union(node.imageRect) }
    if node.portal >= 0 { clipped = clipped.union(portalExtent(node.portal, snapshot)) }
    var child = index + 1
    while child < node.end {
      let sub = snapshot.nodes[Int(child)]
      if !sub.isHidden, sub.opacity > 0 {
        let rect = rects[Int(child)]
        if !rect.isEmpty { clipped = clipped.union(bounded(sub.local.boundingBox(of: rect))) }
      }
      child = sub.end
    }
    if node.masksToBounds { clipped = clipped.intersection(node.bounds) }
    // Moved to whole pixels and stretched, what lies far from the bounds may lie anywhere.
    if node.flags.contains(.snapsToPixels), !clipped.isEmpty, !node.bounds.contains(clipped) { return Self.everywhere }
    let drawsItself =
      node.backgroundColor.alpha > 0 || node.gradient >= 0 || node.backdrop >= 0
      || node.borderWidth > 0 && node.borderColor.alpha > 0
    return drawsItself ? clipped.union(node.bounds) : clipped
  }

  /// Beyond its mask a layer shows nothing.
  private mutating func narrow(_ index: Int32, by mask: Int32, _ snapshot: Snapshot) {
    // A group's capture is made before the first of its backdrops, masked or not.
    guard mask >= 0, isDone[Int(mask)], !snapshot.nodes[Int(index)].flags.contains(.readsBehind) else { return }
    let node = snapshot.nodes[Int(mask)]
    let shows = !node.isHidden && node.opacity > 0 && !rects[Int(mask)].isEmpty
    let extent = shows ? bounded(node.local.boundingBox(of: rects[Int(mask)])) : .zero
    guard !extent.isEmpty else {
      rects[Int(index)] = .zero
      return
    }
    let narrowed = rects[Int(index)].intersection(extent)
    // Side by side the two may still have a pixel in common, each in part.
    if !narrowed.isEmpty { rects[Int(index)] = narrowed }
  }

  /// How far a picture that reaches as far as `rect` does with these effects.
  private func affected(_ rect: Rect, by effects: SnapshotEffects, _ snapshot: Snapshot) -> Rect {
    var rect = rect
    // Anywhere in the bounds a lens may show what lies elsewhere, and nothing beyond them.
    if effects.lens != nil, !rect.isEmpty { rect = snapshot.nodes[Int(effects.node)].bounds }
    if let shadow = effects.shadow {
      let cast = shadow.path?.rect.standardized ?? rect
      if !cast.isEmpty {
        rect = bounded(
          rect.union(
            cast.offsetBy(dx: shadow.offset.x, dy: shadow.offset.y).insetBy(
              dx: -3 * shadow.radius, dy: -3 * shadow.radius)))
      }
    }
    guard !rect.isEmpty else { return rect }
    for case .gaussianBlur(let radius) in effects.filters {
      rect = bounded(rect.insetBy(dx: -3 * radius, dy: -3 * radius))
    }
    return rect
  }

  private func portalExtent(_ index: Int32, _ snapshot: Snapshot) -> Rect {
    let portal = snapshot.portals[Int(index)]
    guard portal.source >= 0 else { return .zero }
    var rect = isDone[Int(portal.source)] && !portal.isRecursive ? rects[Int(portal.source)] : Self.everywhere
    // A pixel of the source's own is shown wholly, however little of it the source covers.
    if portal.sampling == .nearest, !rect.isEmpty { rect = rect.insetBy(dx: -1 / scale, dy: -1 / scale) }
    if let part = portal.sourceRect { rect = rect.intersection(part) }
    return rect.isEmpty ? .zero : bounded(portal.matrix.boundingBox(of: rect))
  }

  private func bounded(_ rect: Rect) -> Rect {
    rect.isFinite ? rect : Self.everywhere
  }
}

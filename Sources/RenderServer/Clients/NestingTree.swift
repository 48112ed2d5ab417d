import Commit

/// Who is whose parent among one client's layers, with what is pending already done: kept so that a commit that nests
/// layers deeper than allowed is found before the render tree has to climb through it.
struct NestingTree: Sendable {
  private var parents: [LayerID: LayerID] = [:]
  private var children: [LayerID: Set<LayerID>] = [:]
  /// What each pending change has overwritten.
  private var journal: [(child: LayerID, oldParent: LayerID?)] = []

  /// Puts `child` into `parent` and says how deep the deepest layer below it lies then; more than `limit` is `limit + 1`.
  /// Nil, and nothing done, for a cycle: the commit will be refused.
  mutating func insert(_ child: LayerID, into parent: LayerID, limit: Int) -> Int? {
    var depth = 1
    var ancestor: LayerID? = parent
    while let id = ancestor {
      if id == child { return nil }
      depth += 1
      ancestor = parents[id]
    }
    depth += height(of: child, limit: limit - depth)
    move(child, to: parent)
    return min(depth, limit + 1)
  }

  mutating func remove(_ child: LayerID) { move(child, to: nil) }

  /// The layer is going: it leaves its parent, and its sublayers lose theirs.
  mutating func release(_ layer: LayerID) {
    move(layer, to: nil)
    for child in children[layer] ?? [] { move(child, to: nil) }
  }

  /// What was pending has become so.
  mutating func accept() { journal.removeAll(keepingCapacity: true) }

  /// What was pending will not be.
  mutating func refuse() {
    for step in journal.reversed() { link(step.child, to: step.oldParent) }
    journal.removeAll(keepingCapacity: true)
  }

  /// The topmost layer above this one, itself maybe, as of the last commit: what is pending does not count.
  func acceptedTop(of layer: LayerID) -> LayerID {
    var accepted: [LayerID: LayerID?] = [:]
    for step in journal.reversed() { accepted[step.child] = .some(step.oldParent) }
    var top = layer
    while let parent = accepted[top] ?? parents[top] { top = parent }
    return top
  }

  /// The layer's parent and number of sublayers, with what is pending.
  func place(of layer: LayerID) -> (parent: LayerID?, sublayers: Int) {
    (parents[layer], children[layer]?.count ?? 0)
  }

  /// Levels below a layer, counted up to one more than `limit`.
  private func height(of layer: LayerID, limit: Int) -> Int {
    guard children[layer] != nil else { return 0 }
    var level = [layer]
    var height = 0
    while height <= max(0, limit) {
      level = level.flatMap { children[$0] ?? [] }
      if level.isEmpty { return height }
      height += 1
    }
    return height
  }

  private mutating func move(_ child: LayerID, to parent: LayerID?) {
    guard parents[child] != parent else { return }
    journal.append((child, parents[child]))
    link(child, to: parent)
  }

  private mutating func link(_ child: LayerID, to parent: LayerID?) {
    if let old = parents[child] {
      children[old]?.remove(child)
      if children[old]?.isEmpty == true { children[old] = nil }
    }
    parents[child] = parent
    if let parent { children[parent, default: []].insert(child) }
  }
}

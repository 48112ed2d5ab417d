import Commit
import Geometry

/// Which copies a walk is inside of. The root's is `outside`; only portals of recursive sources change it.
public struct RecursionContext: Sendable, Hashable {
  /// Index in the table.
  public var index: Int32

  public static let outside = RecursionContext(index: 0)
}

/// What a portal shows at some level of recursion.
public enum PortalEntry: Sendable, Hashable {
  /// Nothing: it has no source, or the rule ends it here.
  case nothing
  /// The source's content, to be walked in this context.
  case content(RecursionContext)
  /// The picture that the source's bounds showed in the frame before.
  case previousFrame
}

/// The contexts that a frame can get into, worked out beforehand so that every renderer stops at the same level.
///
/// A context is the multiset of recursive sources whose copies a walk is in. A portal goes on while its source occurs
/// fewer times than its `recursion` allows. The number of copies in a frame is bounded: contexts come into being
/// level by level, and no level is begun that would bring the copies above `copyLimit`.
struct RecursionTable: Sendable {
  struct Step: Hashable {
    var context: Int32
    var source: Int32
  }

  /// Levels that `depth(n)` can ask for at most.
  static let depthLimit = 64
  /// Copies of recursive sources in a frame at most.
  static let copyLimit = 1 << 16

  /// How often each source occurs, by context.
  var counts: [[Int32: Int]] = [[:]]
  var loopOfContext: [Int32] = [-1]
  /// The loop that each recursive source belongs to.
  var loops: [Int32: Int32] = [:]
  var steps: [Step: Int32] = [:]
}

extension Snapshot {
  /// What `portal` shows when a walk in `context` comes to it. The one place where `recursion` is decided.
  public func entry(of portal: Int32, in context: RecursionContext) -> PortalEntry {
    guard portals[Int(portal)].source >= 0 else { return .nothing }
    // No copy that the walk is in can be met again below a source that is not recursive.
    guard portals[Int(portal)].isRecursive else { return .content(.outside) }
    let portal = portals[Int(portal)]
    // A walk that came from another loop can't meet that one's copies again: it begins anew.
    let isSameLoop = recursion.loopOfContext[Int(context.index)] == recursion.loops[portal.source]
    let current = isSameLoop ? context.index : RecursionContext.outside.index
    let level = recursion.counts[Int(current)][portal.source] ?? 0
    if level >= portal.recursion.levels {
      return portal.recursion == .previousFrame ? .previousFrame : .nothing
    }
    guard let next = recursion.steps[.init(context: current, source: portal.source)] else { return .nothing }
    return .content(RecursionContext(index: next))
  }

  /// Marks the portals of recursive sources and fills the table of contexts.
  mutating func resolveRecursion() {
    let sources = Set(portals.lazy.map(\.source).filter { $0 >= 0 }).sorted()
    guard !sources.isEmpty else { return }
    let graph = SourceGraph(self, sources: sources)
    guard !graph.loops.isEmpty else { return }
    for index in portals.indices where portals[index].source >= 0 {
      portals[index].isRecursive = graph.loopOfSource[portals[index].source] != nil
    }
    for loop in graph.loops {
      let names = loop.map { nodes[Int($0)].layer.description }
      diagnostics.append("portals show themselves: \(names.joined(separator: " → "))")
    }
    fillTable(graph)
  }

  private mutating func fillTable(_ graph: SourceGraph) {
    recursion.loops = graph.loopOfSource
    var known: [[Int32: Int]: Int32] = [:]
    var level: [(state: RecursionTable.Step, copies: Int)] = []
    var total = 0
    /// Walks on through the portal into the next level.
    func enter(
      _ portal: SnapshotPortal, from context: Int32, copies: Int, _ next: inout [RecursionTable.Step: Int],
      _ order: inout [RecursionTable.Step]
    ) -> Bool {
      var counts = recursion.counts[Int(context)]
      let count = counts[portal.source] ?? 0
      guard count < portal.recursion.levels else { return true }
      total += copies
      guard total <= RecursionTable.copyLimit else { return false }
      counts[portal.source] = count + 1
      let target = known[counts] ?? Int32(recursion.counts.count)
      if known[counts] == nil {
        known[counts] = target
        recursion.counts.append(counts)
        recursion.loopOfContext.append(graph.loopOfSource[portal.source] ?? -1)
      }
      recursion.steps[.init(context: context, source: portal.source)] = target
      let state = RecursionTable.Step(context: target, source: portal.source)
      if next[state] == nil { order.append(state) }
      next[state, default: 0] += copies
      return true
    }
    var next: [RecursionTable.Step: Int] = [:]
    var order: [RecursionTable.Step] = []
    var isWithinLimit = true
    for portal in portals where portal.isRecursive && isWithinLimit {
      isWithinLimit = enter(portal, from: 0, copies: 1, &next, &order)
    }
    while isWithinLimit, !order.isEmpty {
      level = order.map { ($0, next[$0] ?? 0) }
      next.removeAll(keepingCapacity: true)
      order.removeAll(keepingCapacity: true)
      walk: for (state, copies) in level {
        for index in portalRanges(within: state.source).joined() {
          let portal = portals[index]
          guard portal.isRecursive, graph.loopOfSource[portal.source] == graph.loopOfSource[state.source] else {
            continue
          }
          isWithinLimit = enter(portal, from: state.context, copies: copies, &next, &order)
          if !isWithinLimit { break walk }
        }
      }
    }
    if !isWithinLimit {
      diagnostics.append(
        "portals that show themselves would make more than \(RecursionTable.copyLimit) copies; deeper levels are left out"
      )
    }
  }

  /// The portals in the subtree of `node`, as indices.
  public func portalRange(within node: Int32) -> Range<Int> {
    func firstPortal(at node: Int32) -> Int {
      var (low, high) = (0, portals.count)
      while low < high {
        let middle = (low + high) / 2
        if portals[middle].node < node { low = middle + 1 } else { high = middle }
      }
      return low
    }
    return firstPortal(at: node)..<firstPortal(at: nodes[Int(node)].end)
  }
}

extension Snapshot {
  /// The root of a content, and those of the masks in it and in these, in turn: every tree that is walked to draw it.
  public func trees(of root: Int32) -> [Int32] {
    if effects.isEmpty { return [root] }
    var roots = [root]
    var next = 0
    while next < roots.count {
      let (start, end) = (roots[next], nodes[Int(roots[next])].end)
      next += 1
      var (low, high) = (0, effects.count)
      while low < high {
        let middle = (low + high) / 2
        if effects[middle].node < start { low = middle + 1 } else { high = middle }
      }
      while low < effects.count, effects[low].node < end {
        if effects[low].mask >= 0 { roots.append(effects[low].mask) }
        low += 1
      }
    }
    return roots
  }

  /// The portals that drawing the content under `root` comes to, as ranges of indices.
  public func portalRanges(within root: Int32) -> [Range<Int>] { trees(of: root).map { portalRange(within: $0) } }
}

extension PortalRecursion {
  /// How many levels are drawn.
  var levels: Int {
    switch self {
    case .none, .previousFrame: 1
    case .depth(let levels): min(max(1, levels), RecursionTable.depthLimit)
    }
  }
}

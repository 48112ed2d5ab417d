import Geometry

/// Which sources show which: an edge from one to every source that a portal in its subtree shows. Its loops are where
/// `recursion` has a say.
struct SourceGraph {
  /// The groups of sources that reach each other, or themselves.
  private(set) var loops: [[Int32]] = []
  /// Index in `loops` by source node.
  private(set) var loopOfSource: [Int32: Int32] = [:]

  /// - Complexity: O(sources + portals in their subtrees).
  init(_ snapshot: Snapshot, sources: [Int32]) {
    var place: [Int32: Int] = [:]
    for (index, source) in sources.enumerated() { place[source] = index }
    let edges = sources.map { source -> [Int] in
      var seen = Set<Int32>()
      var targets: [Int] = []
      for index in snapshot.portalRanges(within: source).joined() {
        let target = snapshot.portals[index].source
        if target >= 0, seen.insert(target).inserted, let index = place[target] { targets.append(index) }
      }
      return targets
    }
    for component in Self.components(edges) {
      let isLoop = component.count > 1 || edges[component[0]].contains(component[0])
      guard isLoop else { continue }
      let members = component.sorted().map { sources[$0] }
      for member in members { loopOfSource[member] = Int32(loops.count) }
      loops.append(members)
    }
  }

  /// Strongly connected components by Tarjan's algorithm, with a stack of our own.
  private static func components(_ edges: [[Int]]) -> [[Int]] {
    var result: [[Int]] = []
    var number = [Int](repeating: -1, count: edges.count)
    var low = [Int](repeating: 0, count: edges.count)
    var isOnStack = [Bool](repeating: false, count: edges.count)
    var stack: [Int] = []
    var next = 0
    for start in edges.indices where number[start] < 0 {
      var calls: [(vertex: Int, edge: Int)] = [(start, 0)]
      while let (vertex, edge) = calls.last {
        if edge == 0 {
          number[vertex] = next
          low[vertex] = next
          next += 1
          stack.append(vertex)
          isOnStack[vertex] = true
        }
        if edge < edges[vertex].count {
          calls[calls.count - 1].edge += 1
          let target = edges[vertex][edge]
          if number[target] < 0 {
            calls.append((target, 0))
          } else if isOnStack[target] {
            low[vertex] = min(low[vertex], number[target])
          }
          continue
        }
        calls.removeLast()
        if let parent = calls.last { low[parent.vertex] = min(low[parent.vertex], low[vertex]) }
        if low[vertex] == number[vertex] {
          var component: [Int] = []
          while let member = stack.popLast() {
            isOnStack[member] = false
            component.append(member)
            if member == vertex { break }
          }
          result.append(component)
        }
      }
    }
    return result
  }
}

import Commit

/// What was in the commits that a server has not answered yet, by name; and what is to be said again since it refused
/// one. Values are not kept: the model has those that count by now.
struct CommitLedger {
  /// Properties of a layer.
  struct Told {
    var layer: LayerID
    var properties: LayerPropertySet
  }

  private struct Entry {
    /// Of the commits that it went out as, which are one but for very large ones.
    var first: UInt32
    var last: UInt32
    var told: [Told]
    /// Moves in the tree.
    var moves: [Change]
    var animations: [Change]
  }

  /// Oldest first; the server answers in order.
  private var entries: [Entry] = []
  /// The layers whose place the server may not know.
  private var misplaced: Set<LayerID> = []
  /// Those whose sublayers it may not know.
  private var parents: Set<LayerID> = []

  var isEmpty: Bool { entries.isEmpty }
  var needsRepair: Bool { !misplaced.isEmpty || !parents.isEmpty }

  /// - Parameter last: the serial of the last commit, where it took several.
  mutating func sent(_ serial: UInt32, upTo last: UInt32, told: [Told], structure: [Change], animations: [Change]) {
    let moves = structure.filter { change in
      switch change {
      case .insert, .removeFromParent: true
      case .create, .release, .set, .addAnimation, .removeAnimation: false
      }
    }
    entries.append(Entry(first: serial, last: last, told: told, moves: moves, animations: animations))
  }

  mutating func accepted(_ serial: UInt32) { entries.removeAll { $0.last == serial } }

  /// - Returns: The properties and animations to be told again.
  mutating func refused(_ serial: UInt32) -> (told: [Told], animations: [Change]) {
    guard let entry = entries.first(where: { serial &- $0.first <= $0.last &- $0.first }) else { return ([], []) }
    entries.removeAll { $0.last == serial }
    note(entry.moves)
    return (entry.told, entry.animations)
  }

  /// Takes the present places of layers in the place of moves that were noted one by one.
  mutating func note(_ moves: [Change]) {
    for move in moves {
      switch move {
      case .insert(let child, let parent, _):
        misplaced.insert(child)
        parents.insert(parent)
      case .removeFromParent(let child): misplaced.insert(child)
      case .create, .release, .set, .addAnimation, .removeAnimation: break
      }
    }
  }

  /// The moves that bring the server's tree to where the model's is, whatever part of what was said it has accepted:
  /// everything that may be misplaced leaves its parent, so that no cycle stands in the way, and then takes its place.
  mutating func takeRepair(_ layer: (LayerID) -> Layer?) -> [Change] {
    for id in misplaced {
      if let parent = layer(id)?.superlayer { parents.insert(parent.id) }
    }
    for id in parents {
      for child in layer(id)?.sublayers ?? [] { misplaced.insert(child.id) }
    }
    let sorted = misplaced.sorted { $0.rawValue < $1.rawValue }
    var changes: [Change] = sorted.filter { id in
      // A mask is taken out of the tree by being set.
      layer(id).map { $0.maskedLayer == nil } ?? false
    }.map { .removeFromParent($0) }
    for id in parents.sorted(by: { $0.rawValue < $1.rawValue }) {
      for child in layer(id)?.sublayers ?? [] { changes.append(.insert(child.id, into: id, at: .max)) }
    }
    misplaced = []
    parents = []
    return changes
  }
}

import Commit

/// Animations that were added and removed since the last commit, in order.
struct PendingAnimations {
  private(set) var changes: [Change] = []
  /// How many there are before those that have become pointless are dropped.
  private var limit = PendingAnimations.leastLimit

  private static let leastLimit = 4096

  private struct Name: Hashable {
    var layer: LayerID
    var key: String
  }

  var isEmpty: Bool { changes.isEmpty }

  mutating func append(_ change: Change) {
    changes.append(change)
    guard changes.count >= limit else { return }
    tidy { _ in true }
    limit = max(Self.leastLimit, changes.count * 2)
  }

  mutating func removeAll() {
    changes.removeAll(keepingCapacity: true)
    limit = Self.leastLimit
  }

  /// What a server has refused comes before all that was said since.
  mutating func prepend(_ refused: [Change]) { changes.insert(contentsOf: refused, at: 0) }

  /// Drops what something later takes the place of, and what is of layers that are gone.
  mutating func tidy(_ isAlive: (LayerID) -> Bool) {
    var named: Set<Name> = []
    var cleared: Set<LayerID> = []
    var kept: [Change] = []
    for change in changes.reversed() {
      switch change {
      case .addAnimation(let layer, let key, _), .removeAnimation(let layer, let key?):
        guard !cleared.contains(layer), isAlive(layer), named.insert(Name(layer: layer, key: key)).inserted else {
          continue
        }
      case .removeAnimation(let layer, nil): guard isAlive(layer), cleared.insert(layer).inserted else { continue }
      default: break
      }
      kept.append(change)
    }
    changes = kept.reversed()
  }
}

import Commit
import Geometry
import RenderTree

/// What the layers' properties are, kept beside the tree so that a trace can begin with a commit that makes all that is
/// there: the tree itself keeps what it draws by, not what it was told.
///
/// Known downside: every change is noted, recording or not; one look-up each.
final class TraceState {
  private struct Layer {
    var kind: LayerKind
    var parent: LayerID?
    /// Each property's last value, in the order in which they were first set.
    var properties: [PropertyChange] = []
    /// Let go of by its client, kept by portals.
    var isReleased = false

    mutating func set(_ property: PropertyChange) {
      let slot = property.slot
      for index in properties.indices where properties[index].slot == slot {
        properties[index] = property
        return
      }
      properties.append(property)
    }
  }

  private var layers: [LayerID: Layer] = [:]
  private var released: Set<LayerID> = []
  /// Called for what was applied.
  var whenApplied: (([Change]) -> Void)?

  /// Notes what the tree has just applied.
  func follow(_ changes: [Change], _ tree: RenderTree) {
    for change in changes {
      switch change {
      case .set(let layer, let property):
        layers[layer]?.set(property)
        // A mask leaves the parent that it had.
        if case .mask(let mask?) = property { layers[mask]?.parent = nil }
      case .create(let layer, let kind): layers[layer] = Layer(kind: kind)
      case .insert(let child, let parent, _): layers[child]?.parent = parent
      case .removeFromParent(let child): layers[child]?.parent = nil
      case .addAnimation, .removeAnimation: break
      case .release(let layer):
        layers[layer]?.parent = nil
        layers[layer]?.isReleased = true
        released.insert(layer)
      }
    }
    if !released.isEmpty {
      for layer in released where !tree.contains(layer) {
        layers[layer] = nil
        released.remove(layer)
      }
    }
    whenApplied?(changes)
  }

  /// A layer's bounds; zero for one that is not there. No snapshot is made for it, whatever tree the layer stands in.
  func bounds(of layer: LayerID) -> Rect {
    for case .bounds(let bounds) in layers[layer]?.properties ?? [] { return bounds }
    return .zero
  }

  /// A commit that makes everything in the tree, from nothing.
  func beginning(_ tree: RenderTree) -> [Change] {
    let all = layers.keys.filter(tree.contains).sorted { $0.rawValue < $1.rawValue }
    var (changes, links): ([Change], [Change]) = ([], [])
    for id in all {
      guard let layer = layers[id] else { continue }
      changes.append(.create(id, layer.kind))
      for property in layer.properties {
        switch property {
        case .sourceLayer(let other?), .mask(let other?):
          if tree.contains(other) { links.append(.set(id, property)) }
        case .sourceLayer(nil), .mask(nil): break
        default: changes.append(.set(id, property))
        }
      }
    }
    return changes + places(tree, all) + links + all.filter { layers[$0]?.isReleased == true }.map { .release($0) }
  }

  /// Sublayers in their order, which only a snapshot tells: one of a copy in which everything hangs below one layer, and
  /// lies at one height.
  private func places(_ tree: RenderTree, _ all: [LayerID]) -> [Change] {
    let top = LayerID(rawValue: 1)
    var changes: [Change] = [.create(top, .layer)]
    for layer in all {
      changes.append(.set(layer, .zPosition(0)))
      if layers[layer]?.kind == .portal { changes.append(.set(layer, .sourceLayer(nil))) }
      if layers[layer]?.kind == .replicator { changes.append(.set(layer, .replication(Replication()))) }
      if layers[layer]?.parent.map(tree.contains) != true { changes.append(.insert(layer, into: top, at: .max)) }
    }
    var copy = tree
    do { try copy.apply(Commit(changes)) } catch { return [] }
    let nodes = copy.snapshot(root: top, showsSecure: true).nodes
    return nodes.compactMap { node in
      guard node.parent >= 0, nodes[Int(node.parent)].layer != top else { return nil }
      return .insert(node.layer, into: nodes[Int(node.parent)].layer, at: .max)
    }
  }
}

extension PropertyChange {
  /// Equal for two changes of one property, and for no others.
  fileprivate var slot: UInt8 {
    switch self {
    case .bounds: 0
    case .position: 1
    case .zPosition: 2
    case .anchorPoint: 3
    case .anchorPointZ: 4
    case .transform: 5
    case .sublayerTransform: 6
    case .isDoubleSided: 7
    case .isHidden: 8
    case .opacity: 9
    case .allowsGroupOpacity: 10
    case .masksToBounds: 11
    case .backgroundColor: 12
    case .cornerRadius: 13
    case .maskedCorners: 14
    case .borderWidth: 15
    case .borderColor: 16
    case .contents: 17
    case .contentsRect: 18
    case .contentsGravity: 19
    case .contentsScale: 20
    case .magnificationFilter: 21
    case .gradient: 22
    case .filters: 23
    case .mask: 24
    case .allowsHitTesting: 25
    case .sourceLayer: 26
    case .hidesSourceLayer: 27
    case .hidesSourceLayerInOtherPortals: 28
    case .matchesPosition: 29
    case .matchesTransform: 30
    case .matchesOpacity: 31
    case .sourceLayerOpacityScale: 32
    case .sourceRect: 33
    case .recursion: 34
    case .sampling: 35
    case .sourceLifetime: 36
    case .forwardsHitTestingToSource: 37
    case .shadow: 38
    case .blendMode: 39
    case .lens: 40
    case .sortsSublayersByDepth: 41
    case .backdropFilters: 42
    case .backdropGroup: 43
    case .allowsBackdropGroups: 44
    case .name: 60
    case .snapsToPixels: 61
    case .allowsEdgeAntialiasing: 62
    case .edgeAntialiasingMask: 63
    case .isSecure: 64
    case .contentsCenter: 65
    case .minificationFilter: 66
    case .replication: 67
    case .overrides: 68
    }
  }
}

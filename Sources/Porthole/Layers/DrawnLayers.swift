import Commit
import Geometry

/// The layers of a context that make their own contents, and what its tree has been told of them.
struct DrawnLayers {
  fileprivate struct Told {
    var image: Image?
    var frame: Rect?
  }

  /// What is told of a layer, once the tree has taken it.
  struct Update {
    var layer: LayerID
    var changes: [PropertyChange]
    fileprivate var told: Told
  }

  private var told: [LayerID: Told] = [:]
  private var layers: Set<LayerID> = []
  /// The trees that the context's renderers show, by who shows them.
  private(set) var showings: [ObjectIdentifier: Showing] = [:]
  private var hasNewShowings = false
  /// Something is drawn whole only for as long as it moves.
  private var isWaiting = false

  var isEmpty: Bool { layers.isEmpty }

  mutating func insert(_ layer: LayerID) { layers.insert(layer) }

  mutating func remove(_ layer: LayerID) {
    guard layers.remove(layer) != nil else { return }
    told[layer] = nil
  }

  /// The layer lives no more.
  mutating func forget(_ layer: LayerID) {
    remove(layer)
    for (viewer, showing) in showings where showing.root == layer { showings[viewer] = nil }
  }

  /// The tree may not have what it was told.
  mutating func doubt(_ layer: LayerID) { told[layer] = nil }

  mutating func show(_ showing: Showing?, for viewer: ObjectIdentifier) {
    guard showings[viewer] != showing else { return }
    showings[viewer] = showing
    hasNewShowings = true
  }

  /// Draws what is to be drawn at another scale or for the first time.
  /// - Parameter isChanged: something changed in the layers or their animations since the last time.
  mutating func update(_ isChanged: Bool, _ portals: [PortalLayer], _ layer: (LayerID) -> Layer?) -> [Update] {
    guard !layers.isEmpty, isChanged || hasNewShowings || isWaiting else { return [] }
    hasNewShowings = false
    isWaiting = false
    var scale = ShownScale(Array(showings.values), portals: portals)
    var updates: [Update] = []
    for id in layers.sorted(by: { $0.rawValue < $1.rawValue }) {
      guard let layer = layer(id), let drawing = layer.drawing else { continue }
      let shown = scale(layer)
      // What nothing shows keeps what it has, for when it comes back.
      guard shown > 0 else { continue }
      let raster = drawing.raster(of: layer, scale: shown) {
        switch scale.visiblePart(of: layer) {
        case .all: return nil
        case .moving:
          isWaiting = true
          return nil
        case .part(let part): return part
        }
      }
      let new = Told(image: raster?.image, frame: raster?.image == nil ? nil : raster?.frame)
      var changes: [PropertyChange] = []
      let old = told[id]
      if old == nil || old?.image !== new.image { changes.append(.contents(new.image)) }
      if old == nil || old?.frame != new.frame { changes.append(.contentsFrame(new.frame)) }
      if !changes.isEmpty { updates.append(Update(layer: id, changes: changes, told: new)) }
    }
    return updates
  }

  mutating func accepted(_ updates: [Update]) {
    for update in updates { told[update.layer] = update.told }
  }

  mutating func removeAll() { self = DrawnLayers() }
}

import Commit
import Geometry
import RenderTree

extension RenderTree {
  /// Makes of a copied tree one that shows `layer` alone, and gives its root: a window that holds the layer's whole tree
  /// out of sight, so that its portals find their sources where they are, and a portal of the layer.
  mutating func isolate(_ layer: Layer) throws(OffscreenError) -> LayerID {
    let (window, curtain, view) = (Layer(), PortalLayer(), PortalLayer())
    let bounds = Rect(origin: .zero, size: layer.bounds.standardized.size)
    // A portal of no size that hides the tree: hidden so, unlike by `isHidden`, the tree's portals go on counting.
    curtain.hidesSourceLayer = true
    curtain.masksToBounds = true
    curtain.sourceLayer = layer.topLayer
    view.anchorPoint = .zero
    view.bounds = bounds
    view.masksToBounds = true
    view.sourceLayer = layer
    window.anchorPoint = .zero
    window.bounds = bounds
    var commit = Commit()
    for layer in [window, curtain, view] {
      commit.changes.append(.create(layer.id, layer.kind))
      for property in layer.modified {
        if let change = layer.change(property) { commit.changes.append(.set(layer.id, change)) }
      }
    }
    for child in [layer.topLayer, curtain, view] {
      commit.changes.append(.insert(child.id, into: window.id, at: .max))
    }
    do {
      try apply(commit)
    } catch {
      throw OffscreenError(error, label: layer.label)
    }
    return window.id
  }
}

import Commit
import Geometry
import RenderTree

extension ClientTree {
  /// What shows a layer alone, with its sublayers, as a portal of it does: its bounds fill the picture, and its own
  /// position, transform and opacity don't count. Nil for a layer that is no more.
  func lone(_ layer: LayerID) -> (snapshot: Snapshot, size: Size)? {
    var copy = tree
    guard copy.contains(layer), let bounds = copy.snapshot(root: layer).nodes.first?.bounds else { return nil }
    let top = clients[layer.client]?.nesting.acceptedTop(of: layer) ?? layer
    let own = ClientNumber(rawValue: 0)
    let (window, curtain, view) = (own.layer(1), own.layer(2), own.layer(3))
    let frame = Rect(origin: .zero, size: bounds.size)
    var changes: [Change] = [
      .create(window, .layer), .create(curtain, .portal), .create(view, .portal),
      // A portal of no size that hides the tree: hidden so, unlike by `isHidden`, the tree's portals go on counting.
      .set(curtain, .hidesSourceLayer(true)), .set(curtain, .masksToBounds(true)),
      .set(curtain, .sourceLayer(top)),
      .set(view, .masksToBounds(true)), .set(view, .sourceLayer(layer)),
    ]
    for layer in [window, view] {
      changes += [.set(layer, .anchorPoint(.zero)), .set(layer, .bounds(frame))]
    }
    changes += [top, curtain, view].map { .insert($0, into: window, at: .max) }
    do { try copy.apply(Commit(changes)) } catch { return nil }
    return (copy.snapshot(root: window), bounds.size)
  }
}

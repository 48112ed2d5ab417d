import Commit
import Geometry
import RenderTree

// From one layer's space to another's, through whatever transforms stand between. Where a layer lies is the render tree's to
// say, so it is asked: with no more in it than the two layers and those that they stand in.

extension Layer {
  /// The point in the space of `layer`, by the layers' own values; nil for `layer` is the space around the top of the tree.
  /// Nil where one of the two is seen edge on, or the point lies behind the eye.
  public final func convert(_ point: Point, to layer: Layer?) -> Point? {
    Self.map(from: self, to: layer)?.apply(point)
  }

  /// The reverse of `convert(_:to:)`.
  public final func convert(_ point: Point, from layer: Layer?) -> Point? {
    Self.map(from: layer, to: self)?.apply(point)
  }

  /// The smallest rectangle around what becomes of `rect` in the space of `layer`.
  public final func convert(_ rect: Rect, to layer: Layer?) -> Rect? {
    Self.map(from: self, to: layer).flatMap { $0.image(of: rect) }
  }

  public final func convert(_ rect: Rect, from layer: Layer?) -> Rect? {
    Self.map(from: layer, to: self).flatMap { $0.image(of: rect) }
  }

  private static func map(from: Layer?, to: Layer?) -> Homography? {
    var tree = RenderTree()
    var known: Set<LayerID> = []
    var changes: [Change] = []
    for layer in [from, to] {
      var next = layer
      while let layer = next, known.insert(layer.id).inserted {
        changes.append(.create(layer.id, layer.kind == .transform ? .transform : .layer))
        changes += [
          .bounds(layer.bounds), .position(layer.position), .zPosition(layer.zPosition),
          .anchorPoint(layer.anchorPoint), .anchorPointZ(layer.anchorPointZ), .transform(layer.transform),
          .sublayerTransform(layer.sublayerTransform), .sortsSublayersByDepth(false),
        ].map { .set(layer.id, $0) }
        next = layer.container
      }
    }
    for layer in [from, to] {
      var next = layer
      while let layer = next, let container = layer.container {
        // The same again for what both stand in changes nothing.
        changes.append(.insert(layer.id, into: container.id, at: .max))
        next = container
      }
    }
    // A value that is no number has no place.
    guard (try? tree.apply(Commit(changes))) != nil else { return nil }
    return tree.map(from: from, to: to)
  }
}

extension RenderTree {
  /// From one layer's space to another's, as they are shown; nil stands for the space around their tree.
  mutating func map(from: Layer?, to: Layer?) -> Homography? {
    guard let start = placement(of: from), let end = placement(of: to)?.inverse else { return nil }
    return start * end
  }

  private mutating func placement(of layer: Layer?) -> Homography? {
    guard let layer else { return .identity }
    let snapshot = snapshot(root: layer.topLayer.id)
    return snapshot.index(of: layer.id).map { snapshot.nodes[Int($0)].window }
  }
}

extension Homography {
  /// Around what of the rectangle is in view; nil for nothing.
  fileprivate func image(of rect: Rect) -> Rect? {
    let box = boundingBox(of: rect.standardized)
    return box.isFinite ? box : nil
  }
}

extension OffscreenRenderer {
  /// `Layer.convert(_:to:)` by what the last frame showed; nil for layers that it did not know.
  public func convert(_ point: Point, from: Layer, to: Layer?) -> Point? {
    context.map(from: from, to: to)?.apply(point)
  }

  public func convert(_ rect: Rect, from: Layer, to: Layer?) -> Rect? {
    context.map(from: from, to: to).flatMap { $0.image(of: rect) }
  }
}

extension LayerContext {
  fileprivate func map(from: Layer, to: Layer?) -> Homography? {
    // Of a copy, so that the frame's own snapshot stays.
    var tree = tree
    return tree.map(from: from, to: to)
  }
}

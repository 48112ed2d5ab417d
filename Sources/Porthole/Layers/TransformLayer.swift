import Commit

/// A layer whose sublayers share one space with its siblings (`CATransformLayer`): turned in it, they are drawn by depth
/// and cut each other where they cross.
///
/// It draws nothing itself. Of its own, geometry, `isHidden` and `opacity` count, which goes to each layer in it; background,
/// border, contents, clip, mask, filters, shadow and blend mode don't.
public final class TransformLayer: Layer {
  override var kind: LayerKind { .transform }
}

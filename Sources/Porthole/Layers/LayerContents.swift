import Commit
import Geometry

// A layer's picture, and what is done to it. Computed over `Layer.values`; see `LayerAppearance.swift`.

extension Layer {
  /// A picture drawn above the background. A portal shows its source in its place.
  public final var contents: Image? {
    get { values.contents }
    set {
      guard newValue !== values.contents else { return }
      values.contents = newValue
      note(.contents)
    }
  }

  /// The part of the picture that is shown, in fractions of it.
  public final var contentsRect: Rect {
    get { values.contentsRect }
    set { if changes(&values.contentsRect, to: newValue) { note(.contentsRect) } }
  }

  /// The middle of that part, in fractions of it: where the picture is resized, the middle alone is stretched, and what lies
  /// around keeps its size, of `contentsScale` pixels in a point.
  public final var contentsCenter: Rect {
    get { values.contentsCenter }
    set { if changes(&values.contentsCenter, to: newValue) { note(.contentsCenter) } }
  }

  /// Where the picture lies in the bounds.
  public final var contentsGravity: ContentsGravity {
    get { values.contentsGravity }
    set { if changes(&values.contentsGravity, to: newValue) { note(.contentsGravity) } }
  }

  /// Pixels of the picture in a point, for the gravities that don't resize.
  public final var contentsScale: Double {
    get { values.contentsScale }
    set { if changes(&values.contentsScale, to: newValue) { note(.contentsScale) } }
  }

  public final var magnificationFilter: MagnificationFilter {
    get { values.magnificationFilter }
    set { if changes(&values.magnificationFilter, to: newValue) { note(.magnificationFilter) } }
  }

  public final var minificationFilter: MinificationFilter {
    get { values.minificationFilter }
    set { if changes(&values.minificationFilter, to: newValue) { note(.minificationFilter) } }
  }

  // MARK: Effects

  /// What lies below the layer and its sublayers; nil for nothing.
  public final var shadow: Shadow? {
    get { values.shadow }
    set { if changes(&values.shadow, to: newValue) { note(.shadow) } }
  }

  /// What is done, in order, to the layer with its sublayers and border as one picture; before its opacity.
  public final var filters: [Filter] {
    get { values.filters }
    set {
      let old = values.filters
      guard changes(&values.filters, to: newValue) else { return }
      note(.filters)
      act(on: .filters, from: old, to: newValue)
    }
  }

  /// How the finished picture meets what lies behind it in the group that the layer stands in (`compositingFilter`).
  public final var blendMode: BlendMode {
    get { values.blendMode }
    set { if changes(&values.blendMode, to: newValue) { note(.blendMode) } }
  }

  /// Glass: before the layer's filters, for a lens of its content; for one of what lies behind, in a `BackdropLayer` alone.
  public final var lens: Lens? {
    get { values.lens }
    set { if changes(&values.lens, to: newValue) { note(.lens) } }
  }
}

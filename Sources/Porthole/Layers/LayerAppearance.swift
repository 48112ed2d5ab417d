import Commit
import Geometry

// How a layer looks. Computed over `Layer.values`: an initialiser that an application adds in an extension stores into what is stored, past every
// observer; what it sets here is noted like anything else.

extension Layer {
  /// Hides the layer and its sublayers, in their place and in every portal of the layer.
  public final var isHidden: Bool {
    get { values.isHidden }
    set { if changes(&values.isHidden, to: newValue) { note(.isHidden) } }
  }

  /// From 0 to 1, of the layer and its sublayers as one picture.
  public final var opacity: Float {
    get { values.opacity }
    set { if changes(&values.opacity, to: newValue) { note(.opacity) } }
  }

  /// Off: `opacity` is multiplied into the drawing of each layer, so that overlapping ones show through each other.
  public final var allowsGroupOpacity: Bool {
    get { values.allowsGroupOpacity }
    set { if changes(&values.allowsGroupOpacity, to: newValue) { note(.allowsGroupOpacity) } }
  }

  /// Clips contents and sublayers to the bounds with their rounded corners.
  public final var masksToBounds: Bool {
    get { values.masksToBounds }
    set { if changes(&values.masksToBounds, to: newValue) { note(.masksToBounds) } }
  }

  public final var backgroundColor: Color {
    get { values.backgroundColor }
    set { if changes(&values.backgroundColor, to: newValue) { note(.backgroundColor) } }
  }

  /// In points. Rounds background, gradient and border, and with `masksToBounds` everything.
  public final var cornerRadius: Double {
    get { values.cornerRadius }
    set { if changes(&values.cornerRadius, to: newValue) { note(.cornerRadius) } }
  }

  /// Seen upright, the layer is moved and stretched by less than a pixel, with all that it shows, so that its edges lie on the
  /// grid of pixels.
  public final var snapsToPixels: Bool {
    get { values.snapsToPixels }
    set { if changes(&values.snapsToPixels, to: newValue) { note(.snapsToPixels) } }
  }

  /// Off, none of the layer's edges are antialiased; see `edgeAntialiasingMask`.
  public final var allowsEdgeAntialiasing: Bool {
    get { values.allowsEdgeAntialiasing }
    set { if changes(&values.allowsEdgeAntialiasing, to: newValue) { note(.allowsEdgeAntialiasing) } }
  }

  /// Which edges of background, gradient, contents and border are antialiased; at the others a pixel is the layer's where its
  /// centre is. Round corners are antialiased always, and so are their edges.
  public final var edgeAntialiasingMask: EdgeMask {
    get { values.edgeAntialiasingMask }
    set { if changes(&values.edgeAntialiasingMask, to: newValue) { note(.edgeAntialiasingMask) } }
  }

  /// Only secure outputs show the layer and its sublayers; elsewhere a grey placeholder of its shape stands for them.
  public final var isSecure: Bool {
    get { values.isSecure }
    set { if changes(&values.isSecure, to: newValue) { note(.isSecure) } }
  }

  /// Which corners `cornerRadius` rounds.
  public final var maskedCorners: CornerMask {
    get { values.maskedCorners }
    set { if changes(&values.maskedCorners, to: newValue) { note(.maskedCorners) } }
  }

  /// In points; the border lies inside the bounds and above the sublayers.
  public final var borderWidth: Double {
    get { values.borderWidth }
    set { if changes(&values.borderWidth, to: newValue) { note(.borderWidth) } }
  }

  public final var borderColor: Color {
    get { values.borderColor }
    set { if changes(&values.borderColor, to: newValue) { note(.borderColor) } }
  }
}

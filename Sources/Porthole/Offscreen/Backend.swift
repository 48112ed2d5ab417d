/// Who draws the pixels.
public enum Backend: String, Sendable, CaseIterable {
  /// OpenGL ES 3, on a GPU or Mesa's software renderer.
  case gl
  /// The CPU renderer that the tests compare with: slow, and needs no display.
  case reference
}

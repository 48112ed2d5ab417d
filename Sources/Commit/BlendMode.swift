/// How a layer's picture meets what lies behind it (`compositingFilter`), as the modes of CSS and PDF of these names do:
/// on sRGB-encoded values, and only where something lies behind.
public enum BlendMode: String, Sendable, CaseIterable {
  case normal
  // Each component by itself.
  case multiply, screen, overlay, darken, lighten, colorDodge, colorBurn, hardLight, softLight, difference, exclusion
  // The colour as a whole.
  case hue, saturation, color, luminosity
  /// The sum of both pictures, as far as white.
  case plusLighter
  /// What is left of white where both pictures take theirs away, at least nothing.
  case plusDarker
}

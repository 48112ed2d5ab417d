/// What a file says of its colours.
package enum FileColors: Hashable {
  /// That they are sRGB's, or nothing.
  case sRGB
  /// An ICC profile.
  case profile([UInt8])
  /// A power of light, as 0.45455, and where white, red, green and blue lie (x and y of each); nil for sRGB's.
  case primaries(gamma: Double?, chromaticities: [Double]?)
}

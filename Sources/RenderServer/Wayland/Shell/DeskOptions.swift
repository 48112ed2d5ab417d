import Geometry

/// What programs that know nothing of portals are shown on.
public struct DeskOptions: Sendable, Hashable {
  /// How windows are placed.
  public enum Layout: String, Sendable, Hashable, CaseIterable {
    /// Nowhere: windows are there to be shown by portals alone.
    case none
    /// As large as they like, each a little further down and to the right.
    case cascade
    /// Side by side, all of the desk used.
    case tile
    /// Each as large as the desk; the last one on top.
    case full
  }

  public var layout: Layout
  public var size = PixelSize(width: 1280, height: 720)
  /// Frames in 1000 seconds.
  public var rate: UInt32 = 60_000

  /// For wlcs 1.5, which attaches buffers to windows before it acknowledges a configure.
  package var toleratesEarlyBuffers = false

  public init(layout: Layout) { self.layout = layout }

  /// Reads `WIDTHxHEIGHT` or `WIDTHxHEIGHT@RATE`, such as `1280x720@60`.
  mutating func readMode(_ text: String) throws(OptionError) {
    let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
    let sides = (parts.first ?? "").split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], (1...16384).contains(width),
      (1...16384).contains(height)
    else { throw OptionError("--desk is WIDTHxHEIGHT or WIDTHxHEIGHT@RATE, such as 1280x720@60, not “\(text)”") }
    size = PixelSize(width: width, height: height)
    guard parts.count == 2 else { return }
    guard let rate = Double(parts[1]), rate > 0, rate <= 1000 else {
      throw OptionError("a rate is a number of frames a second, more than 0 and at most 1000, not “\(parts[1])”")
    }
    self.rate = UInt32(max(1, (rate * 1000).rounded()))
  }
}

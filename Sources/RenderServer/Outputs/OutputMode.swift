import Geometry
import WaylandProtocol

/// How large an output is and how often it is drawn.
struct OutputMode: Hashable {
  var size: PixelSize
  /// Pixels per point.
  var scale: Double
  /// Nanoseconds from frame to frame; 0 for an output on demand.
  var period: UInt64

  /// What a frame takes.
  var bytes: UInt64 { UInt64(clamping: size.area) * 4 }

  init(size: PixelSize, scale: Double, period: UInt64) { (self.size, self.scale, self.period) = (size, scale, period) }

  /// Reads the arguments of `create_output` and `set_mode`.
  init(
    _ session: ClientSession, width: UInt32, height: UInt32, scale: RawSpan, rate: UInt32
  ) throws(ProtocolViolation) {
    let longest = UInt64(max(width, height))
    guard width > 0, height > 0 else { throw session.violation(.badMode, "an output has at least one pixel") }
    let limit = min(session.member.account.limits[.outputSide], UInt64(clamping: session.server.stage.longestSide))
    guard longest <= limit else { throw session.violation(LimitViolation(kind: .outputSide, limit: limit)) }
    guard rate <= 1_000_000 else { throw session.violation(.badMode, "a rate is at most 1000000") }
    size = PixelSize(width: Int(width), height: Int(height))
    self.scale = try Self.scale(session, scale)
    let highest = max(1, session.server.options.highestRate)
    period = rate == 0 ? 0 : 1_000_000_000_000 / UInt64(min(rate, highest))
  }

  /// Reads a scale: pixels per point, more than 0, at most 64.
  static func scale(_ session: ClientSession, _ array: RawSpan) throws(ProtocolViolation) -> Double {
    let scale = try session.doubles(array, 1, "a scale")[0]
    guard scale > 0, scale <= 64 else { throw session.violation(.badArray, "a scale is more than 0 and at most 64") }
    return scale
  }
}

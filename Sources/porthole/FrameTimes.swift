/// Which frames of a scene are drawn: one, or many at a rate.
struct FrameTimes {
  /// In seconds of the scene's time, rising.
  var times: [Double]
  /// Frames a second; nil for a single picture.
  var rate: Double?

  private static let mostFrames = 100_000

  /// Of `--at`, or `--frames` and `--fps`.
  init(_ arguments: Arguments) throws(UsageError) {
    guard let range = arguments[.frames] else {
      if arguments.has(.fps) { throw UsageError("--fps goes along with --frames") }
      times = [try arguments[.at].map { (text) throws(UsageError) in try Self.time(text, "--at") } ?? 0]
      return
    }
    if arguments.has(.at) { throw UsageError("--at and --frames don't go together") }
    let parts = range.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2 else { throw UsageError("--frames is FROM:TO, such as 0:3s, not “\(range)”") }
    let start = try Self.time(String(parts[0]), "--frames")
    let end = try Self.time(String(parts[1]), "--frames")
    let text = arguments[.fps] ?? "60"
    guard let rate = Double(text), rate > 0, rate <= 1000 else {
      throw UsageError("--fps is a number above 0, at most 1000, not “\(text)”")
    }
    guard end > start else { throw UsageError("--frames ends before it begins") }
    // The end itself is none of them: three seconds at 60 are 180 frames.
    let count = ((end - start) * rate - 1e-9).rounded(.up)
    guard count <= Double(Self.mostFrames) else {
      throw UsageError("that would be more than \(Self.mostFrames) frames")
    }
    times = (0..<max(1, Int(count))).map { start + Double($0) / rate }
    self.rate = rate
  }

  /// Seconds, as `1.5s`, `1.5` or `1500ms`.
  private static func time(_ text: String, _ option: String) throws(UsageError) -> Double {
    let isMilliseconds = text.hasSuffix("ms")
    let digits = isMilliseconds ? text.dropLast(2) : text.hasSuffix("s") ? text.dropLast() : text[...]
    guard let value = Double(digits), value >= 0, value <= 1e6 else {
      throw UsageError("\(option) takes seconds from 0 on, as 1.5s or 500ms, not “\(text)”")
    }
    return isMilliseconds ? value / 1000 : value
  }
}

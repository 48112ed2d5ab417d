/// Where a film's frames go: a file each, by a number in its name, one animated PNG, or a video.
public struct FilmForm: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case numbered, animated
    case video(VideoCoding)
  }

  public let name: String
  public let kind: Kind
  /// What of the name stands before and after the number, and its least digits; for one file, the name alone.
  private let before: String
  private let digits: Int
  private let after: String

  /// - Throws: `unsupported` for a name that says nothing of the kind.
  public init(_ name: String) throws(MediaError) {
    self.name = name
    guard let percent = name.firstIndex(of: "%") else {
      (before, digits, after) = (name, 0, "")
      if name.hasSuffix(".png") || name.hasSuffix(".apng") {
        kind = .animated
      } else if let coding = VideoCoding(path: name) {
        kind = .video(coding)
      } else {
        throw MediaError(
          .unsupported, name,
          "frames go to files such as dir/%04d.png, to one animated .png, .apng or .webp, or to a video: .mp4, .webm "
            + "or .mkv")
      }
      return
    }
    kind = .numbered
    let rest = name[name.index(after: percent)...]
    let width = rest.prefix { $0.isNumber }
    let tail = rest.dropFirst(width.count)
    guard tail.first == "d", width.isEmpty || Int(width).map({ $0 <= 12 }) == true, !tail.contains("%") else {
      throw MediaError(.unsupported, name, "a name of frames has one number, as in dir/%04d.png")
    }
    (before, digits, after) = (String(name[..<percent]), Int(width) ?? 1, String(tail.dropFirst()))
  }

  /// Of the frame of that number, from 0.
  public func path(_ number: Int) -> String {
    guard kind == .numbered else { return name }
    let text = String(number)
    return before + String(repeating: "0", count: max(0, digits - text.count)) + text + after
  }
}

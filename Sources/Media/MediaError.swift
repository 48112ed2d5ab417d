import CFFmpeg

/// Why a video could not be read or written.
public struct MediaError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// The file or device can't be opened or read.
    case unreadable
    /// It holds no pictures that move, or in a coding that nobody here knows.
    case unsupported
    /// The file ends too early.
    case truncated
    /// The contents contradict themselves; what comes after may still be whole.
    case damaged
    /// A frame has another size than the video.
    case wrongSize
    case unwritable
  }

  public var code: Code
  public var path: String
  /// What is wrong, and what to try.
  public var reason: String

  public var description: String { "\(path): \(reason)" }

  init(_ code: Code, _ path: String, _ reason: String) {
    self.code = code
    self.path = path
    self.reason = reason
  }

  /// FFmpeg's own words for one of its errors.
  static func words(_ error: Int32) -> String {
    var text = [CChar](repeating: 0, count: 128)
    av_strerror(error, &text, text.count)
    return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
  }
}

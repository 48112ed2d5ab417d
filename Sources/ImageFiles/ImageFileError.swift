/// Why a picture could not be read from a file, or written to one.
public struct ImageFileError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// The file can't be opened or read.
    case unreadable
    /// No format that is read, or not the one that was asked for.
    case wrongFormat
    /// The format has it, and it is not read: an animation, for one.
    case unsupported
    /// The file ends too early.
    case truncated
    /// More pixels than `ImageFile.pixelLimit`.
    case tooLarge
    /// The file's contents contradict themselves.
    case damaged
    case unwritable
  }

  public var code: Code
  public var path: String
  /// What is wrong, and with what.
  public var reason: String

  public var description: String { "\(path): \(reason)" }

  static func tooLarge(
    _ path: String, width: Int, height: Int, _ verb: String = "read", limit: Int = ImageFile.pixelLimit
  ) -> ImageFileError {
    ImageFileError(
      code: .tooLarge, path: path,
      reason: "the picture has \(width) × \(height) pixels; at most \(limit >> 20) Mi are \(verb)")
  }
}

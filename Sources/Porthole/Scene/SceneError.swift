/// What is wrong with a scene: the file, the place in it, and what was expected there.
public struct SceneError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    case unreadable, invalidJSON
    case wrongType, outOfRange, unknownKey, missing, duplicate, unknownReference
    /// An image file or inline image that can't be used.
    case badImage
    case tooDeep
  }

  public var code: Code
  public var file: String
  /// As in `root.sublayers[3].cornerRadius`; empty for the whole file.
  public var path: String
  /// What was expected, or what is wrong.
  public var message: String

  public var description: String { path.isEmpty ? "\(file): \(message)" : "\(file): \(path): \(message)" }
}

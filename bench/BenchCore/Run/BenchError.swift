/// Why the benchmark could not do its work. `description` is a sentence for the person at the terminal.
public struct BenchError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// No renderer, or it failed.
    case renderer
    /// The process that measured was lost: never green.
    case crashed
    /// A scene file is missing or wrong.
    case scene
    /// A report cannot be made or written.
    case report
    /// This machine can't give what was asked for.
    case environment
    /// There is no baseline, or it is too old.
    case baseline
    /// The command line is wrong.
    case usage
  }

  public var code: Code
  public var description: String

  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.description = sentence
  }
}

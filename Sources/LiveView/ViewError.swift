/// Why there is no view.
public struct ViewError: Error, Sendable, CustomStringConvertible {
  public let description: String

  init(_ sentence: String) { description = sentence }
}

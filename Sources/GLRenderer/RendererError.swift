import GLES

/// What kept a renderer from being made, or a frame from being drawn.
public struct RendererError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// A shader variant that the driver refuses, or that is missing.
    case shader
    /// The plan contradicts itself: a bug of whoever made it.
    case invalidPlan
    /// GL raised an error. The output is not to be shown.
    case gl
    /// The device could not give what was needed: memory, as a rule.
    case device
    /// There is no output yet.
    case noOutput
  }

  public let code: Code
  /// A sentence: what happened, in which pass or variant, and what to try.
  public let description: String

  init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: DeviceError) { self.init(error.code == .program ? .shader : .device, error.description) }
}

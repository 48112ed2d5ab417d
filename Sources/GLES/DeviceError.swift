/// What kept a device, or a thing on it, from being made.
public struct DeviceError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// The text of the choice, from an argument or `PORTHOLE_DISPLAY`, names no kind of display.
    case unknownDisplay
    /// No display of the kinds asked for gave a context.
    case noDisplay
    /// A shader was refused, or two don't fit together.
    case program
    /// The driver has no memory left.
    case outOfMemory
    /// Larger than the driver allows, or of no size.
    case invalidSize
    /// A texture that can't be drawn into.
    case incompleteFramebuffer
    /// The GPU was reset, or the device shut down.
    case lost
    /// The display can't do it at all.
    case unsupported
    /// The driver refuses this one.
    case failed
  }

  public let code: Code
  /// A sentence: what happened and what to try.
  public let description: String
  /// The displays that were tried, in order.
  public let attempts: [DisplayAttempt]

  package init(_ code: Code, _ description: String, attempts: [DisplayAttempt] = []) {
    self.code = code
    self.description = description
    self.attempts = attempts
  }

  static func unknownDisplay(_ text: String) -> DeviceError {
    DeviceError(
      .unknownDisplay,
      "'\(text)' is no kind of display; set PORTHOLE_DISPLAY to automatic, gbm, device or surfaceless, or unset it")
  }

  static func noDisplay(_ choice: DisplayChoice, attempts: [DisplayAttempt]) -> DeviceError {
    let tried = attempts.map { "\n  \($0)" }.joined()
    let other = choice == .automatic ? "" : " Another kind may do: set PORTHOLE_DISPLAY=automatic, or unset it."
    return DeviceError(
      .noDisplay,
      "no \(choice == .automatic ? "" : "\(choice) ")display gave an OpenGL ES 3 context. Tried:\(tried)\n"
        + "Install libegl1, libgles2, libgbm1 and libgl1-mesa-dri (Mesa's software renderer needs no GPU).\(other)",
      attempts: attempts)
  }
}

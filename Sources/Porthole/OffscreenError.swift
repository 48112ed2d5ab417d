import Commit
import GLES
import GLRenderer
import LinuxIO

/// Why a renderer could not be made, or a frame not be drawn.
public struct OffscreenError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// No display gave a GL context; `attempts` says which were tried and why each was refused.
    case noDisplay
    /// The GPU is gone, and a new device on it too.
    case deviceLost
    /// A size or scale that nothing can be drawn at.
    case invalidSize
    /// A layer's property holds what it can't. The last frame stays; set it right and the next frame shows everything.
    case invalidLayer
    /// The renderer was closed.
    case closed
    /// The driver, or the system, could not do what was needed.
    case failed
  }

  public let code: Code
  /// A sentence: what happened and what to try.
  public let description: String
  /// The displays that were tried, in order.
  public let attempts: [DisplayAttempt]

  init(_ code: Code, _ description: String, attempts: [DisplayAttempt] = []) {
    self.code = code
    self.description = description
    self.attempts = attempts
  }

  init(_ error: DeviceError) {
    let code: Code =
      switch error.code {
      case .noDisplay, .unknownDisplay: .noDisplay
      case .lost: .deviceLost
      default: .failed
      }
    self.init(code, error.description, attempts: error.attempts)
  }

  init(_ error: RendererError) { self.init(.failed, error.description) }

  init(_ error: ThreadError) { self.init(.failed, error.description) }

  /// - Parameter label: what the application calls the layer.
  init(_ error: CommitError, label: String) {
    self.init(.invalidLayer, "the frame was refused because of \(label): \(error.description)")
  }
}

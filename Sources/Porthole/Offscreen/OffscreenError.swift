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
    /// There is no render server to connect to, or it lacks what is needed.
    case noServer
    /// The connection to the render server is gone. The layers can be shown by a new one.
    case connectionLost
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
  /// For `invalidLayer`: the layer at fault, and its property by name, where the fault lies in one.
  public let layer: LayerID?
  public let property: String?

  init(
    _ code: Code, _ description: String, attempts: [DisplayAttempt] = [], layer: LayerID? = nil, property: String? = nil
  ) {
    self.code = code
    self.description = description
    self.attempts = attempts
    self.layer = layer
    self.property = property
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
    self.init(
      .invalidLayer, "the frame was refused because of \(label): \(error.description)", layer: error.layer,
      property: error.property)
  }
}

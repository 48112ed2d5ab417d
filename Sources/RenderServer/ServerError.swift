import GLES
import GLRenderer
import LinuxIO

/// Why a server can't start or go on.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// Another server has the socket.
    case inUse
    /// The socket can't be made, or a system call failed.
    case system
    /// No display gave a device.
    case noDevice
  }

  public var code: Code
  public var description: String

  public init(_ code: Code, _ sentence: String) {
    self.code = code
    self.description = sentence
  }

  init(_ error: SystemCallError) { self.init(.system, error.description) }

  init(_ error: ThreadError) { self.init(.system, error.description) }

  init(_ error: DeviceError) { self.init(.noDevice, "\(error)") }

  init(_ error: RendererError) { self.init(.noDevice, "\(error)") }
}

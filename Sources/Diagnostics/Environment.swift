#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Every environment variable that Porthole reads, in one place.
public struct Environment: Sendable {
  /// `PORTHOLE_DISPLAY`: the kind of display to open: `automatic`, `gbm`, `device` or `surfaceless`.
  public let display: String?
  /// `PORTHOLE_LOG`: what is logged, such as `warning` or `render=debug,gles=trace`.
  public let log: String?
  /// `PORTHOLE_GLDEBUG`: whether GL's debug messages, labels and groups are on in a release build too.
  /// Unset, empty and `0` mean no.
  public let isGLDebugRequested: Bool

  /// `PORTHOLE_DEBUG`: what is switched off, to look for a fault: names with commas between, such as `nodamage,nocull`.
  public let debugSwitches: [String]

  /// `PORTHOLE_SOCKET`: where the render server listens: a path, or a name below `$XDG_RUNTIME_DIR/porthole/`.
  public let socket: String?
  /// `XDG_RUNTIME_DIR`: the user's folder for sockets.
  public let runtimeFolder: String?
  /// `PORTHOLE_VIEW_TOKEN`: the secret in the address of a server's view, where it is to stay the same.
  public let viewToken: String?

  /// The process's own environment as it was at the first use.
  public static let current = Environment { name in
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  /// - Parameter variable: gives a variable's value, or nil where it is not set.
  public init(reading variable: (String) -> String?) {
    func text(_ name: String) -> String? {
      guard let value = variable(name), !value.isEmpty else { return nil }
      return value
    }
    display = text("PORTHOLE_DISPLAY")
    log = text("PORTHOLE_LOG")
    socket = text("PORTHOLE_SOCKET")
    runtimeFolder = text("XDG_RUNTIME_DIR")
    viewToken = text("PORTHOLE_VIEW_TOKEN")
    debugSwitches = (text("PORTHOLE_DEBUG") ?? "").split(separator: ",").map { part in
      String(part.drop { $0 == " " })
    }
    isGLDebugRequested = text("PORTHOLE_GLDEBUG").map { $0 != "0" } ?? false
  }
}

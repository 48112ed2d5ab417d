import LinuxIO
import WaylandProtocol

/// Why there is no connection to a server, or none any more.
public enum WireError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Nothing says where a server is: no name with a slash, and no XDG_RUNTIME_DIR.
  case noAddress
  /// Nobody listens there.
  case noServer(path: String, reason: SystemCallError)
  /// The server doesn't offer what is needed, or only an older version.
  case missing(interface: String, version: UInt32)
  /// What was sent breaks the protocol, and the server ended the connection. The sentence is the server's own.
  case violation(interface: String, code: UInt32, sentence: String)
  /// The server ended the connection, or is gone.
  case lost(SystemCallError)
  /// The server did not answer, or did not read, in time.
  case timedOut(seconds: Double)
  /// No memory to share.
  case noMemory(SystemCallError)
  /// The connection was closed at this end.
  case closed

  public var description: String {
    switch self {
    case .noAddress:
      "no server's socket is known: set XDG_RUNTIME_DIR, or give a path by PORTHOLE_SOCKET"
    case .noServer(let path, let reason):
      "no server answers at \(path): \(reason); start portholed, or set PORTHOLE_SOCKET"
    case .missing(let interface, let version):
      "the server doesn't offer \(interface) in version \(version); use a newer server"
    case .violation(let interface, let code, let sentence):
      "the server ended the connection with error \(code) of \(interface): \(sentence)"
    case .lost(let reason): "the connection to the server is lost (\(reason)); make a new one"
    case .timedOut(let seconds): "the server did not answer within \(seconds) s"
    case .noMemory(let reason): "there is no memory to share: \(reason)"
    case .closed: "the connection was closed; make a new one"
    }
  }

  init(_ error: ConnectionError) {
    switch error {
    case .failed(let reason): self = .lost(reason)
    case .violation(let interface, let object, let code):
      let sentence = ClientLog.sentence(interface: interface, object: object, code: code)
      self = .violation(interface: interface, code: code, sentence: sentence ?? "the server's log says more")
    }
  }
}

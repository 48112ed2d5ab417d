/// Why a client's connection is ended: what it sent breaks the protocol. Thrown by a handler of requests, it is posted on
/// the object that the request was sent to.
public struct ProtocolViolation: Error, Sendable, Hashable, CustomStringConvertible {
  enum Kind: Sendable, Hashable {
    case code(UInt32)
    case noMemory
    /// Of `wl_display`, on which it is posted.
    case exhausted
  }

  let kind: Kind
  /// For the client's programmer; cut after 512 bytes, since a message of the wire has its limits.
  public let message: String

  /// - Parameter code: of the error enum that the interface's description names.
  public init<Code: RawRepresentable<UInt32>>(_ code: Code, _ message: String) {
    self.kind = .code(code.rawValue)
    self.message = message
  }

  private init(kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// The server has no memory for what the client asks.
  public static let noMemory = ProtocolViolation(kind: .noMemory, message: "no memory")

  /// The client has, or asks for, more than the server gives it. For interfaces that have no error of their own for that.
  public static func exhausted(_ message: String) -> ProtocolViolation {
    ProtocolViolation(kind: .exhausted, message: message)
  }

  /// An object of the right interface that this server did not make. Of wl_display.error.
  static let foreignObject = ProtocolViolation(kind: .code(0), message: "an argument is no object of this server")

  /// The error's number; nil for `noMemory` and `exhausted`.
  public var code: UInt32? {
    if case .code(let code) = kind { return code }
    return nil
  }

  public var description: String { message }

  /// What fits into a message.
  var shortened: String {
    guard message.utf8.count > 512 else { return message }
    return String(decoding: message.utf8.prefix(509), as: UTF8.self) + "…"
  }
}

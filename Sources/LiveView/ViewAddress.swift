#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where a view listens: a numeric address and a port, 0 for one that the system chooses.
public struct ViewAddress: Sendable, Hashable {
  /// Such as `127.0.0.1` or `::1`.
  public let host: String
  public let port: UInt16

  /// Reads `PORT`, `HOST:PORT` or `[HOST]:PORT`; the host is this machine alone where none is given. Nil for anything else:
  /// names other than `localhost` are not looked up.
  public init?(_ text: String) {
    var (host, digits) = ("127.0.0.1", Substring(text))
    if let colon = text.lastIndex(of: ":") {
      host = String(text[..<colon])
      digits = text[text.index(after: colon)...]
      if host.hasPrefix("["), host.hasSuffix("]") {
        host = String(host.dropFirst().dropLast())
        guard Self.isIPv6(host) else { return nil }
      } else if host == "localhost" {
        host = "127.0.0.1"
      } else if !Self.isIPv4(host) {
        return nil
      }
    }
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      return nil
    }
    (self.host, self.port) = (host, port)
  }

  var isIPv6: Bool { host.contains(":") }
  /// Reached from this machine alone.
  public var isLoopback: Bool { Self.isLoopback(host) }
  /// Reached by every address that the machine has.
  var isAny: Bool { host == "0.0.0.0" || host == "::" }

  static func isIPv4(_ text: String) -> Bool {
    var address = in_addr()
    return inet_pton(AF_INET, text, &address) == 1
  }

  static func isIPv6(_ text: String) -> Bool {
    var address = in6_addr()
    return inet_pton(AF_INET6, text, &address) == 1
  }

  static func isLoopback(_ host: String) -> Bool { host == "::1" || isIPv4(host) && host.hasPrefix("127.") }
}

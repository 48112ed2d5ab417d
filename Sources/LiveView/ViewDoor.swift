/// Who is let in: by the token in the path, by the name under which the server was asked for, and by the page that asks.
struct ViewDoor: Sendable {
  let token: ViewToken
  /// The server is reached from this machine alone, so that no other name for it is right.
  let isLoopback: Bool

  /// What a path names below the token: empty for the page itself. Nil where the token is wrong.
  func name(in path: String) -> String? {
    let bytes = path.utf8
    guard bytes.first == UInt8(ascii: "/") else { return nil }
    let rest = bytes.dropFirst()
    let slash = rest.firstIndex(of: UInt8(ascii: "/"))
    guard token.equals(rest[..<(slash ?? rest.endIndex)]), let slash else { return nil }
    return String(decoding: rest[slash...].dropFirst(), as: UTF8.self)
  }

  /// Whether a `Host` header names the server by an address, or as `localhost`. A name of somebody else's that leads here
  /// (DNS rebinding) does not. The port may be another one, as where a tunnel leads here.
  func admits(host header: String) -> Bool {
    var host = header
    if let colon = host.lastIndex(of: ":"), !host.hasSuffix("]") { host = String(host[..<colon]) }
    if host == "localhost" { return true }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = String(host.dropFirst().dropLast())
      return isLoopback ? host == "::1" : ViewAddress.isIPv6(host)
    }
    return isLoopback ? ViewAddress.isLoopback(host) && !host.contains(":") : ViewAddress.isIPv4(host)
  }

  /// Whether an `Origin` header is that of the server's own page. A socket is never opened without one.
  func admits(origin: String, host: String) -> Bool { origin == "http://" + host }
}

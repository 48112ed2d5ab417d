import TestSupport

/// Somebody who has the address of the server's page, and says there what no page would.
struct BadViewer {
  private var random: SeededGenerator
  private static let documents = ["tree", "outputs", "damage", "metrics", "scene", "plan", "view", ""]
  private static let numbers = [
    "0", "1", "2", "-1", "0.5", "16", "30", "32.25", "42", "63", "272", "65535", "1e9", "1e300", "-1e300", "4294967296",
    "18446744073709551615", "null", "true", "\"1\"", "[]",
  ]

  init(_ random: SeededGenerator) { self.random = random }

  /// Asks for some file, or opens a socket and talks; then it is gone, with a word or without.
  /// - Parameters:
  ///   - path: of the page, with the secret.
  ///   - pump: gives the server its turn.
  mutating func visit(port: Int, path: String, pump: @escaping () throws -> Void) throws {
    let own = "127.0.0.1:\(port)"
    guard random.chance(85) else {
      let name = random.pick(["", "page.js", "live", "../", "%00", "wire.js?x=1", "nothing"])
      let wanted =
        random.chance(70) ? path + name : random.pick(["/", "*", "//live", String(path.dropLast(3)) + "/live"])
      let headers = ["Host: \(random.pick([own, "localhost", "elsewhere.example", ""]))"]
      _ = try WebSocketClient(port: port, path: wanted, headers: headers, pump: pump)
      return
    }
    let socket = try WebSocketClient(
      port: port, path: path + "live", origin: "http://" + (random.chance(95) ? own : "elsewhere.example"), pump: pump)
    guard socket.answer.status == 101 else { return }
    for _ in 0..<Int.random(in: 1...60, using: &random) {
      try say(on: socket)
      if random.chance(30) { try pump() }
      while let message = try socket.poll() { if message == .end { return } }
    }
    if random.chance(50) { try socket.send(kind: 8, random.chance(50) ? [] : [3, 232]) }
  }

  private mutating func say(on socket: WebSocketClient) throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<85: try socket.send(message())
    case 85..<88: try socket.send(kind: UInt8.random(in: 0...15, using: &random), Array(message().utf8))
    case 88..<92: try socket.send(kind: random.pick([0, 1]), Array(message().utf8), isLast: false)
    case 92..<94: try socket.send(kind: 9, Array(message().utf8.prefix(125)))
    case 94..<96: try socket.send(String(repeating: "x", count: random.pick([4095, 4096, 4097, 70_000])))
    default: try socket.sendRaw((0..<Int.random(in: 1...40, using: &random)).map { _ in UInt8(random.next() & 255) })
    }
  }

  /// One of a page's messages, as a rule with the numbers that pages send, and now and then with a byte that is another.
  private mutating func message() -> String {
    let (x, y) = (number(0...63), number(0...63))
    let isDown = number(0...1)
    let text: String =
      switch Int.random(in: 0..<11, using: &random) {
      case 0: "[\"watch\",\(number(1...2))]"
      case 1: "[\"ack\"]"
      case 2: "[\"ask\",\"\(random.pick(Self.documents))\"]"
      case 3: "[\"hit\",\(x),\(y)]"
      case 4: "[\"move\",\(x),\(y)]"
      case 5: "[\"button\",\(number(272...274)),\(isDown)]"
      case 6: "[\"scroll\",\(x),\(y)]"
      case 7: "[\"key\",\(number(1...60)),\(isDown),\"\(random.pick(["a", "A", "ß", "", "\u{1F30A}", "ab"]))\"]"
      case 8: "[\"text\",\"\(random.pick(["a", "Go 42", "\\u0000", "\u{301}", "\\ud800"]))\"]"
      case 9: "[\"touch\",\(number(0...15)),\"\(random.pick(["down", "move", "hover"]))\",\(x),\(y)]"
      default: "[\"touch\",\(number(0...15)),\"up\"]"
      }
    guard random.chance(15) else { return text }
    var bytes = Array(text.utf8)
    let place = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: bytes[place] = UInt8(random.next() & 127)
    case 1: bytes.remove(at: place)
    default: bytes.insert(bytes[place], at: place)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> String {
    random.chance(92) ? "\(Int.random(in: range, using: &random))" : random.pick(Self.numbers)
  }
}

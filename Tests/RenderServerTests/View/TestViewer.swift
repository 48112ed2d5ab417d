import Commit
import Geometry
import ImageFiles
import JSON
import LiveView
import RenderServer
import TestSupport

/// A page that looks, without a browser: its picture is made of the parts that it gets.
final class TestViewer {
  let socket: WebSocketClient
  private(set) var size = PixelSize(width: 0, height: 0)
  /// Straight RGBA.
  private(set) var pixels: [UInt8] = []
  /// The parts of each picture, in their order.
  private(set) var parts: [[PixelRect]] = []
  private(set) var sequence = 0
  /// Texts that were not looked for.
  private(set) var texts: [JSONDocument] = []
  private var unshown = 0
  /// What it is ended with.
  private(set) var end: WebSocketClient.Message?

  init(_ fixture: ServerFixture) throws {
    socket = try fixture.viewer(path: "live")
    _ = try text { $0.member("server", of: 0) != nil }
  }

  /// Hears what has come.
  func hear() throws {
    while end == nil, let message = try socket.poll() {
      switch message {
      case .text(let text): texts.append(try JSONParser.parse(Array(text.utf8)))
      case .binary(let bytes): try take(bytes)
      case .close, .end: end = message
      }
    }
  }

  func turn(until isDone: () throws -> Bool) throws {
    try socket.wait {
      try hear()
      return try isDone()
    }
  }

  /// Waits for a text, and takes it.
  func text(_ isWanted: (JSONDocument) -> Bool) throws -> JSONDocument {
    try turn { texts.contains(where: isWanted) || end != nil }
    guard let index = texts.firstIndex(where: isWanted) else { throw WebSocketClient.Failure(description: "it ended") }
    return texts.remove(at: index)
  }

  /// Asks, and waits for the answer.
  func ask(_ name: String, _ words: String? = nil) throws -> (document: JSONDocument, value: Int32) {
    try socket.send(words ?? "[\"ask\",\"\(name)\"]")
    let answer = try text { document in
      document.member("answer", of: 0).map { document[$0].value } == .string(name)
    }
    return (answer, answer.member("value", of: 0) ?? 0)
  }

  /// The numbers of the server's outputs.
  func outputs() throws -> [Int] {
    let (document, value) = try ask("outputs")
    return document.children(of: value).compactMap { output in
      guard let number = document.member("output", of: output), case .number(let value) = document[number].value else {
        return nil
      }
      return Int(value)
    }
  }

  func watch(_ output: Int) throws { try socket.send("[\"watch\",\(output)]") }

  /// Watches the output that was made last, and waits for its first picture.
  func watchLast() throws {
    try watch(outputs().max() ?? 0)
    try turn { parts.count > 0 }
    try acknowledge()
  }

  /// Says that everything was shown.
  func acknowledge() throws {
    for _ in 0..<unshown { try socket.send("[\"ack\"]") }
    unshown = 0
  }

  private func take(_ bytes: [UInt8]) throws {
    let length = bytes[..<4].reversed().reduce(0) { $0 << 8 | Int($1) }
    let header = try JSONParser.parse(Array(bytes[4..<4 + length]))
    func number(_ name: String, _ object: Int32) -> Int {
      guard let member = header.member(name, of: object), case .number(let value) = header[member].value else {
        return -1
      }
      return Int(value)
    }
    let size = PixelSize(width: number("width", 0), height: number("height", 0))
    if size != self.size {
      self.size = size
      pixels = [UInt8](repeating: 0, count: size.area * 4)
    }
    sequence = number("sequence", header.member("frame", of: 0) ?? 0)
    var place = 4 + length
    var rects: [PixelRect] = []
    for part in header.children(of: header.member("parts", of: 0) ?? 0) {
      let numbers = header.children(of: part).map { node -> Int in
        if case .number(let value) = header[node].value { Int(value) } else { 0 }
      }
      let image = try PNG.decode(Array(bytes[place..<place + numbers[4]]))
      place += numbers[4]
      for y in 0..<image.height {
        let to = ((numbers[1] + y) * size.width + numbers[0]) * 4
        pixels.replaceSubrange(
          to..<to + image.width * 4, with: image.pixels[y * image.width * 4..<(y + 1) * image.width * 4])
      }
      rects.append(
        PixelRect(
          minX: Int32(numbers[0]), minY: Int32(numbers[1]), maxX: Int32(numbers[0] + numbers[2]),
          maxY: Int32(numbers[1] + numbers[3])))
    }
    guard place == bytes.count else {
      throw WebSocketClient.Failure(description: "\(bytes.count - place) bytes too many")
    }
    parts.append(rects)
    unshown += 1
  }
}

extension ServerFixture {
  /// A server with a view at a port that is free.
  static func viewed(
    layout: DeskOptions.Layout? = nil, _ change: (inout ServerOptions) -> Void = { _ in }
  ) throws
    -> ServerFixture
  {
    try ServerFixture {
      $0.view = ViewAddress("127.0.0.1:0")
      if let layout {
        var desk = DeskOptions(layout: layout)
        desk.size = PixelSize(width: 96, height: 64)
        desk.rate = 240_000
        $0.desk = desk
      }
      change(&$0)
    }
  }

  /// Where the view is: its port, and the path with the token.
  var viewPlace: (port: Int, path: String) {
    let parts = (server.viewAddress ?? "").split(separator: "/", omittingEmptySubsequences: false)
    return (Int(parts[2].split(separator: ":")[1]) ?? 0, "/\(parts[3])/")
  }

  var viewPump: () throws -> Void { { [server] in try server.runOnce(timeoutMilliseconds: 1) } }

  /// A socket as the server's own page opens it.
  func viewer(path: String, host: String? = nil, origin: String? = "") throws -> WebSocketClient {
    let place = viewPlace
    let own = "http://" + (host ?? "127.0.0.1:\(place.port)")
    return try WebSocketClient(
      port: place.port, path: place.path + path, host: host, origin: origin == "" ? own : origin, pump: viewPump)
  }
}

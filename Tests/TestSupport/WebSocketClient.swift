#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client's end of HTTP and of a WebSocket, by the bytes: it can say what no library would.
public final class WebSocketClient {
  public enum Message: Hashable {
    case text(String)
    case binary([UInt8])
    /// 0 for one without a number.
    case close(UInt16)
    /// The connection is gone.
    case end
  }

  /// What HTTP answers.
  public struct Answer {
    public var status = 0
    public var head = ""
    public var body: [UInt8] = []
  }

  public struct Failure: Error, CustomStringConvertible {
    public var description: String

    public init(description: String) { self.description = description }
  }

  private let descriptor: Int32
  /// Gives the other end its turn.
  private let pump: () throws -> Void
  private var bytes: [UInt8] = []
  private var isEnded = false
  /// What the request for the socket was answered with: 101 where there is one.
  public private(set) var answer = Answer()

  private static let patience = 20.0

  /// Connects and asks for a path, for a socket where there is an origin.
  /// - Parameters:
  ///   - headers: lines without their ends.
  ///   - pump: gives the server its turn, or waits a little.
  public init(port: Int, path: String, headers: [String], pump: @escaping () throws -> Void) throws {
    self.pump = pump
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(clamping: port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
      throw Failure(description: "nobody listens at port \(port)")
    }
    try sendRaw(Array((["GET \(path) HTTP/1.1"] + headers + ["", ""]).joined(separator: "\r\n").utf8))
    try readAnswer()
  }

  /// A socket as a page of that origin opens it.
  public convenience init(
    port: Int, path: String, host: String? = nil, origin: String?, pump: @escaping () throws -> Void
  ) throws {
    var headers = [
      "Host: \(host ?? "127.0.0.1:\(port)")", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]
    if let origin { headers.append("Origin: \(origin)") }
    try self.init(port: port, path: path, headers: headers, pump: pump)
  }

  deinit { close(descriptor) }

  private func readAnswer() throws {
    var end: Range<Int>?
    try wait {
      end = bytes.firstRange(of: Array("\r\n\r\n".utf8))
      return end != nil || isEnded
    }
    guard let end else { return }
    answer.head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    bytes.removeSubrange(..<end.upperBound)
    answer.status = answer.head.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    guard answer.status != 101 else { return }
    let length =
      answer.head.lowercased().split(separator: "\r\n")
      .first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) } ?? 0
    try wait { bytes.count >= length || isEnded }
    answer.body = Array(bytes.prefix(length))
  }

  // MARK: Sending

  public func send(_ text: String) throws { try send(kind: 1, Array(text.utf8)) }

  /// - Parameters:
  ///   - kind: 0 goes on, 1 a text, 2 bytes, 8 the end, 9 a ping.
  ///   - isLast: no more parts of the message follow.
  public func send(kind: UInt8, _ payload: [UInt8], isLast: Bool = true) throws {
    var frame: [UInt8] = [(isLast ? 0x80 : 0) | kind]
    switch payload.count {
    case 0..<126: frame.append(0x80 | UInt8(payload.count))
    case 126..<65_536: frame += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
    default:
      frame.append(0x80 | 127)
      for shift in stride(from: 56, through: 0, by: -8) {
        frame.append(UInt8(truncatingIfNeeded: payload.count >> shift))
      }
    }
    let mask: [UInt8] = [0x12, 0x34, 0x56, 0x78]
    frame += mask
    for (index, byte) in payload.enumerated() { frame.append(byte ^ mask[index % 4]) }
    try sendRaw(frame)
  }

  /// Sends bytes as they are; those that a connection that is gone does not take are lost.
  public func sendRaw(_ data: [UInt8]) throws {
    var sent = 0
    try wait {
      while sent < data.count {
        let count = data.withUnsafeBytes {
          Glibc.send(descriptor, $0.baseAddress?.advanced(by: sent), data.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count < 0 { return errno != EAGAIN }
        sent += count
      }
      return true
    }
  }

  // MARK: Hearing

  /// The next message; nil where none has come.
  public func poll() throws -> Message? {
    readSome()
    guard let (kind, payload) = takeFrame() else { return isEnded ? .end : nil }
    switch kind {
    case 1: return .text(String(decoding: payload, as: UTF8.self))
    case 2: return .binary(payload)
    case 8: return .close(payload.count < 2 ? 0 : UInt16(payload[0]) << 8 | UInt16(payload[1]))
    case 9:
      try send(kind: 10, payload)
      return try poll()
    default: return try poll()
    }
  }

  /// Waits for the next message.
  public func next() throws -> Message {
    var message: Message?
    try wait {
      message = try poll()
      return message != nil
    }
    return message ?? .end
  }

  /// Gives the other end turns until something is so.
  public func wait(until isDone: () throws -> Bool) throws {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let end = Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 + Self.patience
    while true {
      readSome()
      if try isDone() { return }
      try pump()
      clock_gettime(CLOCK_MONOTONIC, &now)
      guard Double(now.tv_sec) + Double(now.tv_nsec) / 1e9 < end else {
        throw Failure(description: "nothing in \(Self.patience) s")
      }
    }
  }

  private func readSome() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while !isEnded {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      if count < 0, errno == EAGAIN || errno == EINTR { return }
      guard count > 0 else {
        isEnded = true
        return
      }
      bytes += buffer[..<count]
    }
  }

  /// A whole message's kind and bytes; servers here send no parts of one, but the protocol lets them.
  private func takeFrame() -> (kind: UInt8, payload: [UInt8])? {
    var (position, whole): (Int, [UInt8]) = (0, [])
    var kind: UInt8?
    while true {
      guard bytes.count >= position + 2 else { return nil }
      let (first, isLast) = (bytes[position] & 15, bytes[position] & 0x80 != 0)
      var (length, head) = (Int(bytes[position + 1] & 127), 2)
      if length >= 126 {
        let wide = length == 126 ? 2 : 8
        guard bytes.count >= position + 2 + wide else { return nil }
        length = bytes[position + 2..<position + 2 + wide].reduce(0) { $0 << 8 | Int($1) }
        head += wide
      }
      guard bytes.count >= position + head + length else { return nil }
      whole += bytes[position + head..<position + head + length]
      position += head + length
      kind = kind ?? first
      if isLast { break }
    }
    bytes.removeSubrange(..<position)
    return (kind ?? 0, whole)
  }
}

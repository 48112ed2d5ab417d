import Foundation
import LinuxIO
import Porthole
import WaylandClient
import WaylandProtocol

/// Why the operator's tool can't do what it was asked, where the fault is not the connection's.
struct ServerCommandError: Error {
  var message: String
  var code = ExitCode.failure

  init(_ message: String, code: ExitCode = .failure) {
    self.message = message
    self.code = code
  }
}

/// The operator's end of a connection to a render server.
final class ServerInspector {
  let wire: WireConnection
  let proxy: Proxy<PortholeInspectorV1>

  /// - Parameter socket: a path or a name; nil takes `PORTHOLE_SOCKET` or, without it, `porthole-0`.
  init(socket: String?) throws {
    let address = try ServerAddress(socket)
    wire = try WireConnection(address)
    guard wire.offers(PortholeInspectorV1.self) else {
      throw ServerCommandError(
        "the server at \(address.path) shows itself to its own user alone; run this as the user that started it")
    }
    proxy = try wire.bind(PortholeInspectorV1.self)
    try wire.bind(PortholeV1.self).setName(name: "porthole server")
  }

  func document(_ kind: PortholeInspectorV1.Document) throws -> String {
    let bytes = try gather { proxy.dump(document: kind, fd: $0) }
    guard !bytes.isEmpty else { throw ServerCommandError("the server gave an empty answer") }
    return String(decoding: bytes, as: UTF8.self)
  }

  func clients() throws -> [ServerClientRow] { try decode([ServerClientRow].self, .tree) }

  func outputs() throws -> [ServerOutputRow] { try decode([ServerOutputRow].self, .outputs) }

  func decode<Value: Decodable>(_: Value.Type, _ kind: PortholeInspectorV1.Document) throws -> Value {
    let text = try document(kind)
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw ServerCommandError("the server's answer is not understood; its version may be another than this tool's")
    }
  }

  /// One picture: premultiplied pixels.
  func picture(of subject: PortholeInspectorV1.Subject, _ number: UInt64, scale: Double) throws -> Image {
    let ear = CaptureEar()
    var capture: Proxy<PortholeCaptureV1>?
    let bytes = try gather { fd in
      let made = proxy.capture(
        subject: subject, numberHi: UInt32(truncatingIfNeeded: number >> 32),
        numberLo: UInt32(truncatingIfNeeded: number), scale: [scale].span.bytes, fd: fd, format: .raw)
      made.handler = ear
      capture = made
    }
    try wire.wait { ear.isReady || ear.failure != nil }
    capture?.destroy()
    if let failure = ear.failure { throw ServerCommandError(Self.words(failure, subject, number)) }
    let size = PixelSize(width: ear.width, height: ear.height)
    guard let image = Image(size: size, alpha: .premultiplied, pixels: bytes) else {
      throw ServerCommandError("the server gave \(bytes.count) bytes for \(ear.width) × \(ear.height) pixels")
    }
    return image
  }

  static func words(
    _ failure: PortholeCaptureV1.Failure, _ subject: PortholeInspectorV1.Subject, _ number: UInt64
  ) -> String {
    let what = subject == .output ? "output \(number)" : "layer \(number)"
    switch failure {
    case .gone: return "there is no \(what); porthole server list shows what there is"
    case .secure: return "\(what) is secure, and is not captured"
    case .size: return "\(what) has no pixel, or more than the server can draw at this scale"
    case .notWritable: return "the picture of \(what) could not be sent"
    default: return "the server could not draw \(what); its log says why"
    }
  }

  final class CaptureEar: PortholeCaptureV1.EventHandler {
    var (width, height) = (0, 0)
    var isReady: Bool { ready > 0 }
    private(set) var ready = 0
    var failure: PortholeCaptureV1.Failure?

    func size(_ proxy: Proxy<PortholeCaptureV1>, width: UInt32, height: UInt32) {
      (self.width, self.height) = (Int(width), Int(height))
    }
    func ready(
      _ proxy: Proxy<PortholeCaptureV1>, sequenceHi: UInt32, sequenceLo: UInt32, secondsHi: UInt32, secondsLo: UInt32,
      nanoseconds: UInt32
    ) { ready += 1 }
    func skipped(_ proxy: Proxy<PortholeCaptureV1>, count: UInt32) {}
    func failed(_ proxy: Proxy<PortholeCaptureV1>, reason: PortholeCaptureV1.Failure) { failure = reason }
  }

  /// Everything that the server writes into a pipe that `send` gives it.
  func gather(_ send: (borrowing FileDescriptor) -> Void) throws -> [UInt8] {
    let pipe = try FileDescriptor.pipe()
    return try pipe.take { (reader, writer) throws -> [UInt8] in
      send(writer)
      try wire.flush()
      // The server has its own by now; with this one open, there would be no end.
      _ = consume writer
      var bytes: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 65_536)
      while true {
        var entries = [
          pollfd(fd: reader.rawValue, events: Int16(POLLIN), revents: 0),
          pollfd(fd: wire.pollDescriptor, events: Int16(POLLIN), revents: 0),
        ]
        let count = poll(&entries, 2, Int32(clamping: Int(wire.patience * 1000)))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw WireError.timedOut(seconds: wire.patience) }
        if entries[1].revents != 0 { try wire.read() }
        guard entries[0].revents != 0 else { continue }
        let taken = try room.withUnsafeMutableBytes { try reader.read(into: $0) }
        guard let taken else { continue }
        if taken == 0 { return bytes }
        bytes += room[..<taken]
      }
    }
  }
}

import CommitCoding
import Foundation
import LinuxIO
import Porthole
import WaylandClient
import WaylandProtocol

/// `porthole server portal`: shows an exported layer through a portal of the tool's own, as any other client would see it.
struct ServerPortalCommand {
  private let arguments: Arguments
  private let path: String
  private let layer: String
  private let scale: Double
  /// Nil: until the tool is ended.
  private let frames: UInt32?

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: [], options: [.socket, .output, .layer, .scale, .raw, .frames])
    guard let path = arguments[.output] else { throw UsageError("-o FILE is missing") }
    guard let layer = arguments[.layer] else { throw UsageError("--layer NAME|ID is missing") }
    (self.path, self.layer) = (path, layer)
    scale = try arguments.scale()
    guard scale <= 64 else { throw UsageError("--scale is at most 64") }
    guard let text = arguments[.frames] else {
      frames = nil
      return
    }
    guard arguments.has(.raw) else { throw UsageError("--frames is for --raw; a PNG is one frame") }
    guard let number = UInt32(text), number > 0 else { throw UsageError("--frames is a number above 0, not “\(text)”") }
    frames = number
  }

  func run() throws -> ExitCode {
    let server = try ServerInspector(socket: arguments[.socket])
    let number = try ServerCaptureCommand.find(layer, server, portalsOnly: false)
    let numbers = try server.clients().flatMap(\.tree).first { $0.layer == number }?.bounds ?? []
    let bounds = numbers.compactMap { $0 }
    guard bounds.count == 4, (1...8192).contains(bounds[2] * scale), (1...8192).contains(bounds[3] * scale) else {
      throw ServerCommandError(ServerInspector.words(.size, .layer, number), code: .badInput)
    }
    let size = Size(width: bounds[2], height: bounds[3])
    let pixels = PixelSize(
      width: Int((size.width * scale).rounded(.up)), height: Int((size.height * scale).rounded(.up)))
    let view = try View(server, of: number, size: size, pixels: pixels, scale: scale)
    guard arguments.has(.raw), frames != 1 else {
      try ServerFile.write(try view.picture(), to: path, isRaw: arguments.has(.raw))
      Output.note("wrote \(path), \(pixels.width) × \(pixels.height) pixels")
      return .success
    }
    try view.stream(to: path, frames: frames)
    return .success
  }

  /// The tool's portal and the output that it fills.
  private final class View {
    private let server: ServerInspector
    private let number: UInt64
    private let pixels: PixelSize
    private let imported: Proxy<PortholeImportV1>
    private let portal: Proxy<PortholeLayerV1>
    private let output: Proxy<PortholeOutputV1>
    private let ear = ImportEar()

    init(
      _ server: ServerInspector, of number: UInt64, size: Size, pixels: PixelSize, scale: Double
    ) throws {
      (self.server, self.number, self.pixels) = (server, number, pixels)
      let global = try server.wire.bind(PortholeV1.self)
      imported = server.proxy.importExported(
        numberHi: UInt32(truncatingIfNeeded: number >> 32), numberLo: UInt32(truncatingIfNeeded: number))
      imported.handler = ear
      let portal = global.createLayer(kind: .portal)
      self.portal = portal
      var records = PropertyRecords()
      try records.append(.bounds(Rect(size: size)))
      try records.append(.anchorPoint(.zero))
      records.withBytes { portal.set(records: $0) }
      portal.setSourceImport(source: imported)
      output = global.createOutput(
        width: UInt32(clamping: pixels.width), height: UInt32(clamping: pixels.height), scale: [scale].span.bytes,
        rate: 60_000, flags: [])
      output.setRoot(layer: portal)
      global.commit(serial: 1)
      let ear = ear
      try server.wire.wait { ear.isGood != nil }
      guard ear.isGood == true else {
        throw ServerCommandError(
          "layer \(number) is not exported; porthole server list exports shows those that are", code: .badInput)
      }
    }

    /// The next frame.
    func picture() throws -> Image {
      let capture = ServerInspector.CaptureEar()
      var proxy: Proxy<PortholeCaptureV1>?
      let bytes = try server.gather { fd in
        let made = output.captureToFile(fd: fd, format: .raw, count: 1)
        made.handler = capture
        proxy = made
      }
      proxy?.destroy()
      if let failure = capture.failure { throw ServerCommandError(ServerInspector.words(failure, .layer, number)) }
      guard let image = Image(size: pixels, alpha: .premultiplied, pixels: bytes) else {
        throw ServerCommandError("the server gave \(bytes.count) bytes for \(pixels.width) × \(pixels.height) pixels")
      }
      return image
    }

    /// Frame after frame, written by the server itself.
    func stream(to path: String, frames: UInt32?) throws {
      let capture = ServerInspector.CaptureEar()
      let proxy = try begin(to: path, frames: frames)
      proxy.handler = capture
      let wanted = frames.map(Int.init) ?? .max
      let ear = ear
      func isOver() -> Bool { capture.ready >= wanted || capture.failure != nil || ear.isGood != true }
      while !isOver() { try waitAWhile(isOver) }
      proxy.destroy()
      try server.wire.flush()
      if let failure = capture.failure { throw ServerCommandError(ServerInspector.words(failure, .layer, number)) }
      if capture.ready < wanted { throw ServerCommandError("layer \(number) is gone, or is no longer exported") }
    }

    private func begin(to path: String, frames: UInt32?) throws -> Proxy<PortholeCaptureV1> {
      let number = path == "-" ? dup(STDOUT_FILENO) : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard number >= 0 else {
        throw ServerCommandError("\(path) can't be written: \(String(cString: strerror(errno)))")
      }
      let file = FileDescriptor(adopting: number)
      let proxy = output.captureToFile(fd: file, format: .raw, count: frames ?? 0)
      try server.wire.flush()
      return proxy
    }

    /// As long as nothing changes, there is no new frame to be had, and that is no fault.
    private func waitAWhile(_ isOver: () -> Bool) throws {
      do throws(WireError) {
        try server.wire.wait(isOver)
      } catch {
        guard case .timedOut = error else { throw error }
      }
    }

    private final class ImportEar: PortholeImportV1.EventHandler {
      var isGood: Bool?

      func available(_ proxy: Proxy<PortholeImportV1>) { isGood = true }
      func unavailable(_ proxy: Proxy<PortholeImportV1>) { isGood = false }
    }
  }
}

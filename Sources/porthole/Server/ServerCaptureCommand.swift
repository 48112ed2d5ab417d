import Foundation
import JSON
import Porthole
import WaylandProtocol

/// `porthole server capture`: an output, a layer or a portal of any client's, as a picture.
struct ServerCaptureCommand {
  private enum Subject {
    case output(UInt64?)
    case layer(String)
    case portal(String)
  }

  private let arguments: Arguments
  private let path: String
  private let subject: Subject
  private let scale: Double

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(
      words, words: [], options: [.socket, .output, .outputNumber, .layer, .portal, .scale, .raw, .json])
    guard let path = arguments[.output] else { throw UsageError("-o FILE.png is missing") }
    self.path = path
    scale = try arguments.scale()
    guard scale <= 64 else { throw UsageError("--scale is at most 64") }
    let given = [Arguments.Option.outputNumber, .layer, .portal].filter(arguments.has)
    guard given.count < 2 else { throw UsageError("only one of --output, --layer and --portal is captured") }
    if let name = arguments[.layer] {
      subject = .layer(name)
    } else if let name = arguments[.portal] {
      subject = .portal(name)
    } else if let text = arguments[.outputNumber] {
      guard let number = UInt64(text) else { throw UsageError("--output is an output's number, not “\(text)”") }
      subject = .output(number)
    } else {
      subject = .output(nil)
    }
  }

  func run() throws -> ExitCode {
    let server = try ServerInspector(socket: arguments[.socket])
    let image: Image
    let number: UInt64
    switch subject {
    case .output(let given):
      number = try given ?? Self.onlyOutput(server)
      image = try server.picture(of: .output, number, scale: 1)
    case .layer(let name):
      number = try Self.find(name, server, portalsOnly: false)
      image = try server.picture(of: .layer, number, scale: scale)
    case .portal(let name):
      number = try Self.find(name, server, portalsOnly: true)
      image = try server.picture(of: .layer, number, scale: scale)
    }
    try ServerFile.write(image, to: path, isRaw: arguments.has(.raw))
    if arguments.has(.json), path != "-" {
      return Output.data(
        JSONValue.object([
          ("output", .string(path)), ("number", .integer(Int(clamping: number))), ("width", .integer(image.width)),
          ("height", .integer(image.height)),
        ]).text)
    }
    Output.note("wrote \(path), \(image.width) × \(image.height) pixels")
    return .success
  }

  private static func onlyOutput(_ server: ServerInspector) throws -> UInt64 {
    let outputs = try server.outputs()
    guard let first = outputs.first else {
      throw ServerCommandError("the server has no output; capture a layer by --layer", code: .badInput)
    }
    guard outputs.count == 1 else {
      let numbers = outputs.map { "\($0.output)" }.joined(separator: ", ")
      throw ServerCommandError("there are several outputs; choose one by --output: \(numbers)", code: .badInput)
    }
    return first.output
  }

  /// The layer of that number or, where there is none, of that name.
  static func find(_ text: String, _ server: ServerInspector, portalsOnly: Bool) throws -> UInt64 {
    let layers = try server.clients().flatMap(\.tree).filter { !portalsOnly || $0.kind == "portal" }
    if let number = UInt64(text), layers.contains(where: { $0.layer == number }) { return number }
    let found = layers.filter { $0.name == text }
    let kind = portalsOnly ? "portal" : "layer"
    guard let first = found.first else {
      throw ServerCommandError(
        "no \(kind) has the number or name “\(Table.plain(text))”; porthole server list shows them", code: .badInput)
    }
    guard found.count == 1 else {
      let numbers = found.map { "\($0.layer)" }.joined(separator: ", ")
      throw ServerCommandError(
        "several layers are called “\(Table.plain(text))”; choose by number: \(numbers)", code: .badInput)
    }
    return first.layer
  }
}

/// Files that the operator's tool writes: whole, or not at all.
enum ServerFile {
  /// As a PNG, or as bare pixels.
  static func write(_ image: Image, to path: String, isRaw: Bool) throws {
    if isRaw {
      try write(image.pixels, to: path)
    } else if path == "-" {
      try write(try PNG.encode(image), to: path)
    } else {
      try PNG.write(image, to: path)
    }
  }

  /// - Parameter path: `-` is standard output.
  static func write(_ bytes: [UInt8], to path: String) throws {
    do {
      if path == "-" { return try FileHandle.standardOutput.write(contentsOf: Data(bytes)) }
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw ServerCommandError("\(path) can't be written: \(error.localizedDescription)")
    }
  }
}

import Foundation
import LinuxIO
import WaylandProtocol

/// `porthole server export`: a handle of any layer, to be given to whoever is to show it.
struct ServerExportCommand {
  private let arguments: Arguments

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: ["the layer"], options: [.socket, .singleUse])
  }

  func run() throws -> ExitCode {
    let server = try ServerInspector(socket: arguments[.socket])
    let number = try ServerCaptureCommand.find(arguments[0], server, portalsOnly: false)
    let bytes = try server.gather { fd in
      server.proxy.exportLayer(
        numberHi: UInt32(truncatingIfNeeded: number >> 32), numberLo: UInt32(truncatingIfNeeded: number),
        flags: arguments.has(.singleUse) ? .singleUse : [], fd: fd)
    }
    guard !bytes.isEmpty else { throw ServerCommandError("layer \(number) is gone", code: .badInput) }
    return Output.data(String(decoding: bytes, as: UTF8.self))
  }
}

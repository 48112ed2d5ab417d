import GLES
import RenderServer
import Testing

@Suite("The server's arguments")
struct ServerOptionsTests {
  private func serve(_ arguments: String...) throws -> ServerOptions? {
    if case .serve(let options) = try ServerOptions.read(arguments) { return options }
    return nil
  }

  @Test("options are read with their values, in either form")
  func options() throws {
    let options = try #require(
      try serve(
        "--socket=wall", "--display", "surfaceless", "--rate", "29.97", "--limits", "layers=5", "--allow-uid", "7",
        "--allow-uid=8", "--ready-fd", "5"))
    #expect(options.socket == "wall")
    #expect(options.display == .surfaceless)
    #expect(options.highestRate == 29_970)
    #expect(options.limits[.layers] == 5)
    #expect(options.allowedUsers == [7, 8])
    #expect(options.readyDescriptor == 5)
  }

  @Test(
    "what makes no sense is refused",
    arguments: [
      ["--wat"], ["wall"], ["--socket"], ["--socket="], ["--display", "x11"], ["--rate", "0"], ["--rate", "nan"],
      ["--rate", "1e9"], ["--allow-uid", "-1"], ["--ready-fd", "1"], ["--limits", "x=1"], ["--connections", "0"],
    ])
  func refused(arguments: [String]) {
    #expect(throws: OptionError.self) { try ServerOptions.read(arguments) }
  }

  @Test("sockets are handed over to the process that they are meant for alone")
  func activation() {
    func count(_ variables: [String: String]) -> Int {
      ServiceSupervisor.activatedSocketCount(process: 42) { variables[$0] }
    }
    #expect(count(["LISTEN_PID": "42", "LISTEN_FDS": "2"]) == 2)
    #expect(count(["LISTEN_PID": "41", "LISTEN_FDS": "2"]) == 0)
    #expect(count(["LISTEN_PID": "42", "LISTEN_FDS": "-2"]) == 0)
    #expect(count(["LISTEN_PID": "42", "LISTEN_FDS": "99999999999999999999"]) == 0)
    #expect(count(["LISTEN_FDS": "2"]) == 0)
    #expect(count([:]) == 0)
  }
}

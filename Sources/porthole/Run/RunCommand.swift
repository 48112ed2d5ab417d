import Foundation
import Media
import Porthole

/// `porthole run`: a program, shown by portals.
struct RunCommand {
  private let arguments: Arguments
  private let program: [String]
  private let kind: RunScene.Kind
  private let size: Size
  private let seconds: Double?
  private let rate: Double
  private let output: String?
  private let form: FilmForm?

  init(_ words: [String]) throws(UsageError) {
    guard let dashes = words.firstIndex(of: "--"), dashes + 1 < words.count else {
      throw UsageError("-- PROGRAM is missing")
    }
    program = Array(words[(dashes + 1)...])
    arguments = try Arguments(
      Array(words[..<dashes]), words: [], options: [.socket, .output, .scene, .size, .seconds, .fps, .view])
    kind = try arguments.word(.scene, default: .pip)
    size = try Self.size(arguments[.size] ?? "1280x720")
    output = arguments[.output]
    seconds = try arguments.number(.seconds, in: 0.01...3600)
    rate = try arguments.number(.fps, in: 1...240) ?? 30
    if arguments.has(.fps), output == nil { throw UsageError("--fps is for a film; name it by -o") }
    guard let output, !output.hasSuffix(".png") || output.contains("%") else {
      form = nil
      return
    }
    do throws(MediaError) { form = try FilmForm(output) } catch { throw UsageError(error.reason + "; not “\(output)”") }
  }

  private static func size(_ text: String) throws(UsageError) -> Size {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1], (16...8192).contains(width),
      (16...8192).contains(height)
    else { throw UsageError("--size is WIDTHxHEIGHT, such as 1280x720, not “\(text)”") }
    return Size(width: Double(width), height: Double(height))
  }

  func run() throws -> ExitCode {
    Interrupt.watch()
    let host = try ProgramHost(program, socket: arguments[.socket], view: arguments[.view])
    // Whatever ends this ends the program too.
    defer { host.end() }
    let window = try host.window(patience: 30)
    if let address = try host.viewAddress() { Output.data("look at \(address)\n") }
    let connection = try RenderServerConnection(host.socket)
    defer { connection.close() }
    try connection.setName("porthole run")
    let source = try connection.import(window.handle)
    let scene = RunScene(kind, of: source, window: window.size, size: size)
    let view = try connection.output(size: scene.root.bounds.size, rate: output == nil ? 60 : 0)
    if let form { return try film(form, scene, view, host) }
    if let output { return try picture(to: output, scene, view, host) }
    return try show(scene, view, host, window)
  }

  /// Frame after frame, as time goes by.
  private func film(_ form: FilmForm, _ scene: RunScene, _ view: RemoteRenderer, _ host: ProgramHost) throws -> ExitCode
  {
    let count = max(1, Int(((seconds ?? 5) * rate).rounded()))
    let film = FilmWriter(form, frameCount: count, rate: rate)
    var progress = Progress(total: count)
    let start = DispatchTime.now().uptimeNanoseconds
    var size = PixelSize(width: 0, height: 0)
    for number in 0..<count {
      guard !Interrupt.wasAsked else { throw ServerCommandError("interrupted; \(form.name) is not written") }
      guard host.isRunning else {
        throw ServerCommandError("the program ended with \(host.exitStatus) after \(number) of \(count) frames")
      }
      Self.wait(until: start + UInt64(Double(number) / rate * 1e9))
      scene.move(to: Double(number) / rate)
      let image = try view.render(scene.root)
      size = image.size
      try film.add(image)
      progress.show(number + 1)
    }
    try film.finish()
    Output.note("wrote \(count) frames to \(form.name), \(size.width) × \(size.height) pixels")
    return .success
  }

  /// What is to be seen after a while.
  private func picture(
    to path: String, _ scene: RunScene, _ view: RemoteRenderer, _ host: ProgramHost
  ) throws -> ExitCode {
    let start = DispatchTime.now().uptimeNanoseconds
    let end = start + UInt64((seconds ?? 1) * 1e9)
    // The program draws as long as somebody looks.
    var image = try view.render(scene.root)
    while DispatchTime.now().uptimeNanoseconds < end, host.isRunning {
      guard !Interrupt.wasAsked else { throw ServerCommandError("interrupted; \(path) is not written") }
      Self.wait(until: DispatchTime.now().uptimeNanoseconds + 16_000_000)
      scene.move(to: Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9)
      image = try view.render(scene.root)
    }
    try PNG.write(image, to: path)
    Output.note("wrote \(path), \(image.width) × \(image.height) pixels")
    return .success
  }

  /// Until the program ends, or is to.
  private func show(
    _ scene: RunScene, _ view: RemoteRenderer, _ host: ProgramHost, _ window: ProgramHost.Window
  ) throws -> ExitCode {
    let name = window.name.isEmpty ? "the window" : window.name
    Output.note("\(name), \(Int(window.size.width)) × \(Int(window.size.height)), is shown by portals")
    Output.note(
      """
      look:  porthole server capture --socket \(host.socket) -o now.png
      touch: porthole server input --socket \(host.socket) type hello
      """)
    let start = DispatchTime.now().uptimeNanoseconds
    while host.isRunning, !Interrupt.wasAsked {
      let now = DispatchTime.now().uptimeNanoseconds
      if let seconds, Double(now - start) / 1e9 >= seconds { break }
      scene.move(to: Double(now - start) / 1e9)
      try view.update(scene.root)
      try view.connection.dispatch()
      Self.wait(until: now + 16_000_000)
    }
    guard !host.isRunning, host.exitStatus != 0 else { return .success }
    throw ServerCommandError("the program ended with \(host.exitStatus)")
  }

  private static func wait(until time: UInt64) {
    let now = DispatchTime.now().uptimeNanoseconds
    if time > now { Thread.sleep(forTimeInterval: Double(time - now) / 1e9) }
  }
}

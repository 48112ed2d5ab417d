import JSON
import Media
import Porthole
import RenderServer

/// `porthole render`: a scene, or one of its layers, as a PNG; or its frames, as a film.
struct RenderCommand {
  private let arguments: Arguments
  private let output: String
  private let scale: Double
  private let backend: Backend
  private let display: DisplayChoice
  private let space: WorkingSpace
  private let times: FrameTimes
  private var showsDamage = false
  /// Nil for a single picture.
  private let form: FilmForm?

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(
      words, words: ["SCENE.json"],
      options: [
        .output, .scale, .layer, .at, .frames, .fps, .renderer, .display, .format, .blending, .overlay,
        .skipUnsupported, .json,
      ])
    guard let output = arguments[.output] else { throw UsageError("-o OUT.png is missing") }
    self.output = output
    scale = try arguments.scale()
    backend = try arguments.word(.renderer, default: .gl)
    display = try arguments.display()
    space = try arguments.workingSpace()
    times = try FrameTimes(arguments)
    if let overlay = arguments[.overlay] {
      guard overlay == "damage" else { throw UsageError("--overlay takes damage, not “\(overlay)”") }
      showsDamage = true
    }
    do throws(MediaError) { form = try times.rate == nil ? nil : FilmForm(output) } catch {
      throw UsageError(error.reason + "; not “\(output)”")
    }
  }

  func run() throws -> ExitCode {
    let scene = try arguments.scene()
    var layer: Layer?
    if let id = arguments[.layer] {
      guard let found = scene.layer(id) else {
        let known = scene.layerIDs.isEmpty ? "none has an id" : scene.layerIDs.joined(separator: ", ")
        Output.message("\(arguments[0]): no layer is called “\(id)”; the scene's layers: \(known)")
        return .badInput
      }
      layer = found
    }
    let renderer = try OffscreenRenderer(
      size: scene.size, scale: scale, background: layer == nil ? scene.background : .clear, backend: backend,
      display: display)
    renderer.workingSpace = space
    if showsDamage { renderer.showsDamage = true }
    // A scene's time begins at 0, whatever is drawn of it first.
    try renderer.commit(scene.root, at: 0)
    let feeds = try VideoFeed.feeds(of: scene)
    var image = try draw(layer ?? scene.root, isAlone: layer != nil, at: times.times[0], feeds, renderer)
    if let form {
      image = try write(form, from: layer ?? scene.root, isAlone: layer != nil, first: image, feeds, renderer)
    }
    for failure in feeds.flatMap(\.failures) { Output.message(failure.description) }
    let report = renderer.lastReport
    for diagnostic in report?.diagnostics ?? [] { Output.message(diagnostic) }
    let device = renderer.device?.renderer
    // The render thread ends first, so that an interrupt finds one thread, which lets no file half written.
    renderer.close()
    if form == nil { try PNG.write(image, to: output) }
    if arguments.has(.json) {
      return Output.data(json(scene, image, report, device: device).text)
    }
    let what = form == nil ? output : "\(times.times.count) frames to \(output)"
    Output.note("wrote \(what), \(image.width) × \(image.height) pixels")
    return .success
  }

  private func draw(
    _ layer: Layer, isAlone: Bool, at time: Double, _ feeds: [VideoFeed], _ renderer: OffscreenRenderer
  ) throws -> Image {
    for feed in feeds { feed.advance(to: time) }
    renderer.time = time
    return try isAlone ? renderer.render(layer: layer) : renderer.render(layer)
  }

  /// Draws and writes every frame; the last one.
  private func write(
    _ form: FilmForm, from layer: Layer, isAlone: Bool, first: Image, _ feeds: [VideoFeed],
    _ renderer: OffscreenRenderer
  ) throws -> Image {
    let film = FilmWriter(form, frameCount: times.times.count, rate: times.rate ?? 60)
    var progress = Progress(total: times.times.count)
    var image = first
    for (number, time) in times.times.enumerated() {
      if number > 0 { image = try draw(layer, isAlone: isAlone, at: time, feeds, renderer) }
      try film.add(image)
      progress.show(number + 1)
    }
    try film.finish()
    return image
  }

  private func json(_ scene: Scene, _ image: Image, _ report: FrameReport?, device: String?) -> JSONValue {
    .object([
      ("scene", .string(arguments[0])),
      ("output", .string(output)),
      ("layer", arguments[.layer].map { .string($0) } ?? .null),
      ("width", .integer(image.width)),
      ("height", .integer(image.height)),
      ("scale", .number(scale)),
      ("renderer", .string(backend.rawValue)),
      ("format", .string(space.format.rawValue)),
      ("blending", .string(space.encoding.rawValue)),
      ("device", device.map { .string($0) } ?? .null),
      ("counters", report.map { .counters($0.counters) } ?? .null),
      ("diagnostics", .strings(report?.diagnostics ?? [])),
      ("skipped", .strings(scene.skipped)),
    ])
  }
}

import JSON
import Porthole

/// `porthole render`: a scene, or one of its layers, as a PNG.
struct RenderCommand {
  private let arguments: Arguments
  private let output: String
  private let scale: Double
  private let backend: Backend
  private let display: DisplayChoice

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(
      words, words: ["SCENE.json"],
      options: [.output, .scale, .layer, .renderer, .display, .skipUnsupported, .json])
    guard let output = arguments[.output] else { throw UsageError("-o OUT.png is missing") }
    self.output = output
    scale = try arguments.scale()
    backend = try arguments.word(.renderer, default: .gl)
    display = try arguments.display()
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
    let image = try layer.map { try renderer.render(layer: $0) } ?? renderer.render(scene.root)
    let report = renderer.lastReport
    for diagnostic in report?.diagnostics ?? [] { Output.message(diagnostic) }
    let device = renderer.device?.renderer
    // The render thread ends first, so that an interrupt finds one thread, which lets no file half written.
    renderer.close()
    try PNG.write(image, to: output)
    if arguments.has(.json) {
      return Output.data(json(scene, image, report, device: device).text)
    }
    Output.note("wrote \(output), \(image.width) × \(image.height) pixels")
    return .success
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
      ("device", device.map { .string($0) } ?? .null),
      ("counters", report.map { .counters($0.counters) } ?? .null),
      ("diagnostics", .strings(report?.diagnostics ?? [])),
      ("skipped", .strings(scene.skipped)),
    ])
  }
}

extension JSONValue {
  static func counters(_ counters: FrameCounters) -> JSONValue {
    .object([
      ("passes", .integer(counters.passes)),
      ("batches", .integer(counters.batches)),
      ("quads", .integer(counters.quads)),
      ("layersVisited", .integer(counters.layersVisited)),
      ("portalsSampled", .integer(counters.portalsSampled)),
      ("portalsInlined", .integer(counters.portalsInlined)),
      ("sourcesDrawn", .integer(counters.sourcesDrawn)),
      ("groups", .integer(counters.groups)),
      ("shadedPixels", .integer(counters.shadedPixels)),
      ("targetPixels", .integer(counters.targetPixels)),
      ("instanceBytes", .integer(counters.instanceBytes)),
    ])
  }
}

import JSON
import Porthole

/// `porthole plan`: what a frame of a scene would do, as text.
struct PlanCommand {
  private let arguments: Arguments
  private let scale: Double
  private let space: WorkingSpace

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(
      words, words: ["SCENE.json"], options: [.scale, .format, .blending, .skipUnsupported, .json])
    scale = try arguments.scale()
    space = try arguments.workingSpace()
  }

  func run() throws -> ExitCode {
    let scene = try arguments.scene()
    // Nothing is drawn, so no display is needed.
    let renderer = try OffscreenRenderer(
      size: scene.size, scale: scale, background: scene.background, backend: .reference)
    defer { renderer.close() }
    renderer.workingSpace = space
    let plan = try renderer.plan(scene.root)
    func name(_ layer: LayerID) -> String { renderer.layer(layer).map(scene.label) ?? layer.description }
    guard arguments.has(.json) else { return Output.data(plan.dump(name: name)) }
    return Output.data(
      JSONValue.object([
        ("width", .integer(plan.outputSize.width)),
        ("height", .integer(plan.outputSize.height)),
        ("scale", .number(scale)),
        ("format", .string(space.format.rawValue)),
        ("blending", .string(space.encoding.rawValue)),
        ("counters", .counters(plan.counters)),
        ("sources", .array(plan.sources.map { json($0, name: name($0.layer)) })),
        ("passes", .array(plan.passes.map { json($0, of: plan) })),
      ]).text)
  }

  private func json(_ source: SourceReport, name: String) -> JSONValue {
    let pictures = source.pictures.map { picture in
      JSONValue.object([
        ("width", .integer(picture.size.width)),
        ("height", .integer(picture.size.height)),
        ("uses", .integer(picture.uses)),
        ("isExact", .boolean(picture.isExact)),
        ("isDrawn", .boolean(picture.isDrawn)),
        ("textureCost", .number(picture.textureCost)),
        ("inlineCost", .number(picture.inlineCost)),
      ])
    }
    return .object([
      ("layer", .string(name)),
      ("uses", .integer(source.uses)),
      ("primitives", .integer(source.primitives)),
      ("inlineUses", .integer(source.inlineUses)),
      ("pictures", .array(pictures)),
    ])
  }

  private func json(_ pass: Pass, of plan: FramePlan) -> JSONValue {
    let target: JSONValue =
      switch pass.target {
      case .output: .string("output")
      case .target(let index): .integer(Int(index))
      }
    let batches = plan.batches[pass.firstBatch..<pass.firstBatch + pass.batchCount].map { batch in
      JSONValue.object([
        ("program", .string(batch.variant.name)),
        ("isBlended", .boolean(batch.isBlended)),
        ("quads", .integer(batch.instanceCount)),
      ])
    }
    return .object([
      ("target", target),
      ("width", .integer(pass.size.width)),
      ("height", .integer(pass.size.height)),
      ("batches", .array(batches)),
    ])
  }
}

import Porthole

/// `porthole plan`: what a frame of a scene would do, as text.
struct PlanCommand {
  private let arguments: Arguments
  private let scale: Double

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: ["SCENE.json"], options: [.scale, .skipUnsupported, .json])
    scale = try arguments.scale()
  }

  func run() throws -> ExitCode {
    let scene = try arguments.scene()
    // Nothing is drawn, so no display is needed.
    let renderer = try OffscreenRenderer(
      size: scene.size, scale: scale, background: scene.background, backend: .reference)
    defer { renderer.close() }
    let plan = try renderer.plan(scene.root)
    func name(_ layer: LayerID) -> String { renderer.layer(layer).map(scene.label) ?? layer.description }
    guard arguments.has(.json) else { return Output.data(plan.dump(name: name)) }
    return Output.data(
      JSONText.object([
        ("width", .int(plan.outputSize.width)),
        ("height", .int(plan.outputSize.height)),
        ("scale", .number(scale)),
        ("counters", .counters(plan.counters)),
        ("sources", .array(plan.sources.map { json($0, name: name($0.layer)) })),
        ("passes", .array(plan.passes.map { json($0, of: plan) })),
      ]).text)
  }

  private func json(_ source: SourceReport, name: String) -> JSONText {
    let pictures = source.pictures.map { picture in
      JSONText.object([
        ("width", .int(picture.size.width)),
        ("height", .int(picture.size.height)),
        ("uses", .int(picture.uses)),
        ("isExact", .bool(picture.isExact)),
        ("isDrawn", .bool(picture.isDrawn)),
        ("textureCost", .number(picture.textureCost)),
        ("inlineCost", .number(picture.inlineCost)),
      ])
    }
    return .object([
      ("layer", .string(name)),
      ("uses", .int(source.uses)),
      ("primitives", .int(source.primitives)),
      ("inlineUses", .int(source.inlineUses)),
      ("pictures", .array(pictures)),
    ])
  }

  private func json(_ pass: Pass, of plan: FramePlan) -> JSONText {
    let target: JSONText =
      switch pass.target {
      case .output: .string("output")
      case .target(let index): .int(Int(index))
      }
    let batches = plan.batches[pass.firstBatch..<pass.firstBatch + pass.batchCount].map { batch in
      JSONText.object([
        ("program", .string(batch.variant.name)),
        ("isBlended", .bool(batch.isBlended)),
        ("quads", .int(batch.instanceCount)),
      ])
    }
    return .object([
      ("target", target),
      ("width", .int(pass.size.width)),
      ("height", .int(pass.size.height)),
      ("batches", .array(batches)),
    ])
  }
}

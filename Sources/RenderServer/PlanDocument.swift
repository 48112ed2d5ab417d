import Commit
import FramePlan
import Geometry
import JSON

extension ServerCore {
  /// What the last frame of each output did, planned once more from nothing, so that all of it stands there.
  var planDocument: String {
    let all = outputs.values.sorted { $0.number.rawValue < $1.number.rawValue }
    return JSONValue.array(all.map(describePlan)).line
  }

  private func describePlan(_ output: OutputObject) -> JSONValue {
    var planner = FramePlanner()
    let mode = output.mode
    let plan = planner.plan(
      output.lastSnapshot, size: mode.size, scale: mode.scale, background: output.background.premultiplied,
      limits: PlanLimits(maxTextureSize: stage.longestSide))
    return .object([
      ("output", .unsigned(output.number.rawValue)), ("width", .integer(mode.size.width)),
      ("height", .integer(mode.size.height)), ("scale", .number(mode.scale)), ("frames", .unsigned(output.sequence)),
      ("counters", describe(plan.counters)), ("sources", .array(plan.sources.map(describe))),
      ("passes", .array(plan.passes.map { describe($0, of: plan) })),
    ])
  }

  private func describe(_ counters: FrameCounters) -> JSONValue {
    .object([
      ("passes", .integer(counters.passes)), ("batches", .integer(counters.batches)),
      ("quads", .integer(counters.quads)),
      ("layersVisited", .integer(counters.layersVisited)), ("portalsSampled", .integer(counters.portalsSampled)),
      ("portalsInlined", .integer(counters.portalsInlined)), ("sourcesDrawn", .integer(counters.sourcesDrawn)),
      ("groups", .integer(counters.groups)), ("shadedPixels", .integer(counters.shadedPixels)),
      ("targetPixels", .integer(counters.targetPixels)), ("instanceBytes", .integer(counters.instanceBytes)),
    ])
  }

  private func describe(_ source: SourceReport) -> JSONValue {
    let pictures = source.pictures.map { picture in
      JSONValue.object([
        ("width", .integer(picture.size.width)), ("height", .integer(picture.size.height)),
        ("uses", .integer(picture.uses)), ("isExact", .boolean(picture.isExact)),
        ("isDrawn", .boolean(picture.isDrawn)),
        ("textureCost", .number(picture.textureCost)), ("inlineCost", .number(picture.inlineCost)),
      ])
    }
    return .object([
      ("layer", .unsigned(source.layer.rawValue)), ("uses", .integer(source.uses)),
      ("primitives", .integer(source.primitives)), ("inlineUses", .integer(source.inlineUses)),
      ("pictures", .array(pictures)),
    ])
  }

  private func describe(_ pass: Pass, of plan: FramePlan) -> JSONValue {
    let target: JSONValue =
      switch pass.target {
      case .output: .string("output")
      case .target(let index): .integer(Int(index))
      }
    let batches = plan.batches[pass.firstBatch..<pass.firstBatch + pass.batchCount].map { batch in
      JSONValue.object([
        ("program", .string(batch.variant.name)), ("isBlended", .boolean(batch.isBlended)),
        ("quads", .integer(batch.instanceCount)),
      ])
    }
    return .object([
      ("target", target), ("width", .integer(pass.size.width)), ("height", .integer(pass.size.height)),
      ("batches", .array(batches)),
    ])
  }
}

import Commit
import FramePlan
import Geometry

extension RenderServer {
  /// What the last frame of each output did, planned once more from nothing, so that all of it stands there.
  var planDocument: String {
    var text = ""
    let all = outputs.values.sorted { $0.number.rawValue < $1.number.rawValue }
    DocumentValue.list(all.map(describePlan)).write(to: &text)
    return text + "\n"
  }

  private func describePlan(_ output: OutputObject) -> DocumentValue {
    var planner = FramePlanner()
    let mode = output.mode
    let plan = planner.plan(
      output.lastSnapshot, size: mode.size, scale: mode.scale, background: output.background.premultiplied,
      limits: PlanLimits(maxTextureSize: stage.longestSide))
    return .object([
      ("output", .whole(output.number.rawValue)), ("width", .count(mode.size.width)),
      ("height", .count(mode.size.height)), ("scale", .number(mode.scale)), ("frames", .whole(output.sequence)),
      ("counters", describe(plan.counters)), ("sources", .list(plan.sources.map(describe))),
      ("passes", .list(plan.passes.map { describe($0, of: plan) })),
    ])
  }

  private func describe(_ counters: FrameCounters) -> DocumentValue {
    .object([
      ("passes", .count(counters.passes)), ("batches", .count(counters.batches)), ("quads", .count(counters.quads)),
      ("layersVisited", .count(counters.layersVisited)), ("portalsSampled", .count(counters.portalsSampled)),
      ("portalsInlined", .count(counters.portalsInlined)), ("sourcesDrawn", .count(counters.sourcesDrawn)),
      ("groups", .count(counters.groups)), ("shadedPixels", .count(counters.shadedPixels)),
      ("targetPixels", .count(counters.targetPixels)), ("instanceBytes", .count(counters.instanceBytes)),
    ])
  }

  private func describe(_ source: SourceReport) -> DocumentValue {
    let pictures = source.pictures.map { picture in
      DocumentValue.object([
        ("width", .count(picture.size.width)), ("height", .count(picture.size.height)),
        ("uses", .count(picture.uses)), ("isExact", .flag(picture.isExact)), ("isDrawn", .flag(picture.isDrawn)),
        ("textureCost", .number(picture.textureCost)), ("inlineCost", .number(picture.inlineCost)),
      ])
    }
    return .object([
      ("layer", .whole(source.layer.rawValue)), ("uses", .count(source.uses)),
      ("primitives", .count(source.primitives)), ("inlineUses", .count(source.inlineUses)),
      ("pictures", .list(pictures)),
    ])
  }

  private func describe(_ pass: Pass, of plan: FramePlan) -> DocumentValue {
    let target: DocumentValue =
      switch pass.target {
      case .output: .text("output")
      case .target(let index): .count(Int(index))
      }
    let batches = plan.batches[pass.firstBatch..<pass.firstBatch + pass.batchCount].map { batch in
      DocumentValue.object([
        ("program", .text(batch.variant.name)), ("isBlended", .flag(batch.isBlended)),
        ("quads", .count(batch.instanceCount)),
      ])
    }
    return .object([
      ("target", target), ("width", .count(pass.size.width)), ("height", .count(pass.size.height)),
      ("batches", .list(batches)),
    ])
  }
}

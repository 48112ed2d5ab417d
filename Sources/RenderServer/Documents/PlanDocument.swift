import Commit
import FramePlan
import Geometry
import JSON

/// A frame's plan as JSON: for `porthole plan` and for the server's document of that name.
public enum PlanDocument {
  /// The members that say what the frame does.
  /// - Parameters:
  ///   - space: of the frame's values.
  ///   - name: what a layer is called.
  public static func members(
    of plan: FramePlan, scale: Double, space: WorkingSpace = .rgba8, name: (LayerID) -> JSONValue
  ) -> [(String, JSONValue)] {
    [
      ("width", .integer(plan.outputSize.width)), ("height", .integer(plan.outputSize.height)),
      ("scale", .number(scale)), ("format", .string(space.format.rawValue)),
      ("blending", .string(space.encoding.rawValue)), ("counters", .counters(plan.counters)),
      ("sources", .array(plan.sources.map { describe($0, name($0.layer)) })),
      ("passes", .array(plan.passes.map { describe($0, of: plan) })),
    ]
  }

  private static func describe(_ source: SourceReport, _ name: JSONValue) -> JSONValue {
    let pictures = source.pictures.map { picture in
      JSONValue.object([
        ("width", .integer(picture.size.width)), ("height", .integer(picture.size.height)),
        ("uses", .integer(picture.uses)), ("isExact", .boolean(picture.isExact)),
        ("isDrawn", .boolean(picture.isDrawn)), ("textureCost", .number(picture.textureCost)),
        ("inlineCost", .number(picture.inlineCost)),
      ])
    }
    return .object([
      ("layer", name), ("uses", .integer(source.uses)), ("primitives", .integer(source.primitives)),
      ("inlineUses", .integer(source.inlineUses)), ("pictures", .array(pictures)),
    ])
  }

  private static func describe(_ pass: Pass, of plan: FramePlan) -> JSONValue {
    let batches = plan.batches[pass.firstBatch..<pass.firstBatch + pass.batchCount].map { batch in
      JSONValue.object([
        ("program", .string(batch.variant.name)), ("isBlended", .boolean(batch.isBlended)),
        ("quads", .integer(batch.instanceCount)),
      ])
    }
    let target: JSONValue =
      switch pass.target {
      case .output: .string("output")
      case .target(let index): .integer(Int(index))
      }
    return .object([
      ("target", target), ("width", .integer(pass.size.width)), ("height", .integer(pass.size.height)),
      ("batches", .array(batches)),
    ])
  }
}

extension JSONValue {
  /// What a frame counted.
  public static func counters(_ counters: FrameCounters) -> JSONValue {
    .object([
      ("passes", .integer(counters.passes)), ("batches", .integer(counters.batches)),
      ("quads", .integer(counters.quads)), ("layersVisited", .integer(counters.layersVisited)),
      ("portalsSampled", .integer(counters.portalsSampled)), ("portalsInlined", .integer(counters.portalsInlined)),
      ("sourcesDrawn", .integer(counters.sourcesDrawn)), ("groups", .integer(counters.groups)),
      ("shadedPixels", .integer(counters.shadedPixels)), ("targetPixels", .integer(counters.targetPixels)),
      ("instanceBytes", .integer(counters.instanceBytes)),
    ])
  }
}

/// What one pass of a frame drew anew: a rectangle of its target, or all of it.
struct RedrawnPart: Sendable, Hashable {
  /// Nil for the output.
  var target: String?
  var size: PixelSize
  var rect: PixelRect

  static func all(of plan: FramePlan) -> [RedrawnPart] {
    plan.passes.map { pass in
      var target: String?
      if case .target(let index) = pass.target { target = plan.targets[Int(index)].label }
      return RedrawnPart(target: target, size: pass.size, rect: pass.scissor ?? PixelRect(size: pass.size))
    }
  }
}

extension ServerCore {
  private var numberedOutputs: [OutputObject] { outputs.values.sorted { $0.number.rawValue < $1.number.rawValue } }

  /// What the last frame of each output did, planned once more from nothing, so that all of it stands there.
  var planDocument: String {
    JSONValue.array(
      numberedOutputs.map { output in
        var planner = FramePlanner()
        let mode = output.mode
        let plan = planner.plan(
          output.lastSnapshot, size: mode.size, scale: mode.scale, background: output.background.premultiplied,
          limits: PlanLimits(maxTextureSize: stage.longestSide))
        return .object(
          [("output", .unsigned(output.number.rawValue)), ("frames", .unsigned(output.sequence))]
            + PlanDocument.members(of: plan, scale: mode.scale) { .unsigned($0.rawValue) })
      }
    ).line
  }

  /// What the last drawn frame of each output drew anew.
  var damageDocument: String {
    JSONValue.array(
      numberedOutputs.map { output in
        let own = output.lastRedrawn.filter { $0.target == nil }
        return .object([
          ("output", .unsigned(output.number.rawValue)), ("frames", .unsigned(output.sequence)),
          ("outputPixels", .integer(output.mode.size.area)),
          ("redrawnPixels", .integer(own.reduce(0) { $0 + $1.rect.size.area })),
          ("passes", .array(output.lastRedrawn.map(describe))),
        ])
      }
    ).line
  }

  private func describe(_ part: RedrawnPart) -> JSONValue {
    .object([
      ("target", .string(part.target ?? "output")), ("width", .integer(part.size.width)),
      ("height", .integer(part.size.height)), ("x", .integer(Int(part.rect.minX))),
      ("y", .integer(Int(part.rect.minY))), ("redrawnWidth", .integer(part.rect.size.width)),
      ("redrawnHeight", .integer(part.rect.size.height)),
    ])
  }
}

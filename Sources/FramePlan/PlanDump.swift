import Commit
import Geometry

extension FramePlan {
  /// The plan as text, for a person and for tests that assert what was planned: one line a source, pass and batch, with
  /// every quad's place. Deterministic.
  public func dump(name: (LayerID) -> String = { $0.description }) -> String {
    var lines = ["frame \(outputSize.width)×\(outputSize.height)\(words(space))"]
    for source in sources {
      lines.append(
        "source \(name(source.layer)): \(counted(source.uses, "use")) of \(counted(source.primitives, "primitive")), "
          + "\(source.inlineUses) drawn inline")
      for picture in source.pictures {
        lines.append(
          "  \(picture.isExact ? "exact" : "resampled") picture \(picture.size.width)×\(picture.size.height) for "
            + "\(counted(picture.uses, "use")): \(picture.isDrawn ? "drawn" : "not drawn"), it costs "
            + "\(kilo(picture.textureCost)), inline \(kilo(picture.inlineCost))")
      }
    }
    if passes.isEmpty { lines.append("nothing to draw: the output shows this frame") }
    for (index, pass) in passes.enumerated() {
      lines.append(
        "pass \(index) → \(describe(pass.target)) \(pass.size.width)×\(pass.size.height)\(words(pass))"
      )
      for batch in batches[pass.firstBatch..<pass.firstBatch + pass.batchCount] {
        let sampled = batch.texture == .none ? "" : " of \(describe(batch.texture)) \(batch.filter)"
        lines.append(
          "  \(batch.variant.name)\(sampled)\(words(batch.blending))\(batch.isCopy ? " copied" : "") × \(batch.instanceCount)"
        )
      }
    }
    let c = counters
    lines.append(
      "passes \(c.passes), batches \(c.batches), quads \(c.quads), layers visited \(c.layersVisited), "
        + "portals sampled \(c.portalsSampled), inlined \(c.portalsInlined), sources drawn \(c.sourcesDrawn), "
        + "groups \(c.groups), shaded pixels \(c.shadedPixels), target pixels \(c.targetPixels), "
        + "instance bytes \(c.instanceBytes)")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Thousands of pixels filled.
  private func kilo(_ cost: Double) -> String { cost < 1e9 ? "\(Int((cost / 1000).rounded())) kpx" : "beyond measure" }

  private func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

  private func words(_ space: WorkingSpace) -> String {
    space == .rgba8 ? "" : " in \(space.format), blended \(space.encoding)"
  }

  private func words(_ pass: Pass) -> String {
    let part = pass.scissor.map { " within \($0.minX),\($0.minY) – \($0.maxX),\($0.maxY)" } ?? ""
    return part + (pass.keepsContents ? ", on" : "") + (pass.isCovered ? ", covered" : "")
  }

  private func words(_ blending: Blending) -> String {
    switch blending {
    case .replace: ""
    case .over: " blended"
    case .mask: " masking"
    case .erase: " erasing"
    case .add: " added"
    case .screen: " screened"
    }
  }

  private func describe(_ target: TargetReference) -> String {
    switch target {
    case .output: "output"
    case .target(let index): "target \(index) (\(targets[Int(index)].label))"
    }
  }

  private func describe(_ texture: TextureReference) -> String {
    switch texture {
    case .none: "nothing"
    case .image(let index): "image \(index) (\(images[Int(index)].width)×\(images[Int(index)].height))"
    case .target(let index): "target \(index)"
    case .output: "the output"
    case .history(let key): "the last frame of layer \(key)"
    }
  }
}

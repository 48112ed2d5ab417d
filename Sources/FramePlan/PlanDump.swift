import Commit
import Geometry

extension FramePlan {
  /// The plan as text, for a person and for tests that assert what was planned: one line a source, pass and batch, with
  /// every quad's place. Deterministic.
  public func dump(name: (LayerID) -> String = { $0.description }) -> String {
    var lines = ["frame \(outputSize.width)×\(outputSize.height)"]
    for source in sources {
      let choice =
        switch source.choice {
        case .inline: "drawn inline"
        case .textures(let count): count == 1 ? "one texture" : "\(count) textures"
        }
      lines.append(
        "source \(name(source.layer)): \(source.uses) \(source.uses == 1 ? "use" : "uses") of \(source.primitives) "
          + "\(source.primitives == 1 ? "primitive" : "primitives"), \(choice) (\(source.reason))")
    }
    if passes.isEmpty { lines.append("nothing to draw: the output shows this frame") }
    for (index, pass) in passes.enumerated() {
      lines.append("pass \(index) → \(describe(pass.target)) \(pass.size.width)×\(pass.size.height)")
      for batch in batches[pass.firstBatch..<pass.firstBatch + pass.batchCount] {
        let sampled = batch.texture == .none ? "" : " of \(describe(batch.texture)) \(batch.filter)"
        lines.append(
          "  \(batch.variant.name)\(sampled)\(batch.isBlended ? " blended" : "") × \(batch.instanceCount)")
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
    case .history(let key): "the last frame of layer \(key)"
    }
  }
}

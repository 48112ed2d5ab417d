import Commit
import Geometry
import Porthole

/// Bars that are counted and not timed: the same on every machine.
struct CounterBars {
  let scene: BenchScene
  let shape: OutputShape

  func bars() throws(BenchError) -> [Bar] {
    [try movedPortal(), try changedSource(), try nesting(), try memoryOnGPU()]
  }

  /// One of 1,024 portals moves by a pixel: what is shaded, in terms of its own area.
  private func movedPortal() throws(BenchError) -> Bar {
    let layout = BarLayout(.gridBetweenPixels, n: 1024, output: shape.size, source: scene.size)
    let made = try FeatureScene.bar(layout, scene, shape.size)
    let canvas = try SceneCanvas(shape.size, scale: shape.scale, background: made.background)
    made.move(0)
    _ = try canvas.draw(made.root)
    guard let portal = made.root.sublayers.last else { throw BenchError(.scene, "the scene has no portal") }
    var shaded: [Int] = []
    for _ in 0..<8 {
      portal.position = Point(portal.position.x - 1, portal.position.y)
      shaded.append(try canvas.draw(made.root).count.shadedPixels)
    }
    let area = layout.places[0].target.area * shape.scale * shape.scale
    return Bar(
      "one of 1,024 portals moves by a pixel: pixels shaded", Double(shaded.max() ?? 0) / area, limit: 2,
      unit: "areas", note: "\(shaded.max() ?? 0) pixels; the portal has \(Int(area))")
  }

  /// A hundredth of a source changes that 1,024 portals show: what is shaded, in terms of what is where all of it changes.
  private func changedSource() throws(BenchError) -> Bar {
    func shaded(_ percent: Int) throws(BenchError) -> Int {
      let made = FeatureScene.damage(percent: percent, portals: 1024, scene, shape.size)
      let canvas = try SceneCanvas(shape.size, scale: shape.scale, background: made.background)
      made.move(0)
      _ = try canvas.draw(made.root)
      made.move(1)
      return try canvas.draw(made.root).count.shadedPixels
    }
    let (part, all) = (try shaded(1), try shaded(100))
    return Bar(
      "1 % of the source changes, 1,024 portals, over all of it: pixels shaded", Double(part) / Double(max(1, all)),
      limit: 0.1, note: "\(part) and \(all) pixels")
  }

  /// Quads of a nesting eight deep, in terms of one four deep: twice as deep may be twice the work, and not sixteen times.
  private func nesting() throws(BenchError) -> Bar {
    func work(_ depth: Int) throws(BenchError) -> Int {
      let made = try FeatureScene.make(
        FeatureKey(suite: .nesting, value: "\(depth)"), scene: scene, size: shape.size)
      let canvas = try SceneCanvas(shape.size, scale: shape.scale, background: made.background)
      return try canvas.plan(made.root).counters.quads
    }
    let (four, eight) = (try work(4), try work(8))
    return Bar(
      "quads of a nesting 8 deep, over one 4 deep", Double(eight) / Double(max(1, four)), limit: 2,
      note: "\(four) and \(eight) quads; each level shows the one below it twice")
  }

  /// What a portal adds to the GPU's memory, between 1,024 and 4,096.
  private func memoryOnGPU() throws(BenchError) -> Bar {
    func bytes(_ n: Int) throws(BenchError) -> Int {
      let layout = BarLayout(.gridOnPixels, n: n, output: shape.size, source: scene.size)
      let contender = try SceneContender(try FeatureScene.bar(layout, scene, shape.size), shape: shape)
      for frame in 0..<6 { _ = try contender.draw(frame: frame) }
      return contender.canvas.renderer.instanceBytes
    }
    let (few, many) = (try bytes(1024), try bytes(4096))
    return Bar(
      "memory of a portal, GPU", Double(many - few) / 3072, limit: 96, unit: "B",
      note: "the buffers of instances grow from \(few) to \(many) bytes")
  }
}

import Commit
import FramePlan
import Geometry
import RenderTree

/// A pass, a target and a batch to change into any other: only a planner can make them from nothing.
struct PlanTemplates {
  let pass: Pass
  let target: Target
  let batch: Batch

  static let shared = PlanTemplates()

  private init() {
    var tree = RenderTree()
    var planner = FramePlanner()
    // Two layers that overlap in one that is half transparent are composited as a group, in a target of their own.
    let names = (1...4).map { LayerID(rawValue: $0) }
    var changes: [Change] = []
    for name in names {
      changes += [
        .create(name, .layer), .set(name, .bounds(Rect(x: 0, y: 0, width: 8, height: 8))),
        .set(name, .position(Point(x: 4, y: 4))),
      ]
    }
    changes += [.set(names[1], .opacity(0.5)), .insert(names[1], into: names[0], at: 0)]
    for (index, name) in names[2...].enumerated() {
      changes += [.set(name, .backgroundColor(.white)), .insert(name, into: names[1], at: index)]
    }
    try? tree.apply(Commit(changes))
    let plan = planner.plan(
      tree.snapshot(root: names[0]), size: PixelSize(width: 8, height: 8), scale: 1, background: .clear)
    guard let pass = plan.passes.first, let target = plan.targets.first, let batch = plan.batches.first else {
      preconditionFailure("the planner made no group of two layers that overlap: \(plan.dump())")
    }
    (self.pass, self.target, self.batch) = (pass, target, batch)
  }
}

import FramePlan

/// What frames take, stage by stage and pass by pass: for the benchmark, which brings the clock.
package final class FrameInstruments {
  package enum Stage: Int, Sendable, CaseIterable {
    /// Gathering what changed in the layers, and applying it to the tree.
    case apply
    case animate
    /// The snapshot: where portals lie, and what hides.
    case resolve
    case plan
    /// Handing the plan to GL.
    case draw
    /// Waiting for the last pixel.
    case finish
  }

  package struct Pass: Sendable {
    package var target: String
    package var nanoseconds: UInt64
    package var pixels: Int
  }

  private let clock: @Sendable () -> UInt64
  /// Has the GPU finish each pass before the next is begun: what the passes take, but no frame for a clock.
  package var timesPasses = false
  /// By stage, since `reset`.
  package private(set) var nanoseconds = [UInt64](repeating: 0, count: Stage.allCases.count)
  /// Of the last frame that was timed so.
  package var passes: [Pass] = []
  package var shares: [PortalShare] = []
  private var running: Stage?
  private var began: UInt64 = 0

  package init(clock: @escaping @Sendable () -> UInt64) { self.clock = clock }

  package func reset() {
    for index in nanoseconds.indices { nanoseconds[index] = 0 }
  }

  /// Ends the stage that is running, and begins one; nil begins none.
  func begin(_ stage: Stage?) {
    let now = clock()
    if let running { nanoseconds[running.rawValue] &+= now &- began }
    (running, began) = (stage, now)
  }

  /// Takes the times at which passes ended.
  func note(_ ends: [UInt64], since start: UInt64, of plan: FramePlan, name: (TargetReference) -> String) {
    passes.removeAll()
    var last = start
    for (end, pass) in zip(ends, plan.passes) {
      passes.append(Pass(target: name(pass.target), nanoseconds: end &- last, pixels: pass.shadedPixels))
      last = end
    }
  }

  var passClock: (@Sendable () -> UInt64)? { timesPasses ? clock : nil }
}

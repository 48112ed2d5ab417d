import JSON
import Porthole
import RenderServer

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
      JSONValue.object(PlanDocument.members(of: plan, scale: scale, space: space) { .string(name($0)) }).text)
  }
}

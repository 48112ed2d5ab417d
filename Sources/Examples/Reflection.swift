import Porthole

/// Tiles that hop on a polished floor. All of it stands in the scene: the mirror image is one portal of the stage, upside
/// down, blurred a little and fading out.
public final class Reflection: Example {
  public static let name = "reflection"
  public static let duration = 3.2
  public let scene: Scene
  public let stage: Layer
  public let portal: PortalLayer
  public let floor: Layer

  public init(_ scene: Scene) throws(ExampleError) {
    self.scene = scene
    stage = try scene.require("stage")
    portal = try scene.require("reflection", PortalLayer.self)
    floor = try scene.require("floor")
  }

  public func prepare(for time: Double) {}
}

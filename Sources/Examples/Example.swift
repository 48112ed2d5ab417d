import Porthole

/// A small program: a scene that was read from its file, and what happens to its layers.
public protocol Example: AnyObject {
  /// As the scene's file is called.
  static var name: String { get }
  /// Of its film, in seconds.
  static var duration: Double { get }
  var scene: Scene { get }

  init(_ scene: Scene) throws(ExampleError)

  /// Does what is to happen by now; before each frame, with times that rise.
  func prepare(for time: Double)
}

/// All of them.
public enum Examples {
  public static var all: [any Example.Type] {
    [
      PictureInPicture.self, HeroTransition.self, Reflection.self, GradientBubbles.self, WarpedList.self,
      CameraTray.self, GlassTabBar.self, Magnifier.self,
    ]
  }

  public static func named(_ name: String) -> (any Example.Type)? { all.first { $0.name == name } }
}

/// A scene that is not what its example expects.
public struct ExampleError: Error, Sendable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

extension Scene {
  /// The same without what moves it where nobody else does: the layers and animations that are called `alone`.
  func takenOver() -> Scene {
    var scene = self
    scene.stop { $0.hasPrefix("alone") }
    for id in layerIDs where id.hasPrefix("alone") { layer(id)?.removeFromSuperlayer() }
    return scene
  }

  /// The layer of that id, of the kind that is asked for.
  func require<Kind: Layer>(_ id: String, _ kind: Kind.Type = Layer.self) throws(ExampleError) -> Kind {
    guard let layer = layer(id) as? Kind else {
      throw ExampleError(
        "the scene “\(name)” has no \(Kind.self) of the id “\(id)”; take the file of the examples folder")
    }
    return layer
  }
}

import Commit
import FramePlan
import Geometry
import Porthole
import ReferenceRenderer
import RenderTree
import TestSupport

/// Draws a scene with both renderers and says how far apart the pictures are.
struct Agreement {
  /// Of the frame, in seconds after the scene was made.
  var time: Double
  var limits: ImageComparison.Tolerance
  var size = PixelSize(width: 192, height: 144)
  var scale = 2.0

  /// The expected picture is the reference's, the other GL's.
  func pictures(of roots: [TestLayer]) throws -> (expected: Image, got: Image) {
    var tree = try RenderTree(roots: roots)
    var frames: [Snapshot] = []
    // A portal that shows the frame before it needs one.
    if roots.contains(where: \.showsPreviousFrame) {
      tree.advance(to: time / 2)
      frames.append(tree.snapshot(root: roots[0].id))
    }
    tree.advance(to: time)
    frames.append(tree.snapshot(root: roots[0].id))
    return (
      try Stage.shared.draw(frames, .reference, size: size, scale: scale),
      try Stage.shared.draw(frames, .gl, size: size, scale: scale)
    )
  }

  func comparison(of roots: [TestLayer]) throws -> ImageComparison {
    let pictures = try pictures(of: roots)
    return try ImageComparison(expected: pictures.expected, got: pictures.got)
  }

  func fails(_ roots: [TestLayer]) -> Bool { (try? comparison(of: roots))?.passes(limits) == false }
}

extension TestLayer {
  fileprivate var showsPreviousFrame: Bool {
    subtree.contains { layer in
      layer.properties.contains { if case .recursion(.previousFrame) = $0 { true } else { false } }
    }
  }
}

extension ImageComparison.Tolerance {
  /// Of the class, or of all the classes, of what is in a scene.
  static func of(_ traits: RandomScene.Traits) -> Self {
    var limits = ImageComparison.SceneClass.flat.tolerance
    if traits.contains(.resampled) { limits = limits.or(.resampled) }
    if traits.contains(.perspective) { limits = limits.or(.perspective) }
    if traits.contains(.blurred) { limits = limits.or(.blur) }
    return limits
  }
}

import Commit
import FramePlan
import Geometry
import Porthole
import ReferenceRenderer
import RenderTree
import TestSupport

/// Draws a scene with both renderers and says how far apart the pictures are.
///
/// Eight bits round what is drawn into a picture of its own once more wherever that is drawn on, each renderer at its own places.
/// What is off by so little, and in half floats is not, is off by that alone: docs/decisions/0022 says how little.
struct Agreement {
  /// Of the frame, in seconds after the scene was made.
  var time: Double
  var limits: ImageComparison.Tolerance
  var size = PixelSize(width: 192, height: 144)
  var scale = 2.0

  /// The expected picture is the reference's, the other GL's.
  func pictures(
    of roots: [TestLayer], in space: WorkingSpace = .rgba8
  ) throws -> (expected: Image, got: Image) {
    let frames = try frames(of: roots)
    return (
      try Stage.shared.draw(frames, .reference, size: size, scale: scale, in: space),
      try Stage.shared.draw(frames, .gl, size: size, scale: scale, in: space)
    )
  }

  private func frames(of roots: [TestLayer]) throws -> [Snapshot] {
    var tree = try RenderTree(roots: roots)
    var frames: [Snapshot] = []
    // A portal that shows the frame before it needs one.
    if roots.contains(where: \.showsPreviousFrame) {
      tree.advance(to: time / 2)
      frames.append(tree.snapshot(root: roots[0].id))
    }
    tree.advance(to: time)
    frames.append(tree.snapshot(root: roots[0].id))
    return frames
  }

  func comparison(of roots: [TestLayer], in space: WorkingSpace = .rgba8) throws -> ImageComparison {
    let pictures = try pictures(of: roots, in: space)
    return try ImageComparison(expected: pictures.expected, got: pictures.got)
  }

  func fails(_ roots: [TestLayer]) -> Bool { (try? fault(in: roots)) != nil }

  /// How the pictures differ, where that is more than two right renderers may differ by.
  func fault(in roots: [TestLayer]) throws -> ImageComparison? {
    let encoded = try comparison(of: roots)
    if encoded.passes(limits) { return nil }
    guard encoded.passes(rounded(try roundings(of: roots))) else { return encoded }
    let exact = try comparison(of: roots, in: .rgba16f(blending: .encoded))
    return exact.passes(limits) ? nil : exact
  }

  /// How many pictures of their own the plan of the scene's last frame has: groups and what is done to them, sources, captures.
  private func roundings(of roots: [TestLayer]) throws -> Int {
    var planner = FramePlanner()
    var passes = 0
    for frame in try frames(of: roots) {
      passes = planner.plan(frame, size: size, scale: scale, background: .clear).targets.count
    }
    return passes
  }

  /// What the class allows, and in smooth places half a code for each rounding of either renderer: of that many none is off by
  /// more than there are, and so few lie over each other that more than eight would be something else.
  private func rounded(_ roundings: Int) -> ImageComparison.Tolerance {
    var limits = limits
    limits.interior = max(limits.interior, min(8, roundings))
    limits.smooth2 = 1
    return limits
  }
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

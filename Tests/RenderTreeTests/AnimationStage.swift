import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

extension RenderTree {
  mutating func add(
    _ layer: UInt64, _ path: String, _ motion: PropertyAnimation.Motion, isAdditive: Bool = false, key: String? = nil,
    token: UInt64 = 0, _ timing: AnimationTiming = AnimationTiming(duration: 1)
  ) throws {
    let keyPath = try #require(AnimationKeyPath(path))
    try apply(
      Commit([
        .addAnimation(
          LayerID(rawValue: layer), key: key ?? path,
          Animation(PropertyAnimation(keyPath, motion, isAdditive: isAdditive), timing: timing, token: token))
      ]))
  }

  /// What the layer shows of its position.
  func position(of layer: UInt64) throws -> Point {
    let changes = try #require(presentation(of: LayerID(rawValue: layer)))
    for case .position(let point) in changes { return point }
    throw Absent()
  }

  struct Absent: Error {}

  /// Everything that a frame shows, to compare.
  mutating func picture(root: UInt64 = 1) -> String {
    let snapshot = snapshot(root: root)
    return snapshot.nodes.map { "\($0)" }.joined(separator: "\n") + "\(snapshot.portals)\n\(snapshot.effects)"
      + "\(snapshot.gradients)"
  }

  func id(_ layer: UInt64) -> LayerID { LayerID(rawValue: layer) }
}

extension PropertyAnimation.Motion {
  static func numbers(_ from: Double?, _ to: Double?) -> Self {
    .basic(.init(from: from.map { .number($0) }, to: to.map { .number($0) }))
  }

  static func points(_ from: Point?, _ to: Point?) -> Self {
    .basic(.init(from: from.map { .point($0) }, to: to.map { .point($0) }))
  }
}

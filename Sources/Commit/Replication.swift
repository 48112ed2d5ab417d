import Geometry

/// How a replicator layer copies its sublayers (`CAReplicatorLayer`). The first instance is number 0, at the back.
public struct Replication: Sendable, Hashable {
  /// The most instances of one layer.
  public static let instanceLimit = 65_536

  /// From 0, which draws no sublayers, to `instanceLimit`.
  public var instanceCount: Int
  /// From an instance to the next, about the replicator's anchor point.
  public var instanceTransform: Transform3D
  /// What the first instance is multiplied by, component by component.
  public var instanceColor: Color
  /// What is added to the colour's components from an instance to the next; the sums are held to 0…1.
  public var instanceRedOffset: Float
  public var instanceGreenOffset: Float
  public var instanceBlueOffset: Float
  public var instanceAlphaOffset: Float
  /// In seconds, how much later an instance's animations run than those of the one before.
  public var instanceDelay: Double

  public init(
    instanceCount: Int = 1, instanceTransform: Transform3D = .identity, instanceColor: Color = .white,
    instanceRedOffset: Float = 0, instanceGreenOffset: Float = 0, instanceBlueOffset: Float = 0,
    instanceAlphaOffset: Float = 0, instanceDelay: Double = 0
  ) {
    self.instanceCount = instanceCount
    self.instanceTransform = instanceTransform
    self.instanceColor = instanceColor
    self.instanceRedOffset = instanceRedOffset
    self.instanceGreenOffset = instanceGreenOffset
    self.instanceBlueOffset = instanceBlueOffset
    self.instanceAlphaOffset = instanceAlphaOffset
    self.instanceDelay = instanceDelay
  }

  /// What an instance is multiplied by, straight, each component from 0 to 1.
  public func color(ofInstance number: Int) -> Color {
    func held(_ value: Float, _ offset: Float) -> Float { min(1, max(0, value + offset * Float(number))) }
    return Color(
      red: held(instanceColor.red, instanceRedOffset), green: held(instanceColor.green, instanceGreenOffset),
      blue: held(instanceColor.blue, instanceBlueOffset), alpha: held(instanceColor.alpha, instanceAlphaOffset))
  }

  public var isFinite: Bool {
    instanceTransform.isFinite && instanceColor.isFinite && instanceRedOffset.isFinite && instanceGreenOffset.isFinite
      && instanceBlueOffset.isFinite && instanceAlphaOffset.isFinite && instanceDelay.isFinite
  }
}

import Commit
import Geometry

/// A layer that draws its sublayers many times (`CAReplicatorLayer`), each instance as cheaply as a portal does. Instances are
/// drawn back to front, the first one rearmost.
public final class ReplicatorLayer: Layer {
  private struct Values {
    var replication = Replication()
  }

  private var replicatorValues = Values()

  /// Its properties as one value.
  public var replication: Replication {
    get { replicatorValues.replication }
    set { if changes(&replicatorValues.replication, to: newValue) { note(.replication) } }
  }

  /// From 0, which draws no sublayers, to 65,536.
  public var instanceCount: Int {
    get { replication.instanceCount }
    set { replication.instanceCount = newValue }
  }

  /// From each instance to the next, about the anchor point.
  public var instanceTransform: Transform3D {
    get { replication.instanceTransform }
    set { replication.instanceTransform = newValue }
  }

  /// What the first instance's colours are multiplied by.
  public var instanceColor: Color {
    get { replication.instanceColor }
    set { replication.instanceColor = newValue }
  }

  /// What is added to the red of `instanceColor` from each instance to the next; held to 0…1, as are the others.
  public var instanceRedOffset: Float {
    get { replication.instanceRedOffset }
    set { replication.instanceRedOffset = newValue }
  }

  public var instanceGreenOffset: Float {
    get { replication.instanceGreenOffset }
    set { replication.instanceGreenOffset = newValue }
  }

  public var instanceBlueOffset: Float {
    get { replication.instanceBlueOffset }
    set { replication.instanceBlueOffset = newValue }
  }

  public var instanceAlphaOffset: Float {
    get { replication.instanceAlphaOffset }
    set { replication.instanceAlphaOffset = newValue }
  }

  /// In seconds, how much later each instance's animations run than those of the one before.
  public var instanceDelay: Double {
    get { replication.instanceDelay }
    set { replication.instanceDelay = newValue }
  }

  override var kind: LayerKind { .replicator }

  override func change(_ property: LayerProperty) -> PropertyChange? {
    property == .replication ? .replication(replication) : super.change(property)
  }
}

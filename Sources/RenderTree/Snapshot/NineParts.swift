import Geometry

/// A picture of which the middle alone is stretched (`contentsCenter`): nine parts, each mapped by itself.
public struct SnapshotNineParts: Sendable {
  /// Index of the layer's node.
  public var node: Int32
  public var columns: Cuts
  public var rows: Cuts
}

/// Where a picture is cut one way: four places in its texels, and where they lie in layer space. Rising.
public struct Cuts: Sendable {
  public var texels: (Double, Double, Double, Double)
  public var points: (Double, Double, Double, Double)

  public init(
    texels: (Double, Double, Double, Double), points: (Double, Double, Double, Double)
  ) {
    self.texels = texels
    self.points = points
  }

  /// The three parts: from where to where in texels, and in points. Some may have no length.
  public var parts: [(texels: (Double, Double), points: (Double, Double))] {
    [
      ((texels.0, texels.1), (points.0, points.1)), ((texels.1, texels.2), (points.1, points.2)),
      ((texels.2, texels.3), (points.2, points.3)),
    ]
  }
}

extension Snapshot {
  /// How a node's picture is cut; nil for one that is stretched as a whole.
  public func nineParts(of node: Int32) -> SnapshotNineParts? {
    guard nodes[Int(node)].flags.contains(.hasNineParts) else { return nil }
    var (low, high) = (0, nineParts.count)
    while low < high {
      let middle = (low + high) / 2
      if nineParts[middle].node < node { low = middle + 1 } else { high = middle }
    }
    return low < nineParts.count && nineParts[low].node == node ? nineParts[low] : nil
  }
}

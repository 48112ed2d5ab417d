import FramePlan

/// What a frame took.
public struct FrameReport: Sendable, Hashable {
  public enum Result: Sendable, Hashable {
    case drawn
    /// The output shows this frame already: nothing was drawn.
    case unchanged
    /// A render server has what changed; the report of its frame comes later.
    case sent
  }

  public var result: Result
  /// How many changes of layers the frame committed.
  public var changesCommitted: Int
  /// All zero for an unchanged frame.
  public var counters: FrameCounters
  /// What a person should know about the scene, such as a portal that shows itself.
  public var diagnostics: [String]
}

/// A layer that a point hits.
public struct Hit {
  public var layer: Layer
  /// In the layer's own space.
  public var point: Point
  /// The layer is a portal; where it forwards, the next one lies inside its source.
  public var isPortal: Bool
}

/// What a plan may leave out or put together: all of it, unless one looks for a fault. The picture is the same.
public struct PlanOptions: Sendable, Hashable {
  /// Leaves out what is hidden by what lies in front.
  public var culls = true
  /// Draws only what differs from the frame before.
  public var tracksDamage = true
  /// Draws quads of one kind together.
  public var batches = true
  /// Draws sources once for many portals. What is so drawn may be resampled, and differs within what that does.
  public var caches = true

  /// Goes on from the last plan where little has changed.
  public var reuses = true

  public init() {}

  /// The names of all switches.
  public static let switches = ["nocull", "nodamage", "nobatch", "nocache", "noreuse"]

  /// With what these names switch off. Others are passed over.
  public init(switches: [String]) {
    culls = !switches.contains("nocull")
    tracksDamage = !switches.contains("nodamage")
    batches = !switches.contains("nobatch")
    caches = !switches.contains("nocache")
    reuses = !switches.contains("noreuse")
  }
}

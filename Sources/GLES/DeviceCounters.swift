/// What was sent to GL: exact counts.
public struct DeviceCounters: Sendable, Hashable {
  public internal(set) var drawCalls = 0
  public internal(set) var instances = 0
  public internal(set) var clears = 0
  public internal(set) var copies = 0
  /// By those.
  public internal(set) var copiedPixels = 0
  public internal(set) var mipGenerations = 0
  /// Pixels and instances.
  public internal(set) var uploadedBytes = 0
  /// Changes only: what was bound already doesn't count.
  public internal(set) var programBinds = 0
  public internal(set) var textureBinds = 0
  public internal(set) var samplerBinds = 0
  public internal(set) var framebufferBinds = 0

  public init() {}
}

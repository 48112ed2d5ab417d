import GLRenderer

/// What a renderer holds on the device between frames.
public struct RendererMemory: Sendable, Hashable {
  /// Pictures of layers, each in a texture.
  public var images: Int
  /// Off-screen pictures of sources and groups, those of the last frame and those kept for the next.
  public var targets: Int
  /// Of everything.
  public var bytes: Int
  /// Bytes of pictures that the last drawn frame brought to the device.
  public var uploadedBytes: Int

  init(_ statistics: RendererStatistics) {
    images = statistics.images
    targets = statistics.targetsInUse + statistics.targetsFree
    bytes = statistics.totalBytes
    uploadedBytes = statistics.lastFrame.uploadedBytes
  }
}

import GLES

/// What a renderer holds, and what its last frame did.
public struct RendererStatistics: Sendable, Hashable {
  /// Frames drawn since the start.
  public var framesDrawn = 0
  /// What the last drawn frame sent to GL.
  public var lastFrame = DeviceCounters()
  /// Images uploaded by the last drawn frame.
  public var imagesUploaded = 0

  /// Images that are too large for the driver and are drawn as transparent.
  public var imagesRefused = 0
  public var images = 0
  public var targetsInUse = 0
  public var targetsFree = 0
  public var histories = 0

  // Bytes of the GPU's memory, by kind.
  public var outputBytes = 0
  public var imageBytes = 0
  public var targetBytes = 0
  public var historyBytes = 0
  public var instanceBytes = 0

  public var totalBytes: Int { outputBytes + imageBytes + targetBytes + historyBytes + instanceBytes }

  public init() {}
}

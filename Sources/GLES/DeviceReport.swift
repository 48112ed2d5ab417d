/// A device in words and numbers, for a person: `porthole info` prints it.
public struct DeviceReport: Sendable {
  public let displayKind: DisplayKind
  /// The displays that were tried; the last was taken.
  public let attempts: [DisplayAttempt]
  public let vendor: String
  public let renderer: String
  public let version: String
  public let shadingLanguageVersion: String
  /// Whether the processor draws.
  public let isSoftware: Bool
  public let isDebug: Bool
  public let limits: [(name: String, value: Int)]
  public let dmaBuffers: DmaBufferSupport
  public let features: [Capabilities.Feature]
  /// In alphabetical order.
  public let extensions: [String]
  /// Those of the EGL display, in alphabetical order.
  public let displayExtensions: [String]
}

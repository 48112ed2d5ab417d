internal import CGLES

/// What the driver can do, as far as our code asks for it. An extension in the driver's list is not yet a feature: a
/// feature also has the functions, the context and the counters that it needs.
public struct Capabilities: Sendable {
  /// One thing that our code asks for.
  public struct Feature: Sendable, Hashable {
    public let name: String
    public let isPresent: Bool
    /// What it is for, and what goes without it.
    public let note: String
  }

  public let version: GLVersion
  /// GL's messages come by a callback, objects have labels, passes are groups.
  public let hasDebugOutput: Bool
  /// A GPU reset is told of, and a frame after it gives `deviceLost`.
  public let hasResetStatus: Bool
  /// GPU time can be asked for. Whether it is true is another question.
  public let hasTimerQueries: Bool
  /// Half floats can be drawn into and blended.
  public let drawsHalfFloats: Bool
  /// Which dma-bufs can be drawn and drawn into.
  public let dmaBuffers: DmaBufferSupport
  /// The kernel's number (`dev_t`) of the DRM node that draws; nil where none is known.
  public let drmNode: UInt64?
  /// The context stands on no surface at all.
  public let isSurfaceless: Bool

  /// Longest side of a texture, in pixels.
  public let maxTextureSize: Int
  /// Longest side of a viewport, in pixels.
  public let maxViewportSize: Int
  public let maxVertexAttributes: Int
  public let maxTextureUnits: Int
  public let maxVaryingVectors: Int
  /// Bits of the counter of elapsed time; 0 without timer queries.
  public let elapsedTimeBits: Int
  /// Bits of the counter of moments; 0 where there are none.
  public let timestampBits: Int

  public let extensions: Set<String>

  init(
    context: Context, version: GLVersion, extensions: Set<String>, procedures: Procedures,
    dmaBuffers: DmaBufferSupport
  ) {
    self.dmaBuffers = dmaBuffers
    drmNode = context.display.drmNode
    self.version = version
    self.extensions = extensions
    hasDebugOutput = procedures.debugMessageCallback != nil
    hasResetStatus = context.isToldOfResets && procedures.resetStatus != nil
    elapsedTimeBits = procedures.counterBits(GL_TIME_ELAPSED_EXT)
    timestampBits = procedures.counterBits(GL_TIMESTAMP_EXT)
    hasTimerQueries = elapsedTimeBits > 0
    isSurfaceless = context.isSurfaceless
    drawsHalfFloats = Self.drawsHalfFloats(version, extensions)
    maxTextureSize = Self.limit(GL_MAX_TEXTURE_SIZE)
    maxViewportSize = Self.limit(GL_MAX_VIEWPORT_DIMS, count: 2)
    maxVertexAttributes = Self.limit(GL_MAX_VERTEX_ATTRIBS)
    maxTextureUnits = Self.limit(GL_MAX_TEXTURE_IMAGE_UNITS)
    maxVaryingVectors = Self.limit(GL_MAX_VARYING_VECTORS)
  }

  /// Longest side of something that is drawn into.
  public var maxTargetSize: Int { min(maxTextureSize, maxViewportSize) }

  public var features: [Feature] {
    [
      Feature(
        name: "debug output", isPresent: hasDebugOutput,
        note: "GL's messages in the log, names of objects and passes in captures (GL_KHR_debug)"),
      Feature(
        name: "reset status", isPresent: hasResetStatus,
        note: "a GPU reset is noticed at the next frame; without it, only by errors (GL_KHR_robustness)"),
      Feature(
        name: "timer queries", isPresent: hasTimerQueries,
        note: "GPU time; to be proved before it is believed (GL_EXT_disjoint_timer_query)"),
      Feature(
        name: "half float targets", isPresent: drawsHalfFloats,
        note: "--format rgba16f (GL_EXT_color_buffer_half_float, GL_EXT_color_buffer_float or OpenGL ES 3.2)"),
      Feature(
        name: "surfaceless context", isPresent: isSurfaceless,
        note: "no surface is made; without it, one of a single pixel (EGL_KHR_surfaceless_context)"),
      dmaBufferFeature,
    ]
  }

  private var dmaBufferFeature: Feature {
    switch dmaBuffers {
    case .formats(let formats):
      Feature(
        name: "dma-buf import", isPresent: true, note: "pictures are shared with no copy, \(formats.count) formats")
    case .none(let reason): Feature(name: "dma-buf import", isPresent: false, note: reason)
    }
  }

  public var limits: [(name: String, value: Int)] {
    [
      ("texture size", maxTextureSize), ("viewport size", maxViewportSize),
      ("vertex attributes", maxVertexAttributes), ("texture units", maxTextureUnits),
      ("varying vectors", maxVaryingVectors), ("elapsed time bits", elapsedTimeBits),
      ("timestamp bits", timestampBits),
    ]
  }

  /// What a driver says of itself when half floats are among what it draws into.
  package static func drawsHalfFloats(_ version: GLVersion, _ extensions: Set<String>) -> Bool {
    version >= GLVersion(major: 3, minor: 2)
      || !extensions.isDisjoint(with: ["GL_EXT_color_buffer_half_float", "GL_EXT_color_buffer_float"])
  }

  /// The smallest of the numbers that GL gives for one limit.
  private static func limit(_ name: Int32, count: Int = 1) -> Int {
    var values: [GLint] = [0, 0]
    glGetIntegerv(GLenum(name), &values)
    return Int(values.prefix(count).min() ?? 0)
  }
}

/// A version of OpenGL ES.
public struct GLVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
  public let major: Int
  public let minor: Int

  public init(major: Int, minor: Int) {
    self.major = major
    self.minor = minor
  }

  /// That of the calling thread's context.
  static var current: GLVersion {
    var (major, minor): (GLint, GLint) = (0, 0)
    glGetIntegerv(GLenum(GL_MAJOR_VERSION), &major)
    glGetIntegerv(GLenum(GL_MINOR_VERSION), &minor)
    return GLVersion(major: Int(major), minor: Int(minor))
  }

  public static func < (a: GLVersion, b: GLVersion) -> Bool { (a.major, a.minor) < (b.major, b.minor) }

  public var description: String { "\(major).\(minor)" }
}

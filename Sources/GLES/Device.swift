internal import CGLES
import Diagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An OpenGL ES 3 context without a screen, and the only way to it: everything that speaks to GL is a method here.
///
/// It belongs to the thread that made it (a `NamedThread`, say), and so do the things made on it; they may be released
/// anywhere, since their names go through a graveyard. It holds GL's state as it was last set, so nobody else may set
/// it within a frame. Nothing is ever flipped: row 0 of every texture and target is the top row.
/// - Important: Use it on its own thread, and `shutdown()` it there.
public final class Device {
  public let displayKind: DisplayKind
  /// The displays that were tried; the last was taken.
  public let attempts: [DisplayAttempt]
  public let capabilities: Capabilities
  public let report: DeviceReport
  /// Whether GL's messages are read, objects labelled and passes grouped.
  public let isDebug: Bool
  /// What was done since `resetCounters()`.
  public internal(set) var counters = DeviceCounters()

  let procedures: Procedures
  let graveyard = Graveyard()
  var state = StateCache()
  /// Why the GPU is gone; nil while it is there.
  var loss: String?
  private var notedErrors: [String] = []
  private let debugOutput = DebugOutput()
  let context: Context
  /// Nil where the display has none.
  let images: ImageProcedures?
  let fences: FenceProcedures?
  private let turn: DriverTurn
  private let thread = pthread_self()
  private var isShutDown = false

  /// Opens a display and makes a context on it, for the calling thread.
  /// - Parameters:
  ///   - choice: which display; nil takes `PORTHOLE_DISPLAY`'s or, without it, the first that works.
  ///   - debug: whether GL's debug messages are on; nil means in debug builds and with `PORTHOLE_GLDEBUG`.
  /// - Throws: `unknownDisplay`, or `noDisplay` with every display that was tried and why it was refused.
  public init(display choice: DisplayChoice? = nil, debug: Bool? = nil) throws(DeviceError) {
    let wantsDebug = debug ?? Self.debugIsOn
    let wanted: DisplayChoice
    if let choice {
      wanted = choice
    } else {
      wanted = try Self.choice(in: .current)
    }
    // The driver is known only when a context is there.
    let opening = DriverTurn(isNeeded: true)
    opening.begin()
    defer { opening.end() }
    let selection = try DisplaySelection(wanted, debug: wantsDebug)
    let context = selection.context
    let extensions = Self.extensions()
    let version = GLVersion.current
    let procedures = Procedures(version: version, extensions: extensions)
    let renderer = RendererName.current
    let images = ImageProcedures(display: context.display, extensions: extensions)
    let capabilities = Capabilities(
      context: context, version: version, extensions: extensions, procedures: procedures,
      dmaBuffers: DmaBufferSupport(context.display, images))

    turn = DriverTurn(isNeeded: renderer.isSoftware)
    self.context = context
    self.images = images
    fences = FenceProcedures(display: context.display)
    self.procedures = procedures
    self.capabilities = capabilities
    displayKind = context.display.kind
    attempts = selection.attempts
    isDebug = wantsDebug && capabilities.hasDebugOutput
    // A driver may object to a question about a limit that it doesn't have.
    _ = glGetError()
    report = DeviceReport(
      displayKind: context.display.kind, attempts: selection.attempts, vendor: GLString.read(GL_VENDOR),
      renderer: renderer.text, version: GLString.read(GL_VERSION),
      shadingLanguageVersion: GLString.read(GL_SHADING_LANGUAGE_VERSION), isSoftware: renderer.isSoftware,
      isDebug: isDebug, limits: capabilities.limits, dmaBuffers: capabilities.dmaBuffers,
      features: capabilities.features,
      extensions: extensions.sorted(), displayExtensions: context.display.extensions.map(String.init).sorted())
    if isDebug { debugOutput.start(procedures) }
    setBaseline()
    Log.debug("gles", "\(renderer.text), OpenGL ES \(version), by \(attempts.last?.description ?? "")")
  }

  deinit {
    if !isShutDown {
      Log.error("gles", "a device was released without shutdown()")
      endContext()
    }
  }

  /// What lives on the device: all zero when everything made on it was released.
  public var liveNames: LiveNames { graveyard.live }

  /// Deletes what was released, ends the context and its display. Things that still live are dead from now on; the log
  /// tells of them. A second call does nothing.
  public func shutdown() {
    beginCall()
    defer { endCall() }
    guard !isShutDown else { return }
    endContext()
    let left = liveNames
    if left.total > 0 { Log.error("gles", "\(left.total) GL names outlive their device: \(left)") }
  }

  /// Deletes what was released, and looks whether the GPU is still there. To be called once before each frame.
  /// - Returns: why the device is lost; nil where it is well.
  public func beginFrame() -> String? {
    beginCall()
    defer { endCall() }
    if let loss = lookForLoss() { return loss }
    drainGraveyard()
    setBaseline()
    return nil
  }

  /// Why the GPU is gone; nil while it is there. One call to the driver.
  public func lookForLoss() -> String? {
    beginCall()
    defer { endCall() }
    if isShutDown { return "the device was shut down" }
    if loss != nil { return loss }
    guard context.makeCurrent() else {
      loss = "the context can't be made current: \(EGLFailure.last("eglMakeCurrent"))"
      return loss
    }
    guard capabilities.hasResetStatus, let status = procedures.resetStatus?() else { return nil }
    switch Int32(bitPattern: status) {
    case GL_NO_ERROR: return nil
    case GL_GUILTY_CONTEXT_RESET_EXT: loss = "the GPU was reset because of what this context did"
    case GL_INNOCENT_CONTEXT_RESET_EXT: loss = "the GPU was reset because of another context"
    default: loss = "the GPU was reset for a reason that it doesn't know"
    }
    return loss
  }

  /// What went wrong in GL since the last call, one text for each error; empty when all is well.
  public func takeErrors() -> [String] {
    beginCall()
    defer { endCall() }
    defer { notedErrors.removeAll(keepingCapacity: true) }
    return notedErrors + takeNewErrors()
  }

  /// Puts what went wrong so far aside, so that `takeNewErrors` tells of the next call alone.
  func noteErrors() { notedErrors += takeNewErrors() }

  func takeNewErrors() -> [String] {
    var errors = isDebug ? debugOutput.takeErrors() : []
    let areTold = !errors.isEmpty
    // A lost context gives errors without end.
    for _ in 0..<8 {
      let code = Int32(bitPattern: glGetError())
      if code == GL_NO_ERROR { break }
      if !areTold { errors.append(GLErrorName.text(code)) }
    }
    return errors
  }

  /// Waits until the GPU has done everything.
  public func finish() {
    beginCall()
    defer { endCall() }
    glFinish()
  }

  /// Has the GPU begin what it was given.
  public func flush() {
    beginCall()
    defer { endCall() }
    glFlush()
  }

  public func resetCounters() { counters = DeviceCounters() }

  /// Deletes the names of what was released.
  public func drainGraveyard() {
    beginCall()
    defer { endCall() }
    graveyard.drain { name in
      state.forget(name)
      Self.delete(name)
    }
  }

  func assertOnThread() {
    assert(pthread_equal(thread, pthread_self()) != 0, "a device was used on another thread than its own")
  }

  /// What each call begins with: it is on the device's thread, and takes its turn at the driver until `endCall`.
  @inline(__always)
  func beginCall() {
    assertOnThread()
    turn.begin()
  }

  @inline(__always)
  func endCall() { turn.end() }

  private func endContext() {
    isShutDown = true
    turn.begin()
    defer { turn.end() }
    if context.makeCurrent() {
      if isDebug { debugOutput.stop(procedures) }
      graveyard.drain { Self.delete($0) }
    }
    graveyard.close()
    let display = context.display
    context.close()
    display.close()
  }

  private static func delete(_ name: Graveyard.Name) {
    switch name {
    case .texture(var name): glDeleteTextures(1, &name)
    case .framebuffer(var name): glDeleteFramebuffers(1, &name)
    case .buffer(var name): glDeleteBuffers(1, &name)
    case .vertexArray(var name): glDeleteVertexArrays(1, &name)
    case .sampler(var name): glDeleteSamplers(1, &name)
    case .program(let name): glDeleteProgram(name)
    case .query(var name): glDeleteQueries(1, &name)
    case .fence(let address): glDeleteSync(OpaquePointer(bitPattern: address))
    }
  }

  private static func choice(in environment: Environment) throws(DeviceError) -> DisplayChoice {
    guard let text = environment.display else { return .automatic }
    guard let choice = DisplayChoice(text) else { throw .unknownDisplay(text) }
    return choice
  }

  private static var debugIsOn: Bool {
    #if DEBUG
      true
    #else
      Environment.current.isGLDebugRequested
    #endif
  }

  private static func extensions() -> Set<String> {
    var count: GLint = 0
    glGetIntegerv(GLenum(GL_NUM_EXTENSIONS), &count)
    return Set((0..<max(0, Int(count))).map { GLString.read(GL_EXTENSIONS, at: $0) })
  }
}

/// What GL's error codes mean.
enum GLErrorName {
  static func text(_ code: Int32) -> String {
    switch code {
    case GL_INVALID_ENUM: "GL_INVALID_ENUM"
    case GL_INVALID_VALUE: "GL_INVALID_VALUE"
    case GL_INVALID_OPERATION: "GL_INVALID_OPERATION"
    case GL_INVALID_FRAMEBUFFER_OPERATION: "GL_INVALID_FRAMEBUFFER_OPERATION"
    case GL_OUT_OF_MEMORY: "GL_OUT_OF_MEMORY"
    case GL_CONTEXT_LOST_KHR: "GL_CONTEXT_LOST"
    default: "GL error 0x\(String(code, radix: 16))"
    }
  }
}

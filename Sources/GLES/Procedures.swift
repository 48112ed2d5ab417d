internal import CGLES

/// Functions beyond OpenGL ES 3.0, loaded by name. Each is nil unless the driver says that it has what holds it.
struct Procedures {
  typealias ResetStatus = PFNGLGETGRAPHICSRESETSTATUSKHRPROC

  // GL_KHR_debug
  private(set) var debugMessageCallback: PFNGLDEBUGMESSAGECALLBACKKHRPROC?
  private(set) var debugMessageControl: PFNGLDEBUGMESSAGECONTROLKHRPROC?
  private(set) var pushDebugGroup: PFNGLPUSHDEBUGGROUPKHRPROC?
  private(set) var popDebugGroup: PFNGLPOPDEBUGGROUPKHRPROC?
  private(set) var objectLabel: PFNGLOBJECTLABELKHRPROC?

  // GL_KHR_robustness, GL_EXT_robustness
  private(set) var resetStatus: ResetStatus?

  // GL_EXT_disjoint_timer_query
  private(set) var queryCounter: PFNGLQUERYCOUNTEREXTPROC?
  private(set) var getQueryObject64: PFNGLGETQUERYOBJECTUI64VEXTPROC?

  init(version: GLVersion, extensions: Set<String>) {
    if extensions.contains("GL_KHR_debug") {
      let control = Self.load("glDebugMessageControlKHR", as: PFNGLDEBUGMESSAGECONTROLKHRPROC.self)
      let push = Self.load("glPushDebugGroupKHR", as: PFNGLPUSHDEBUGGROUPKHRPROC.self)
      let pop = Self.load("glPopDebugGroupKHR", as: PFNGLPOPDEBUGGROUPKHRPROC.self)
      let label = Self.load("glObjectLabelKHR", as: PFNGLOBJECTLABELKHRPROC.self)
      let callback = Self.load("glDebugMessageCallbackKHR", as: PFNGLDEBUGMESSAGECALLBACKKHRPROC.self)
      // All or nothing: a group that is pushed must be popped.
      if let control, let push, let pop, let label, let callback {
        (debugMessageControl, pushDebugGroup, popDebugGroup) = (control, push, pop)
        (objectLabel, debugMessageCallback) = (label, callback)
      }
    }
    if version >= GLVersion(major: 3, minor: 2) {
      resetStatus = Self.load("glGetGraphicsResetStatus", as: ResetStatus.self)
    } else if extensions.contains("GL_KHR_robustness") {
      resetStatus = Self.load("glGetGraphicsResetStatusKHR", as: ResetStatus.self)
    } else if extensions.contains("GL_EXT_robustness") {
      resetStatus = Self.load("glGetGraphicsResetStatusEXT", as: ResetStatus.self)
    }
    if extensions.contains("GL_EXT_disjoint_timer_query") {
      queryCounter = Self.load("glQueryCounterEXT", as: PFNGLQUERYCOUNTEREXTPROC.self)
      getQueryObject64 = Self.load("glGetQueryObjectui64vEXT", as: PFNGLGETQUERYOBJECTUI64VEXTPROC.self)
    }
  }

  /// How many bits the driver's counter for a kind of timer has; 0 where there are no timers.
  func counterBits(_ target: Int32) -> Int {
    guard queryCounter != nil, getQueryObject64 != nil else { return 0 }
    var bits: GLint = 0
    glGetQueryiv(GLenum(target), GLenum(GL_QUERY_COUNTER_BITS_EXT), &bits)
    return Int(bits)
  }

  private static func load<Function>(_ name: String, as type: Function.Type) -> Function? {
    EGLLibrary.procedure(name, as: type)
  }
}

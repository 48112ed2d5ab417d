internal import CEGL

/// An OpenGL ES 3 context without a window. Closed by its owner, once.
final class Context {
  let display: Display
  /// Whether the driver was asked, and agreed, to tell of a GPU reset.
  let isToldOfResets: Bool
  let isDebug: Bool
  /// Whether it does without any surface.
  let isSurfaceless: Bool
  let handle: UnsafeMutableRawPointer
  private let surface: UnsafeMutableRawPointer?
  private var isOpen = true

  /// Makes the newest context of 3.2, 3.1 and 3.0 that the display gives, and makes it the calling thread's.
  init(on display: Display, debug: Bool) throws(DisplayRefusal) {
    guard eglBindAPI(EGLenum(EGL_OPENGL_ES_API)) == EGLBoolean(EGL_TRUE) else {
      throw DisplayRefusal(.last("eglBindAPI"))
    }
    let isSurfaceless = display.extensions.contains("EGL_KHR_surfaceless_context")
    let config = try Self.config(display, isSurfaceless: isSurfaceless)
    let made = try Self.create(display, config: config, debug: debug)

    var surface: UnsafeMutableRawPointer?
    if !isSurfaceless {
      surface = eglCreatePbufferSurface(display.handle, config, [EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE])
      guard surface != nil else {
        let failure = EGLFailure.last("eglCreatePbufferSurface")
        eglDestroyContext(display.handle, made.handle)
        throw DisplayRefusal(failure)
      }
    }
    guard eglMakeCurrent(display.handle, surface, surface, made.handle) == EGLBoolean(EGL_TRUE) else {
      let failure = EGLFailure.last("eglMakeCurrent")
      if let surface { eglDestroySurface(display.handle, surface) }
      eglDestroyContext(display.handle, made.handle)
      throw DisplayRefusal(failure)
    }
    self.display = display
    self.isSurfaceless = isSurfaceless
    self.surface = surface
    handle = made.handle
    isToldOfResets = made.isToldOfResets
    isDebug = made.isDebug
  }

  /// Makes it the calling thread's context if another is. False where the driver refuses, as after a loss.
  func makeCurrent() -> Bool {
    if eglGetCurrentContext() == handle { return true }
    return eglMakeCurrent(display.handle, surface, surface, handle) == EGLBoolean(EGL_TRUE)
  }

  func close() {
    guard isOpen else { return }
    isOpen = false
    if eglGetCurrentContext() == handle { eglMakeCurrent(display.handle, nil, nil, nil) }
    if let surface { eglDestroySurface(display.handle, surface) }
    eglDestroyContext(display.handle, handle)
  }

  deinit { close() }

  /// A configuration for ES 3; nil where a context can do without.
  private static func config(
    _ display: Display, isSurfaceless: Bool
  ) throws(DisplayRefusal)
    -> UnsafeMutableRawPointer?
  {
    // The default asks for windows, which some of our platforms have none of.
    let attributes: [EGLint] = [
      EGL_SURFACE_TYPE, isSurfaceless ? 0 : EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_ES3_BIT,
      EGL_RED_SIZE, 8, EGL_GREEN_SIZE, 8, EGL_BLUE_SIZE, 8, EGL_NONE,
    ]
    var config: UnsafeMutableRawPointer?
    var count: EGLint = 0
    if eglChooseConfig(display.handle, attributes, &config, 1, &count) == EGLBoolean(EGL_TRUE), count > 0 {
      return config
    }
    if isSurfaceless, display.extensions.contains("EGL_KHR_no_config_context") { return nil }
    throw DisplayRefusal("it has no configuration for OpenGL ES 3")
  }

  private struct Made {
    var handle: UnsafeMutableRawPointer
    var isToldOfResets: Bool
    var isDebug: Bool
  }

  private static func create(
    _ display: Display, config: UnsafeMutableRawPointer?, debug: Bool
  ) throws(DisplayRefusal) -> Made {
    let isNewEGL = display.version >= (1, 5)
    guard isNewEGL || display.extensions.contains("EGL_KHR_create_context") else {
      // The version's second part and the flags come with the extension: ask for ES 3 and take what comes.
      let attributes = [EGL_CONTEXT_CLIENT_VERSION, 3, EGL_NONE]
      guard let handle = eglCreateContext(display.handle, config, nil, attributes) else {
        throw DisplayRefusal(.last("eglCreateContext"))
      }
      return Made(handle: handle, isToldOfResets: false, isDebug: false)
    }
    let canTell = display.extensions.contains("EGL_EXT_create_context_robustness")
    var failure = EGLFailure(call: "eglCreateContext", code: EGL_SUCCESS)
    for minor: EGLint in [2, 1, 0] {
      // A driver may have an extension and still refuse what it adds: then without.
      for (isToldOfResets, isDebug) in [(canTell, debug), (canTell, false), (false, debug), (false, false)] {
        var attributes = [EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, minor]
        if isToldOfResets {
          attributes += [EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_EXT, EGL_LOSE_CONTEXT_ON_RESET_EXT]
        }
        if isDebug {
          attributes +=
            isNewEGL
            ? [EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE] : [EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR]
        }
        if let handle = eglCreateContext(display.handle, config, nil, attributes + [EGL_NONE]) {
          return Made(handle: handle, isToldOfResets: isToldOfResets, isDebug: isDebug)
        }
        failure = .last("eglCreateContext for OpenGL ES 3.\(minor)")
      }
    }
    throw DisplayRefusal(failure)
  }
}

internal import CEGL

/// What the EGL library offers before there is a display.
struct EGLLibrary {
  /// Client extensions; empty for a library that is too old to tell.
  let extensions: Set<Substring>

  init() {
    extensions = Self.words(eglQueryString(nil, EGL_EXTENSIONS))
    // Without the query's extension the call above leaves an error behind.
    _ = eglGetError()
  }

  func require(_ name: Substring) throws(DisplayRefusal) {
    guard extensions.contains(name) else { throw DisplayRefusal("the EGL library lacks \(name)") }
  }

  /// The display of a platform's native object.
  func display(platform: Int32, native: UnsafeMutableRawPointer?) throws(DisplayRefusal) -> UnsafeMutableRawPointer {
    try require("EGL_EXT_platform_base")
    guard
      let getPlatformDisplay = EGLLibrary.procedure(
        "eglGetPlatformDisplayEXT", as: PFNEGLGETPLATFORMDISPLAYEXTPROC.self)
    else { throw DisplayRefusal("the EGL library lacks eglGetPlatformDisplayEXT") }
    guard let display = getPlatformDisplay(EGLenum(platform), native, nil) else {
      throw DisplayRefusal(.last("eglGetPlatformDisplayEXT"))
    }
    return display
  }

  /// A function by its name. Ask only after the extension that has it was found: the library answers for names that
  /// it doesn't know, too.
  static func procedure<Function>(_ name: String, as type: Function.Type) -> Function? {
    guard let address = eglGetProcAddress(name) else { return nil }
    return unsafeBitCast(address, to: type)
  }

  static func words(_ text: UnsafePointer<CChar>?) -> Set<Substring> {
    guard let text else { return [] }
    return Set(String(cString: text).split(separator: " "))
  }
}

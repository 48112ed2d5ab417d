internal import CEGL

/// An EGL call that failed, and the code that EGL gave for it.
struct EGLFailure: Error, CustomStringConvertible {
  let call: String
  let code: Int32

  /// The calling thread's last EGL error.
  static func last(_ call: String) -> EGLFailure { EGLFailure(call: call, code: eglGetError()) }

  var description: String { "\(call) failed with \(Self.name(code))" }

  private static func name(_ code: Int32) -> String {
    switch code {
    case EGL_SUCCESS: "no error code"
    case EGL_NOT_INITIALIZED: "EGL_NOT_INITIALIZED"
    case EGL_BAD_ACCESS: "EGL_BAD_ACCESS"
    case EGL_BAD_ALLOC: "EGL_BAD_ALLOC"
    case EGL_BAD_ATTRIBUTE: "EGL_BAD_ATTRIBUTE"
    case EGL_BAD_CONFIG: "EGL_BAD_CONFIG"
    case EGL_BAD_CONTEXT: "EGL_BAD_CONTEXT"
    case EGL_BAD_CURRENT_SURFACE: "EGL_BAD_CURRENT_SURFACE"
    case EGL_BAD_DISPLAY: "EGL_BAD_DISPLAY"
    case EGL_BAD_MATCH: "EGL_BAD_MATCH"
    case EGL_BAD_NATIVE_PIXMAP: "EGL_BAD_NATIVE_PIXMAP"
    case EGL_BAD_NATIVE_WINDOW: "EGL_BAD_NATIVE_WINDOW"
    case EGL_BAD_PARAMETER: "EGL_BAD_PARAMETER"
    case EGL_BAD_SURFACE: "EGL_BAD_SURFACE"
    case EGL_CONTEXT_LOST: "EGL_CONTEXT_LOST"
    default: "code 0x\(String(code, radix: 16))"
    }
  }
}

/// Why a display can't be used, as a clause of a sentence.
struct DisplayRefusal: Error {
  let reason: String

  init(_ reason: String) { self.reason = reason }
  init(_ failure: EGLFailure) { reason = failure.description }
}

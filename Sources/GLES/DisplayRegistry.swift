internal import CEGL
import Diagnostics

/// How many of our displays stand on each of EGL's. Asked twice for the same native object, EGL gives the same display,
/// and ending it ends every context on it: so only the last user may.
enum DisplayRegistry {
  private static let uses = Guarded<[UInt: Int]>([:])

  /// Initialises the display, or joins those who use it already, and gives EGL's version.
  static func open(_ display: UnsafeMutableRawPointer) throws(DisplayRefusal) -> (major: Int, minor: Int) {
    // Read out as a result: a lock's closure that throws and returns a tuple says less about its error's type.
    let result: Result<(major: Int, minor: Int), DisplayRefusal> = uses.withLock { uses in
      var (major, minor): (EGLint, EGLint) = (0, 0)
      guard eglInitialize(display, &major, &minor) == EGLBoolean(EGL_TRUE) else {
        return .failure(DisplayRefusal(.last("eglInitialize")))
      }
      uses[UInt(bitPattern: display), default: 0] += 1
      return .success((Int(major), Int(minor)))
    }
    return try result.get()
  }

  static func close(_ display: UnsafeMutableRawPointer) {
    uses.withLock { uses in
      let key = UInt(bitPattern: display)
      guard let count = uses[key] else { return }
      if count > 1 {
        uses[key] = count - 1
      } else {
        uses[key] = nil
        eglTerminate(display)
      }
    }
  }
}

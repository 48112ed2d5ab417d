internal import CGLES

/// A display and a context on it, found by trying one after another.
struct DisplaySelection {
  let context: Context
  /// What was tried, in order; the last one was taken.
  let attempts: [DisplayAttempt]

  init(_ choice: DisplayChoice, debug: Bool) throws(DeviceError) {
    let library = EGLLibrary()
    var attempts: [DisplayAttempt] = []
    for kind in choice.kinds {
      let candidates: [DisplayCandidate]
      do throws(DisplayRefusal) {
        candidates = try DisplayCandidate.all(kind, library)
      } catch {
        attempts.append(DisplayAttempt(kind: kind, detail: "", refusal: error.reason))
        continue
      }
      for candidate in candidates {
        do throws(DisplayRefusal) {
          let context = try Self.open(candidate, library, debug: debug, refusesSoftware: choice == .automatic)
          attempts.append(DisplayAttempt(kind: kind, detail: candidate.detail, refusal: nil))
          self.context = context
          self.attempts = attempts
          return
        } catch {
          attempts.append(DisplayAttempt(kind: kind, detail: candidate.detail, refusal: error.reason))
        }
      }
    }
    throw DeviceError.noDisplay(choice, attempts: attempts)
  }

  private static func open(
    _ candidate: DisplayCandidate, _ library: EGLLibrary, debug: Bool, refusesSoftware: Bool
  ) throws(DisplayRefusal) -> Context {
    let display = try candidate.open(library)
    let context = try Context(on: display, debug: debug)
    let renderer = RendererName.current
    // A render node whose driver is not installed is served by software, while EGL may list the same GPU as a device.
    if refusesSoftware, case .renderNode = candidate, renderer.isSoftware {
      context.close()
      display.close()
      throw DisplayRefusal("it is served by software (\(renderer.text)); set PORTHOLE_DISPLAY=gbm to take it")
    }
    return context
  }
}

/// What the driver calls the thing that draws.
struct RendererName {
  let text: String

  /// That of the calling thread's context.
  static var current: RendererName { RendererName(text: GLString.read(GL_RENDERER)) }

  var isSoftware: Bool {
    let name = text.lowercased()
    return ["llvmpipe", "softpipe", "swrast", "swiftshader", "software"].contains { name.contains($0) }
  }
}

/// One of GL's texts.
enum GLString {
  static func read(_ name: Int32) -> String { glGetString(GLenum(name)).map { String(cString: $0) } ?? "" }

  static func read(_ name: Int32, at index: Int) -> String {
    glGetStringi(GLenum(name), GLuint(clamping: index)).map { String(cString: $0) } ?? ""
  }
}

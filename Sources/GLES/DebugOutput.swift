internal import CGLES
import Diagnostics

/// GL's own messages, sent to the log, and the errors among them, kept until somebody asks.
final class DebugOutput: Sendable {
  /// Enough to name a cause; a driver may repeat itself without end.
  private static let keptErrors = 8

  private let errors = Guarded<[String]>([])

  /// Turns the messages of the calling thread's context on. The object must outlive the context.
  func start(_ procedures: Procedures) {
    guard let callback = procedures.debugMessageCallback else { return }
    callback(
      { source, type, _, severity, length, text, user in
        guard let user, let text else { return }
        let output = Unmanaged<DebugOutput>.fromOpaque(user).takeUnretainedValue()
        let bytes = UnsafeBufferPointer(start: text, count: max(0, Int(length)))
        output.receive(
          source: Int32(bitPattern: source), type: Int32(bitPattern: type), severity: Int32(bitPattern: severity),
          text: String(decoding: bytes.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self))
      }, Unmanaged.passUnretained(self).toOpaque())
    // Our own groups are no news.
    for type in [GL_DEBUG_TYPE_PUSH_GROUP_KHR, GL_DEBUG_TYPE_POP_GROUP_KHR] {
      procedures.debugMessageControl?(
        GLenum(GL_DONT_CARE), GLenum(type), GLenum(GL_DONT_CARE), 0, nil, GLboolean(GL_FALSE))
    }
    glEnable(GLenum(GL_DEBUG_OUTPUT_KHR))
    // A message comes within the call that caused it, and so within its pass.
    glEnable(GLenum(GL_DEBUG_OUTPUT_SYNCHRONOUS_KHR))
  }

  func stop(_ procedures: Procedures) {
    procedures.debugMessageCallback?(nil, nil)
  }

  /// The errors since the last call.
  func takeErrors() -> [String] {
    errors.withLock { errors in
      if errors.isEmpty { return [] }
      let taken = errors
      errors.removeAll(keepingCapacity: true)
      return taken
    }
  }

  private func receive(source: Int32, type: Int32, severity: Int32, text: String) {
    switch type {
    case GL_DEBUG_TYPE_PUSH_GROUP_KHR, GL_DEBUG_TYPE_POP_GROUP_KHR, GL_DEBUG_TYPE_MARKER_KHR:
      return
    case _ where source == GL_DEBUG_SOURCE_SHADER_COMPILER_KHR:
      // Whoever compiles reads the compiler's log and says more.
      Log.debug("gles", text)
    case GL_DEBUG_TYPE_ERROR_KHR:
      Log.error("gles", text)
      errors.withLock { errors in
        if errors.count < Self.keptErrors { errors.append(text) }
      }
    default:
      if severity == GL_DEBUG_SEVERITY_HIGH_KHR {
        Log.warning("gles", text)
      } else {
        Log.debug("gles", text)
      }
    }
  }
}

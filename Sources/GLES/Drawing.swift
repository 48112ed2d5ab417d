internal import CGLES
import Geometry

extension Device {
  /// What a blended colour does with what was there. Both are premultiplied.
  public enum BlendFunction: Sendable {
    /// Source-over.
    case over
    /// What was there is multiplied by the alpha of what is drawn, which does not show itself.
    case mask
    /// What was there is multiplied by what the alpha of what is drawn leaves, which does not show itself.
    case erase
    /// The sum.
    case add
    /// The sum less the product.
    case screen
  }

  /// Source-over of premultiplied colour, or another function; else what is drawn replaces what was there.
  public func setBlending(_ isOn: Bool, function: BlendFunction = .over) {
    beginCall()
    defer { endCall() }
    if isOn, state.blendFunction != function {
      switch function {
      case .over: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
      case .mask: glBlendFunc(GLenum(GL_ZERO), GLenum(GL_SRC_ALPHA))
      case .erase: glBlendFunc(GLenum(GL_ZERO), GLenum(GL_ONE_MINUS_SRC_ALPHA))
      case .add: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE))
      case .screen: glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_COLOR))
      }
      state.blendFunction = function
    }
    guard state.isBlending != isOn else { return }
    if isOn {
      glEnable(GLenum(GL_BLEND))
    } else {
      glDisable(GLenum(GL_BLEND))
    }
    state.isBlending = isOn
  }

  /// Clears, draws and copies change these pixels alone; nil for all.
  public func setScissor(_ rect: PixelRect?) {
    beginCall()
    defer { endCall() }
    guard state.scissor != rect else { return }
    if let rect {
      if state.scissor == nil { glEnable(GLenum(GL_SCISSOR_TEST)) }
      glScissor(rect.minX, rect.minY, GLsizei(rect.size.width), GLsizei(rect.size.height))
    } else {
      glDisable(GLenum(GL_SCISSOR_TEST))
    }
    state.scissor = rect
  }

  /// Runs `body` in a group that captures and messages show by this name. Nothing more without debug output.
  public func group<Failure: Error>(
    _ label: @autoclosure () -> String, _ body: () throws(Failure) -> Void
  ) throws(Failure) {
    assertOnThread()
    guard isDebug else { return try body() }
    procedures.pushDebugGroup?(GLenum(GL_DEBUG_SOURCE_APPLICATION_KHR), 0, -1, Self.cut(label()))
    defer { procedures.popDebugGroup?() }
    try body()
  }

  /// Names a GL thing for captures and messages.
  func setLabel(_ kind: Int32, _ name: GLuint, _ label: String) {
    guard isDebug else { return }
    procedures.objectLabel?(GLenum(kind), name, -1, Self.cut(label))
  }

  /// Drivers have a limit, 256 bytes or more, and raise an error beyond it.
  private static func cut(_ label: String) -> String { String(decoding: label.utf8.prefix(200), as: UTF8.self) }
}

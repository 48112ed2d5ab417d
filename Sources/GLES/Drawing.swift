internal import CGLES

extension Device {
  /// Source-over of premultiplied colour; else what is drawn replaces what was there.
  public func setBlending(_ isOn: Bool) {
    assertOnThread()
    guard state.isBlending != isOn else { return }
    if isOn {
      glEnable(GLenum(GL_BLEND))
    } else {
      glDisable(GLenum(GL_BLEND))
    }
    state.isBlending = isOn
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

internal import CGLES

/// How instances are read from a buffer: rows of four floats, at attribute locations 0, 1, 2 …, one set an instance.
public final class VertexArray {
  /// Attributes of four floats each.
  public let rowCount: Int

  let name: GLuint
  private let graveyard: Graveyard

  init(name: GLuint, rowCount: Int, graveyard: Graveyard) {
    self.name = name
    self.rowCount = rowCount
    self.graveyard = graveyard
    graveyard.enter(.vertexArray(name))
  }

  deinit { graveyard.bury(.vertexArray(name)) }
}

extension Device {
  /// - Parameter rowCount: attributes of four floats each, no more than `maxVertexAttributes`.
  public func makeVertexArray(rowCount: Int, label: String) -> VertexArray {
    beginCall()
    defer { endCall() }
    precondition(0...capabilities.maxVertexAttributes ~= rowCount, "more attributes than the driver has")
    var name: GLuint = 0
    glGenVertexArrays(1, &name)
    let array = VertexArray(name: name, rowCount: rowCount, graveyard: graveyard)
    bind(array)
    for location in 0..<GLuint(rowCount) {
      glEnableVertexAttribArray(location)
      glVertexAttribDivisor(location, 1)
    }
    setLabel(GL_VERTEX_ARRAY_KHR, name, label)
    return array
  }

  /// Draws `count` instances, each a triangle strip of four vertices that its program tells apart by gl_VertexID.
  /// - Parameter byteOffset: where in the buffer the first instance begins; the next follows without a gap.
  public func drawStrips(_ count: Int, rows array: VertexArray, from buffer: Buffer, byteOffset: Int) {
    beginCall()
    defer { endCall() }
    guard count > 0 else { return }
    bind(array)
    bindArray(buffer)
    let stride = GLsizei(array.rowCount * 16)
    for location in 0..<array.rowCount {
      glVertexAttribPointer(
        GLuint(location), 4, GLenum(GL_FLOAT), GLboolean(GL_FALSE), stride,
        UnsafeRawPointer(bitPattern: byteOffset + location * 16))
    }
    glDrawArraysInstanced(GLenum(GL_TRIANGLE_STRIP), 0, 4, GLsizei(clamping: count))
    counters.drawCalls += 1
    counters.instances += count
  }

  private func bind(_ array: VertexArray) {
    guard state.vertexArray != array.name else { return }
    glBindVertexArray(array.name)
    state.vertexArray = array.name
  }
}

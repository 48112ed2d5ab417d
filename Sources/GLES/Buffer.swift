internal import CGLES

/// Memory of the GPU's that instances are read from. It grows when more is written than it holds.
public final class Buffer {
  public let label: String
  /// What it holds, in bytes.
  public private(set) var capacity = 0

  let name: GLuint
  private let graveyard: Graveyard

  init(name: GLuint, label: String, graveyard: Graveyard) {
    self.name = name
    self.label = label
    self.graveyard = graveyard
    graveyard.enter(.buffer(name))
  }

  deinit { graveyard.bury(.buffer(name), bytes: capacity) }

  func setCapacity(_ bytes: Int) {
    graveyard.resize(.buffer(name), from: capacity, to: bytes)
    capacity = bytes
  }
}

extension Device {
  public func makeBuffer(label: String) -> Buffer {
    beginCall()
    defer { endCall() }
    var name: GLuint = 0
    glGenBuffers(1, &name)
    let buffer = Buffer(name: name, label: label, graveyard: graveyard)
    bindArray(buffer)
    setLabel(GL_BUFFER_KHR, name, label)
    return buffer
  }

  /// Writes from the buffer's start. Where the GPU may still read what is there, take another buffer: see `Fence`.
  public func write(_ bytes: UnsafeRawBufferPointer, to buffer: Buffer) {
    beginCall()
    defer { endCall() }
    guard !bytes.isEmpty else { return }
    bindArray(buffer)
    if bytes.count > buffer.capacity {
      // In steps of about an eighth, so that a scene that grows asks seldom, and holds little that it does not use.
      let step = max(4096, 1 << (Int.bitWidth - (bytes.count - 1).leadingZeroBitCount - 4))
      let capacity = (bytes.count + step - 1) / step * step
      glBufferData(GLenum(GL_ARRAY_BUFFER), capacity, nil, GLenum(GL_STREAM_DRAW))
      buffer.setCapacity(capacity)
    }
    glBufferSubData(GLenum(GL_ARRAY_BUFFER), 0, bytes.count, bytes.baseAddress)
    counters.uploadedBytes += bytes.count
  }

  func bindArray(_ buffer: Buffer) {
    guard state.arrayBuffer != buffer.name else { return }
    glBindBuffer(GLenum(GL_ARRAY_BUFFER), buffer.name)
    state.arrayBuffer = buffer.name
  }
}

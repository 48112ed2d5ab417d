internal import CGLES
import Geometry

/// Room for pixels on their way from the GPU to memory, and a mark in its work: once that is passed, they are there, and
/// nobody has waited.
public final class PixelReadback {
  public let size: PixelSize
  public var byteCount: Int { size.area * 4 }

  let name: GLuint
  /// Set while pixels are on their way or there.
  fileprivate(set) var fence: Fence?
  private let graveyard: Graveyard

  init(name: GLuint, size: PixelSize, graveyard: Graveyard) {
    self.name = name
    self.size = size
    self.graveyard = graveyard
    graveyard.enter(.buffer(name), bytes: size.area * 4)
  }

  deinit { graveyard.bury(.buffer(name), bytes: size.area * 4) }
}

extension Device {
  /// Makes room for pixels of a framebuffer of this size.
  /// - Throws: `outOfMemory`.
  public func makeReadback(_ size: PixelSize) throws(DeviceError) -> PixelReadback {
    beginCall()
    defer { endCall() }
    noteErrors()
    var name: GLuint = 0
    glGenBuffers(1, &name)
    let readback = PixelReadback(name: name, size: size, graveyard: graveyard)
    glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), name)
    glBufferData(GLenum(GL_PIXEL_PACK_BUFFER), readback.byteCount, nil, GLenum(GL_STREAM_READ))
    glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), 0)
    if let error = takeNewErrors().first {
      throw DeviceError(
        .outOfMemory,
        "the driver refused a buffer for \(size.width) × \(size.height) pixels to be read (\(error)); "
          + "\(liveNames.bufferBytes >> 20) MiB of buffers live")
    }
    return readback
  }

  /// Has the GPU copy all pixels of a framebuffer of the same size, after everything that it was given before. Does not wait.
  /// - Returns: false, with nothing to come, where the driver refuses.
  public func read(_ framebuffer: Framebuffer, into readback: PixelReadback) -> Bool {
    beginCall()
    defer { endCall() }
    guard framebuffer.size == readback.size else { return false }
    bind(framebuffer)
    glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), readback.name)
    glReadPixels(
      0, 0, GLsizei(framebuffer.size.width), GLsizei(framebuffer.size.height), GLenum(GL_RGBA),
      GLenum(GL_UNSIGNED_BYTE), nil)
    // What is read elsewhere goes to memory.
    glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), 0)
    readback.fence = makeFence()
    glFlush()
    return readback.fence != nil
  }

  /// Whether the pixels are there; waits for them no longer than so many nanoseconds.
  public func isReady(_ readback: PixelReadback, waitingNanoseconds: UInt64 = 0) -> Bool {
    guard let fence = readback.fence else { return false }
    return wait(for: fence, timeoutNanoseconds: waitingNanoseconds)
  }

  /// Takes the pixels: premultiplied RGBA, rows from the top, no padding. Waits where they are not there yet. The room may be
  /// used again.
  /// - Returns: nil where there are none, or the driver can't give them, as after a loss.
  public func takePixels(of readback: PixelReadback) -> [UInt8]? {
    beginCall()
    defer { endCall() }
    guard readback.fence != nil else { return nil }
    readback.fence = nil
    let count = readback.byteCount
    glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), readback.name)
    defer { glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), 0) }
    guard let mapped = glMapBufferRange(GLenum(GL_PIXEL_PACK_BUFFER), 0, count, GLbitfield(GL_MAP_READ_BIT)) else {
      return nil
    }
    let pixels = [UInt8](UnsafeRawBufferPointer(start: mapped, count: count))
    // False: the memory was lost while it was read.
    guard glUnmapBuffer(GLenum(GL_PIXEL_PACK_BUFFER)) != 0 else { return nil }
    return pixels
  }
}

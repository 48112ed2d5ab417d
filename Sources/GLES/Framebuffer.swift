internal import CGLES
import Geometry

/// What a pass draws into: a texture's first level. Keeps the texture.
public final class Framebuffer {
  public let texture: Texture
  public var size: PixelSize { texture.size }

  let name: GLuint
  private let graveyard: Graveyard

  init(name: GLuint, texture: Texture, graveyard: Graveyard) {
    self.name = name
    self.texture = texture
    self.graveyard = graveyard
    graveyard.enter(.framebuffer(name))
  }

  deinit { graveyard.bury(.framebuffer(name)) }
}

extension Device {
  /// - Throws: `incompleteFramebuffer` where the driver can't draw into the texture.
  public func makeFramebuffer(_ texture: Texture) throws(DeviceError) -> Framebuffer {
    beginCall()
    defer { endCall() }
    var name: GLuint = 0
    glGenFramebuffers(1, &name)
    let framebuffer = Framebuffer(name: name, texture: texture, graveyard: graveyard)
    bind(framebuffer)
    glFramebufferTexture2D(
      GLenum(GL_FRAMEBUFFER), GLenum(GL_COLOR_ATTACHMENT0), GLenum(GL_TEXTURE_2D), texture.name, 0)
    let status = Int32(bitPattern: glCheckFramebufferStatus(GLenum(GL_FRAMEBUFFER)))
    guard status == GL_FRAMEBUFFER_COMPLETE else {
      throw DeviceError(
        .incompleteFramebuffer,
        "the driver can't draw into the texture '\(texture.label)' (status 0x\(String(status, radix: 16)))")
    }
    setLabel(GL_FRAMEBUFFER, name, texture.label)
    return framebuffer
  }

  /// Draws, clears and reads from now on go there.
  public func bind(_ framebuffer: Framebuffer) {
    beginCall()
    defer { endCall() }
    guard state.framebuffer != framebuffer.name || state.readFramebuffer != framebuffer.name else { return }
    glBindFramebuffer(GLenum(GL_FRAMEBUFFER), framebuffer.name)
    state.framebuffer = framebuffer.name
    state.readFramebuffer = framebuffer.name
    counters.framebufferBinds += 1
  }

  /// Draws go to `size` pixels at the top left.
  public func setViewport(_ size: PixelSize) {
    beginCall()
    defer { endCall() }
    if let viewport = state.viewport, viewport == (size.width, size.height) { return }
    glViewport(0, 0, GLsizei(clamping: size.width), GLsizei(clamping: size.height))
    state.viewport = (size.width, size.height)
  }

  /// Fills the framebuffer that is bound, whatever the viewport.
  public func clear(_ color: PremultipliedColor) {
    beginCall()
    defer { endCall() }
    let values = (color.red, color.green, color.blue, color.alpha)
    if state.clearColor == nil || state.clearColor.map({ $0 != values }) == true {
      glClearColor(values.0, values.1, values.2, values.3)
      state.clearColor = values
    }
    glClear(GLbitfield(GL_COLOR_BUFFER_BIT))
    counters.clears += 1
  }

  /// Tells the driver that the pixels of the framebuffer that is bound are not needed.
  public func invalidateContents() {
    beginCall()
    defer { endCall() }
    var attachment = GLenum(GL_COLOR_ATTACHMENT0)
    glInvalidateFramebuffer(GLenum(GL_FRAMEBUFFER), 1, &attachment)
  }

  /// Copies pixels, one to one, into the framebuffer that is bound for drawing.
  /// - Parameters:
  ///   - rect: in the source's pixels.
  ///   - x: where its left edge goes, in the target's pixels.
  ///   - y: where its top edge goes.
  public func copy(_ rect: PixelRect, of source: Framebuffer, toX x: Int32, y: Int32) {
    beginCall()
    defer { endCall() }
    if state.readFramebuffer != source.name {
      glBindFramebuffer(GLenum(GL_READ_FRAMEBUFFER), source.name)
      state.readFramebuffer = source.name
      counters.framebufferBinds += 1
    }
    glBlitFramebuffer(
      rect.minX, rect.minY, rect.maxX, rect.maxY, x, y, x &+ (rect.maxX &- rect.minX), y &+ (rect.maxY &- rect.minY),
      GLbitfield(GL_COLOR_BUFFER_BIT), GLenum(GL_NEAREST))
    counters.copies += 1
    counters.copiedPixels += rect.area
  }

  /// All pixels of a framebuffer of half floats: premultiplied RGBA, rows from the top, no padding. Waits for the GPU.
  public func readComponents(_ framebuffer: Framebuffer) -> [Float] {
    beginCall()
    defer { endCall() }
    bind(framebuffer)
    let count = framebuffer.size.area * 4
    return [Float](unsafeUninitializedCapacity: count) { buffer, initialized in
      // A call that fails writes nothing.
      buffer.initialize(repeating: 0)
      // As floats, which hold each half float as it is, and which every driver gives.
      glReadPixels(
        0, 0, GLsizei(framebuffer.size.width), GLsizei(framebuffer.size.height), GLenum(GL_RGBA), GLenum(GL_FLOAT),
        buffer.baseAddress)
      initialized = count
    }
  }

  /// All pixels of a framebuffer of 8 bits: premultiplied RGBA, rows from the top, no padding. Waits for the GPU.
  public func readPixels(_ framebuffer: Framebuffer) -> [UInt8] {
    beginCall()
    defer { endCall() }
    bind(framebuffer)
    let count = framebuffer.size.area * 4
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      // A call that fails writes nothing.
      buffer.initialize(repeating: 0)
      glReadPixels(
        0, 0, GLsizei(framebuffer.size.width), GLsizei(framebuffer.size.height), GLenum(GL_RGBA),
        GLenum(GL_UNSIGNED_BYTE), buffer.baseAddress)
      initialized = count
    }
  }
}

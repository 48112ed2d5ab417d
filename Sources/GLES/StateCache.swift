internal import CGLES
import Geometry

/// GL's state as we last set it, so that setting it again costs nothing. Nil: not known.
struct StateCache {
  static let unitCount = 4

  var program: GLuint?
  var vertexArray: GLuint?
  var arrayBuffer: GLuint?
  var framebuffer: GLuint?
  var readFramebuffer: GLuint?
  var activeUnit: Int?
  var textures = [GLuint?](repeating: nil, count: unitCount)
  var samplers = [GLuint?](repeating: nil, count: unitCount)
  var isBlending: Bool?
  var blendFunction: Device.BlendFunction?
  var viewport: (width: Int, height: Int)?
  var clearColor: (Float, Float, Float, Float)?
  /// Nil: there is none, which is how a frame begins.
  var scissor: PixelRect?

  /// Nothing is known any more.
  mutating func invalidate() {
    (program, vertexArray, arrayBuffer, framebuffer, readFramebuffer) = (nil, nil, nil, nil, nil)
    (activeUnit, isBlending, viewport, clearColor) = (nil, nil, nil, nil)
    blendFunction = nil
    scissor = nil
    for unit in 0..<Self.unitCount {
      textures[unit] = nil
      samplers[unit] = nil
    }
  }

  /// A name is about to be deleted. GL may give it again to another thing, and has unbound it by then.
  mutating func forget(_ name: Graveyard.Name) {
    switch name {
    case .texture(let name):
      for unit in 0..<Self.unitCount where textures[unit] == name { textures[unit] = nil }
    case .sampler(let name):
      for unit in 0..<Self.unitCount where samplers[unit] == name { samplers[unit] = nil }
    case .framebuffer(let name):
      if framebuffer == name { framebuffer = nil }
      if readFramebuffer == name { readFramebuffer = nil }
    case .buffer(let name): if arrayBuffer == name { arrayBuffer = nil }
    case .vertexArray(let name): if vertexArray == name { vertexArray = nil }
    case .program(let name): if program == name { program = nil }
    case .query, .fence: break
    }
  }
}

extension Device {
  /// Sets what no drawing of ours changes, and forgets the rest: a frame assumes nothing.
  func setBaseline() {
    state.invalidate()
    for capability in [
      GL_DITHER, GL_SCISSOR_TEST, GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE, GL_RASTERIZER_DISCARD,
      GL_POLYGON_OFFSET_FILL, GL_SAMPLE_COVERAGE, GL_SAMPLE_ALPHA_TO_COVERAGE, GL_PRIMITIVE_RESTART_FIXED_INDEX,
    ] {
      glDisable(GLenum(capability))
    }
    glColorMask(1, 1, 1, 1)
    glBlendEquation(GLenum(GL_FUNC_ADD))
    glBlendFunc(GLenum(GL_ONE), GLenum(GL_ONE_MINUS_SRC_ALPHA))
    glBindBuffer(GLenum(GL_PIXEL_UNPACK_BUFFER), 0)
    glBindBuffer(GLenum(GL_PIXEL_PACK_BUFFER), 0)
    // Our rows are whole pixels of four bytes.
    glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 4)
    glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 4)
    for parameter in [
      GL_UNPACK_ROW_LENGTH, GL_UNPACK_SKIP_ROWS, GL_UNPACK_SKIP_PIXELS, GL_PACK_ROW_LENGTH, GL_PACK_SKIP_ROWS,
      GL_PACK_SKIP_PIXELS,
    ] {
      glPixelStorei(GLenum(parameter), 0)
    }
  }
}

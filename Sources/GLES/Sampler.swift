internal import CGLES

/// How a texture is read between its pixels, and beyond its edge.
public final class Sampler {
  public enum Filter: Sendable, Hashable {
    case nearest
    /// Bilinear within one mip level.
    case linear
    /// Between two mip levels.
    case trilinear
  }
  public enum Edge: Sendable, Hashable {
    /// The outermost pixel goes on.
    case clamped
    case mirrored
  }

  public let filter: Filter
  let name: GLuint
  private let graveyard: Graveyard

  init(name: GLuint, filter: Filter, graveyard: Graveyard) {
    self.name = name
    self.filter = filter
    self.graveyard = graveyard
    graveyard.enter(.sampler(name))
  }

  deinit { graveyard.bury(.sampler(name)) }
}

extension Device {
  public func makeSampler(_ filter: Sampler.Filter, beyondEdge edge: Sampler.Edge = .clamped) -> Sampler {
    beginCall()
    defer { endCall() }
    var name: GLuint = 0
    glGenSamplers(1, &name)
    let sampler = Sampler(name: name, filter: filter, graveyard: graveyard)
    // The shader names the level.
    let (small, large) =
      switch filter {
      case .nearest: (GL_NEAREST_MIPMAP_NEAREST, GL_NEAREST)
      case .linear: (GL_LINEAR_MIPMAP_NEAREST, GL_LINEAR)
      case .trilinear: (GL_LINEAR_MIPMAP_LINEAR, GL_LINEAR)
      }
    glSamplerParameteri(name, GLenum(GL_TEXTURE_MIN_FILTER), small)
    glSamplerParameteri(name, GLenum(GL_TEXTURE_MAG_FILTER), large)
    let wrap = edge == .clamped ? GL_CLAMP_TO_EDGE : GL_MIRRORED_REPEAT
    glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_S), wrap)
    glSamplerParameteri(name, GLenum(GL_TEXTURE_WRAP_T), wrap)
    return sampler
  }

  /// Has a unit sample in this way.
  public func bind(_ sampler: Sampler, unit: Int) {
    beginCall()
    defer { endCall() }
    precondition(0..<StateCache.unitCount ~= unit, "no such texture unit")
    guard state.samplers[unit] != sampler.name else { return }
    glBindSampler(GLuint(unit), sampler.name)
    state.samplers[unit] = sampler.name
    counters.samplerBinds += 1
  }
}

internal import CGLES

/// A vertex and a fragment shader, linked.
public final class Program {
  public let label: String
  let name: GLuint
  private let graveyard: Graveyard

  /// Where a uniform of one program is.
  public struct Uniform: Sendable, Hashable {
    let location: GLint
  }

  init(name: GLuint, label: String, graveyard: Graveyard) {
    self.name = name
    self.label = label
    self.graveyard = graveyard
    graveyard.enter(.program(name))
  }

  deinit { graveyard.bury(.program(name)) }

  /// Nil where the program has no uniform of the name, or the compiler left it out as unused.
  public func uniform(_ name: String) -> Uniform? {
    let location = glGetUniformLocation(self.name, name)
    return location < 0 ? nil : Uniform(location: location)
  }
}

extension Device {
  /// Compiles and links GLSL ES 3.00 text. Attributes have `layout(location = …)`.
  /// - Throws: `program`, with the compiler's log and the line it names.
  public func makeProgram(label: String, vertex: String, fragment: String) throws(DeviceError) -> Program {
    beginCall()
    defer { endCall() }
    let program = Program(name: glCreateProgram(), label: label, graveyard: graveyard)
    for (stage, source) in [(ShaderStage.vertex, vertex), (.fragment, fragment)] {
      let shader = try compile(source, as: stage, of: label)
      glAttachShader(program.name, shader)
      // Lives on as long as the program does.
      glDeleteShader(shader)
    }
    glLinkProgram(program.name)
    var status: GLint = 0
    glGetProgramiv(program.name, GLenum(GL_LINK_STATUS), &status)
    guard status == GL_TRUE else {
      let log = ShaderLog.read { length, buffer in glGetProgramInfoLog(program.name, length, nil, buffer) }
      throw DeviceError(.program, "the program '\(label)' can't be linked: \(log)")
    }
    setLabel(GL_PROGRAM_KHR, program.name, label)
    return program
  }

  public func use(_ program: Program) {
    beginCall()
    defer { endCall() }
    guard state.program != program.name else { return }
    glUseProgram(program.name)
    state.program = program.name
    counters.programBinds += 1
  }

  /// Sets a uniform of the program in use.
  public func set(_ uniform: Program.Uniform, _ x: Float) { glUniform1f(uniform.location, x) }
  public func set(_ uniform: Program.Uniform, _ x: Float, _ y: Float) { glUniform2f(uniform.location, x, y) }
  public func set(_ uniform: Program.Uniform, _ x: Float, _ y: Float, _ z: Float, _ w: Float) {
    glUniform4f(uniform.location, x, y, z, w)
  }

  /// Sets a sampler of the program in use to a texture unit.
  public func set(_ uniform: Program.Uniform, unit: Int) { glUniform1i(uniform.location, GLint(clamping: unit)) }

  private func compile(_ source: String, as stage: ShaderStage, of label: String) throws(DeviceError) -> GLuint {
    let shader = glCreateShader(GLenum(stage == .vertex ? GL_VERTEX_SHADER : GL_FRAGMENT_SHADER))
    source.withCString { text in
      var text: UnsafePointer<GLchar>? = text
      glShaderSource(shader, 1, &text, nil)
    }
    glCompileShader(shader)
    var status: GLint = 0
    glGetShaderiv(shader, GLenum(GL_COMPILE_STATUS), &status)
    guard status == GL_TRUE else {
      let log = ShaderLog.read { length, buffer in glGetShaderInfoLog(shader, length, nil, buffer) }
      glDeleteShader(shader)
      throw DeviceError(
        .program,
        "the \(stage.rawValue) shader of '\(label)' was refused\(ShaderLog.place(of: log, in: source)): \(log)")
    }
    return shader
  }
}

/// The GLSL ES 3.00 text of one program, ready to compile: includes resolved, the variant's macros defined.
public struct ShaderProgramSource: Sendable {
  /// The variant's name, `FramePlan.ShaderVariant.name`.
  public let name: String
  public let vertex: String
  public let fragment: String
}

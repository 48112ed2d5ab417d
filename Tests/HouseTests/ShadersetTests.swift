import FramePlan
import Shaderset
import Testing

@Suite("The shaders")
struct ShadersetTests {
  @Test("there is a program for every variant that a plan can name, and no other")
  func programsAreVariants() {
    let variants = ShaderVariant.all + ShaderVariant.extended
    #expect(Shaderset.programs.map(\.name).sorted() == variants.map(\.name).sorted())
  }

  @Test("what is embedded is a whole program: version first, no include left")
  func programsAreWhole() {
    for program in Shaderset.programs {
      for stage in [program.vertex, program.fragment] {
        #expect(stage.hasPrefix("#version 300 es\n"), "\(program.name)")
        #expect(!stage.contains("#include"), "\(program.name)")
      }
      #expect(program.fragment.contains("out vec4 frag_color;"), "\(program.name)")
    }
  }

  @Test("uniforms begin with u_, attributes with a_, varyings with v_")
  func prefixes() throws {
    for program in Shaderset.programs {
      let stages = [(program.vertex, "a_", "v_"), (program.fragment, "v_", "frag_color")]
      for (text, input, output) in stages {
        let declarations = text.matches(of: #/(?m)^(?:.*\) |flat )?(uniform|in|out) (?:highp )?\w+ (\w+);/#)
        #expect(!declarations.isEmpty)
        for found in declarations {
          let prefix = found.1 == "uniform" ? "u_" : found.1 == "in" ? input : output
          #expect(found.2.hasPrefix(prefix), "\(program.name): \(found.0)")
        }
      }
    }
  }
}

import FramePlan
import GLES
import GLRenderer
import Geometry
import RenderTree
import Shaderset
import Testing

@Suite("A renderer's output of half floats")
struct HalfFloatOutputTests {
  private func plan(_ space: WorkingSpace) -> FramePlan {
    var planner = FramePlanner()
    return planner.plan(
      Snapshot(), size: PixelSize(width: 4, height: 2), scale: 1,
      background: Color(red: 3, green: -1, blue: 0.5).premultiplied, in: space)
  }

  @Test("is read as floats and in no other way, and takes eight bytes a pixel")
  func reading() throws {
    let device = try Device(display: nil)
    defer { device.shutdown() }
    let renderer = try Renderer(device: device)
    defer { renderer.shutdown() }
    #expect(try renderer.draw(plan(.rgba8)) == .drawn)
    #expect(try renderer.readOutput().prefix(4) == [255, 0, 128, 255])
    #expect(renderer.statistics.outputBytes == 4 * 2 * 4)
    #expect(try #require(throws: RendererError.self) { try renderer.readOutputComponents() }.code == .noOutput)
    #expect(try renderer.draw(plan(.rgba16f(blending: .encoded))) == .drawn)
    #expect(try renderer.readOutputComponents().prefix(4) == [3, -1, 0.5, 1])
    #expect(renderer.statistics.outputBytes == 4 * 2 * 8)
    #expect(try #require(throws: RendererError.self) { try renderer.readOutput() }.code == .noOutput)
    #expect(device.takeErrors().isEmpty)
  }

  @Test("is refused in words where the driver can't draw into half floats, and 8 bits are drawn all the same")
  func missing() throws {
    #expect(!Capabilities.drawsHalfFloats(GLVersion(major: 3, minor: 0), ["GL_EXT_texture_norm16"]))
    #expect(Capabilities.drawsHalfFloats(GLVersion(major: 3, minor: 2), []))
    for name in ["GL_EXT_color_buffer_half_float", "GL_EXT_color_buffer_float"] {
      #expect(Capabilities.drawsHalfFloats(GLVersion(major: 3, minor: 0), [name]))
    }
    let device = try Device(display: nil)
    defer { device.shutdown() }
    let renderer = try Renderer(device: device)
    defer { renderer.shutdown() }
    renderer.drawsHalfFloats = false
    guard case .skipped(let reason) = try renderer.draw(plan(.rgba16f(blending: .linear))) else {
      Issue.record("drawn")
      return
    }
    #expect(reason.contains("GL_EXT_color_buffer_half_float") && reason.contains("rgba8"))
    #expect(try renderer.draw(plan(.rgba8)) == .drawn)
  }

  @Test("has programs of its own only from the first such frame on")
  func programs() throws {
    let device = try Device(display: nil)
    defer { device.shutdown() }
    let renderer = try Renderer(
      device: device, programs: Shaderset.programs.filter { $0.name != "colors.linear" })
    defer { renderer.shutdown() }
    #expect(try renderer.draw(plan(.rgba8)) == .drawn)
    let error = #expect(throws: RendererError.self) { try renderer.draw(plan(.rgba16f(blending: .encoded))) }
    #expect(error?.code == .shader && error?.description.contains("colors.linear") == true)
    #expect(ShaderVariant.all.allSatisfy { $0.range == .unit })
    #expect(Set((ShaderVariant.all + ShaderVariant.extended).map(\.name)).count == 21)
    #expect(ShaderVariant.extended.map(\.name) == ["colors.extended", "colors.linear", "blend.extended"])
  }
}

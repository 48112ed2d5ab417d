import GLES
import Geometry
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

private let hasRenderNode = (128...191).contains { access("/dev/dri/renderD\($0)", F_OK) == 0 }

@Suite("displays", .serialized)
struct DisplayTests {
  @Test("a choice is read from its name and no other text", arguments: ["automatic", "gbm", "device", "surfaceless"])
  func choice(text: String) {
    #expect(DisplayChoice(text)?.description == text)
    #expect(DisplayChoice(text + "s") == nil)
  }

  @Test("the automatic choice takes the first display that works, and tells of those before it")
  func automatic() throws {
    let device = try Device(display: .automatic)
    defer { device.shutdown() }
    #expect(device.attempts.last?.refusal == nil)
    #expect(device.attempts.dropLast().allSatisfy { $0.refusal?.isEmpty == false })
    #expect(device.attempts.last?.kind == device.displayKind)
    #expect(device.capabilities.version >= GLVersion(major: 3, minor: 0))
  }

  @Test("a display that is forced and unavailable says why, and what to try", .enabled(if: !hasRenderNode))
  func unavailable() throws {
    let error = try #require(throws: DeviceError.self) { try Device(display: .gbm) }
    #expect(error.code == .noDisplay)
    #expect(error.attempts.map(\.kind) == [.gbm])
    #expect(error.description.contains("renderD128"))
    #expect(error.description.contains("libgl1-mesa-dri"))
    #expect(error.description.contains("PORTHOLE_DISPLAY"))
  }

  @Test(
    "each kind of display that software serves gives the same kind of device",
    arguments: [
      DisplayChoice.device, .surfaceless,
    ])
  func forced(choice: DisplayChoice) throws {
    let device = try Device(display: choice)
    defer { device.shutdown() }
    #expect(DisplayChoice.only(device.displayKind) == choice)
    #expect(!device.report.renderer.isEmpty)
    #expect(device.report.limits.contains { $0.name == "texture size" && $0.value >= 2048 })
    #expect(device.report.features.contains { $0.name == "timer queries" })
    #expect(device.report.extensions == device.report.extensions.sorted())
    #expect(device.report.isSoftware == device.report.renderer.contains("llvmpipe"))
  }

  @Test("ending one device leaves another on the same display alive")
  func sharedDisplay() throws {
    let first = try Device(display: .surfaceless)
    let second = try Device(display: .surfaceless)
    first.shutdown()
    #expect(second.beginFrame() == nil)
    let canvas = try Canvas(second, width: 2, height: 2)
    second.bind(canvas.framebuffer)
    second.clear(.init(red: 1, green: 0, blue: 0, alpha: 1))
    #expect(canvas.pixel(1, 1) == [255, 0, 0, 255])
    second.shutdown()
    #expect(first.lookForLoss() != nil)
  }
}

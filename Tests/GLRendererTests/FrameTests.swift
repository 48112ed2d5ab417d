import Commit
import FramePlan
import GLES
import GLRenderer
import Geometry
import Shaderset
import Testing

@Suite("frames", .serialized)
struct FrameTests {
  @Test("a plan without passes changes nothing and draws nothing")
  func unchanged() throws {
    try RendererFixture.run { (fixture) throws in
      #expect(try fixture.renderer.draw(FramePlan(outputSize: PixelSize(width: 4, height: 4))) == .unchanged)
      #expect(throws: RendererError.self) { try fixture.renderer.readOutput() }
      var plan = PlanBuilder(width: 2, height: 2)
      plan.pass(clear: .bytes(1, 2, 3))
      let before = try fixture.draw(plan)
      #expect(try fixture.renderer.draw(FramePlan(outputSize: PixelSize(width: 2, height: 2))) == .unchanged)
      #expect(try fixture.renderer.readOutput() == before.bytes)
      #expect(fixture.renderer.statistics.framesDrawn == 1)
    }
  }

  @Test("the output takes the plan's size, frame by frame")
  func resizing() throws {
    try RendererFixture.run { (fixture) throws in
      for size in [3, 64, 5] {
        var plan = PlanBuilder(width: size, height: size + 1)
        plan.pass(clear: .bytes(size, 0, 0))
        plan.fill(size - 1, size, size, size + 1, .bytes(0, 99, 0))
        let pixels = try fixture.draw(plan)
        #expect(pixels.bytes.count == size * (size + 1) * 4)
        #expect(pixels[0, 0] == [UInt8(size), 0, 0, 255])
        #expect(pixels[size - 1, size] == [0, 99, 0, 255])
      }
      #expect(fixture.renderer.statistics.outputBytes == 5 * 6 * 4)
    }
  }

  @Test("an output of no size, or beyond the driver's, is skipped with a reason")
  func skipped() throws {
    try RendererFixture.run { (fixture) throws in
      for size in [0, fixture.device.capabilities.maxTargetSize + 1] {
        var plan = PlanBuilder(width: size, height: 1)
        plan.pass()
        guard case .skipped(let reason) = try fixture.renderer.draw(plan.plan) else {
          Issue.record("not skipped")
          continue
        }
        #expect(reason.contains("output"))
      }
    }
  }

  @Test("a plan that contradicts itself is refused whole, and the next one is drawn")
  func faultyPlans() throws {
    try RendererFixture.run { (fixture) throws in
      var good = PlanBuilder(width: 2, height: 2)
      let target = good.target(width: 2, height: 2)
      good.pass(.target(target))
      good.fill(0, 0, 1, 1, .bytes(5, 5, 5))
      good.pass()
      good.picture(.target(target), at: 0, 0, width: 2, height: 2)

      var plans: [FramePlan] = []
      func spoil(_ change: (inout FramePlan) -> Void) {
        var plan = good.plan
        change(&plan)
        plans.append(plan)
      }
      spoil { $0.instances.removeLast() }
      spoil { $0.batches[1].texture = .target(1) }
      spoil { $0.batches[1].texture = .target(-1) }
      spoil { $0.batches[1].texture = .image(0) }
      spoil { $0.batches[1].texture = .none }
      spoil { $0.batches[0].instanceCount = .max }
      spoil { $0.batches[0].firstFloat = -1 }
      spoil { $0.passes[0].batchCount = 9 }
      spoil { $0.passes[1].size.width = 1 }
      spoil { $0.passes[1].target = .target(target) }
      spoil { $0.passes.removeFirst() }
      for (index, plan) in plans.enumerated() {
        let error = #expect(throws: RendererError.self, "plan \(index)") { try fixture.renderer.draw(plan) }
        #expect(error?.code == .invalidPlan, "plan \(index)")
      }
      #expect(try fixture.pixel(good) == [5, 5, 5, 255])
    }
  }

  @Test("an error of GL's names the pass in which it was raised", arguments: [true, false])
  func namedPass(debug: Bool) throws {
    let device = try Device(debug: debug)
    let renderer = try Renderer(device: device)
    var plan = PlanBuilder(width: 2, height: 2)
    for label in ["card", "title"] {
      let target = plan.target(width: 2, height: 2, label: label)
      plan.pass(.target(target))
      plan.fill(0, 0, 1, 1, .bytes(5, 5, 5))
    }
    // Nothing that a plan says makes GL fail, so the test does: a copy onto itself that overlaps.
    renderer.passEnd = { index in
      guard index == 1, let texture = renderer.withTarget(1) else { return }
      let framebuffer = try? device.makeFramebuffer(texture)
      if let framebuffer {
        device.copy(PixelRect(minX: 0, minY: 0, maxX: 2, maxY: 2), of: framebuffer, toX: 0, y: 0)
      }
    }
    var error = #expect(throws: RendererError.self) { try renderer.draw(plan.plan) }
    #expect(error?.code == .gl)
    // Without messages GL is not asked after each pass until the first error.
    if !debug { error = #expect(throws: RendererError.self) { try renderer.draw(plan.plan) } }
    #expect(error?.description.contains("pass 2 of 2, source 'title'") == true, "\(error?.description ?? "")")
    renderer.passEnd = nil
    #expect(try renderer.draw(plan.plan) == .drawn)
    renderer.shutdown()
    #expect(device.liveNames == LiveNames())
    device.shutdown()
  }

  @Test("a missing or refused variant fails the start by name")
  func variants() throws {
    let device = try Device()
    defer { device.shutdown() }
    let all = Shaderset.programs
    let missing = #expect(throws: RendererError.self) {
      try Renderer(device: device, programs: all.filter { $0.name != "shape.clipped" })
    }
    #expect(missing?.description.contains("shape.clipped") == true)
    #expect(all.map(\.name).sorted() == (ShaderVariant.all + ShaderVariant.extended).map(\.name).sorted())
    device.drainGraveyard()
    #expect(device.liveNames == LiveNames())
  }

  @Test("a device that is lost gives no frame, and says so each time")
  func lost() throws {
    let device = try Device()
    let renderer = try Renderer(device: device)
    var plan = PlanBuilder(width: 2, height: 2)
    plan.pass()
    #expect(try renderer.draw(plan.plan) == .drawn)
    device.shutdown()
    #expect(try renderer.draw(plan.plan) == .deviceLost)
    #expect(try renderer.draw(plan.plan) == .deviceLost)
    #expect(throws: RendererError.self) { try renderer.readOutput() }
    renderer.shutdown()
    #expect(device.liveNames == LiveNames())
  }

  @Test("images unseen for long, or beyond the budget, are dropped")
  func imageEviction() throws {
    try RendererFixture.run { (fixture) throws in
      func show(_ image: Image) throws {
        var plan = PlanBuilder(width: 4, height: 4)
        plan.pass()
        plan.picture(.image(plan.image(image)), at: 0, 0, width: 4, height: 4)
        #expect(try fixture.renderer.draw(plan.plan) == .drawn)
      }
      fixture.renderer.images.budgetBytes = 3 * 64
      for _ in 0..<8 { try show(try pattern(width: 4, height: 4)) }
      #expect(fixture.renderer.statistics.images == 3)
      #expect(fixture.renderer.statistics.imageBytes == 3 * 64)

      let last = try pattern(width: 4, height: 4)
      fixture.renderer.images.idleFrames = 5
      for _ in 0..<10 { try show(last) }
      #expect(fixture.renderer.statistics.images == 1)
    }
  }

  @Test("instances of texels that are copied are not sent to the GPU; the picture is the same")
  func copiedInstances() throws {
    try RendererFixture.run { fixture in
      var builder = PlanBuilder(width: 8, height: 8)
      let target = builder.target(width: 4, height: 4)
      builder.pass(.target(target), clear: PremultipliedColor(red: 1, green: 0, blue: 0, alpha: 1))
      builder.pass()
      builder.picture(.target(target), at: 1, 1, width: 4, height: 4)
      builder.fill(6, 6, 8, 8, PremultipliedColor(red: 0, green: 1, blue: 0, alpha: 1))
      var plan = builder.plan
      plan.batches[0].isCopy = true
      var pictures: [[UInt8]] = []
      for copies in [false, true] {
        fixture.renderer.copiesWholeTexels = copies
        #expect(try fixture.renderer.draw(plan) == .drawn)
        pictures.append(try fixture.renderer.readOutput())
        let floats = InstanceFormat.fill.stride + (copies ? 0 : InstanceFormat.image.stride)
        #expect(fixture.renderer.statistics.lastFrame.uploadedBytes == 4 * floats)
      }
      #expect(
        pictures[0] == pictures[1] && Pixels(size: plan.outputSize, bytes: pictures[1])[7, 7] == [0, 255, 0, 255])
    }
  }

  @Test("the statistics count what the last frame sent")
  func statistics() throws {
    try RendererFixture.run { (fixture) throws in
      let image = try pattern(width: 4, height: 4)
      var plan = PlanBuilder(width: 8, height: 8)
      plan.pass()
      plan.fill(0, 0, 1, 1, .bytes(5, 5, 5))
      plan.fill(1, 0, 2, 1, .bytes(5, 5, 5))
      plan.picture(.image(plan.image(image)), at: 0, 0, width: 4, height: 4)
      _ = try fixture.draw(plan)
      #expect(fixture.renderer.statistics.lastFrame.uploadedBytes == 4 * 28 + 64)
      _ = try fixture.draw(plan)
      let statistics = fixture.renderer.statistics
      #expect(statistics.lastFrame.drawCalls == 3)
      #expect(statistics.lastFrame.instances == 3)
      #expect(statistics.lastFrame.programBinds == 2)
      #expect(statistics.lastFrame.framebufferBinds == 1)
      #expect(statistics.lastFrame.uploadedBytes == 4 * 28)
      #expect(statistics.images == 1)
    }
  }
}

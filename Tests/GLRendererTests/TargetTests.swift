import Commit
import FramePlan
import GLES
import GLRenderer
import Geometry
import Testing

@Suite("targets of a plan", .serialized)
struct TargetTests {
  @Test("a later pass samples what an earlier one drew, the right way up")
  func sampling() throws {
    try RendererFixture.run { (fixture) throws in
      var plan = PlanBuilder(width: 6, height: 6)
      let target = plan.target(width: 4, height: 2)
      plan.pass(.target(target), clear: .bytes(0, 0, 255))
      plan.fill(0, 0, 1, 1, .bytes(255, 0, 0))
      plan.pass(clear: .bytes(9, 9, 9))
      plan.picture(.target(target), at: 1, 2, width: 4, height: 2)
      plan.picture(.target(target), at: 1, 4, width: 4, height: 2)
      let pixels = try fixture.draw(plan)
      for top in [2, 4] {
        #expect(pixels[1, top] == [255, 0, 0, 255])
        #expect(pixels[2, top] == [0, 0, 255, 255])
        #expect(pixels[1, top + 1] == [0, 0, 255, 255])
      }
      #expect(pixels[0, 2] == [9, 9, 9, 255])
      #expect(fixture.renderer.withTarget(0)?.size == PixelSize(width: 4, height: 2))
      #expect(fixture.renderer.withTarget(1) == nil)
      #expect(try fixture.renderer.readTarget(0).prefix(8) == [255, 0, 0, 255, 0, 0, 255, 255])
    }
  }

  @Test("a target's mip levels are made after its pass")
  func mipLevels() throws {
    try RendererFixture.run { (fixture) throws in
      var plan = PlanBuilder(width: 1, height: 1)
      let target = plan.target(width: 2, height: 2, mipLevels: 1)
      plan.pass(.target(target), clear: .bytes(0, 0, 0))
      plan.fill(0, 0, 2, 1, .bytes(100, 200, 40))
      plan.pass()
      plan.picture(.target(target), at: 0, 0, width: 1, height: 1, filter: .linear, level: 1)
      #expect(try fixture.pixel(plan) == [50, 100, 20, 255])
    }
  }

  /// Draws a colour into a target kept under key 7, and shows the frame before's.
  private func frame(_ color: PremultipliedColor, keeps: Bool = true) -> PlanBuilder {
    var plan = PlanBuilder(width: 1, height: 1)
    let target = plan.target(width: 1, height: 1, historyKey: keeps ? 7 : nil)
    plan.pass(.target(target), clear: color)
    plan.pass()
    plan.picture(.history(7), at: 0, 0, width: 1, height: 1)
    return plan
  }

  @Test("history shows the last drawn frame's target, transparent before there is one and after it was not renewed")
  func history() throws {
    try RendererFixture.run { (fixture) throws in
      #expect(try fixture.pixel(frame(.bytes(255, 0, 0))) == [0, 0, 0, 0])
      #expect(try fixture.pixel(frame(.bytes(0, 255, 0))) == [255, 0, 0, 255])
      // A frame without passes draws nothing, so it is not the frame before.
      #expect(try fixture.renderer.draw(PlanBuilder(width: 1, height: 1).plan) == .unchanged)
      #expect(try fixture.pixel(frame(.bytes(0, 0, 255))) == [0, 255, 0, 255])
      #expect(fixture.renderer.statistics.histories == 1)
      #expect(try fixture.pixel(frame(.bytes(1, 1, 1), keeps: false)) == [0, 0, 255, 255])
      #expect(try fixture.pixel(frame(.bytes(2, 2, 2))) == [0, 0, 0, 0])
    }
  }

  @Test("a thousand frames need no more targets, textures or bytes than ten")
  func flatPool() throws {
    try RendererFixture.run { (fixture) throws in
      let image = try pattern(width: 8, height: 8)
      func step(_ number: Int) throws {
        var plan = PlanBuilder(width: 16, height: 16)
        let first = plan.target(width: 8, height: 8, historyKey: 1)
        let second = plan.target(width: 8 + number % 3, height: 8, mipLevels: number % 2)
        plan.pass(.target(first))
        plan.picture(.image(plan.image(image)), at: 0, 0, width: 8, height: 8)
        plan.pass(.target(second))
        plan.picture(.history(1), at: 0, 0, width: 8, height: 8)
        plan.pass()
        plan.picture(.target(second), at: 0, 0, width: 8, height: 8)
        #expect(try fixture.renderer.draw(plan.plan) == .drawn)
      }
      for number in 0..<12 { try step(number) }
      let (statistics, live) = (fixture.renderer.statistics, fixture.device.liveNames)
      for number in 12..<1000 { try step(number) }
      let later = fixture.renderer.statistics
      fixture.device.drainGraveyard()
      #expect(later.totalBytes == statistics.totalBytes)
      #expect(later.targetsFree + later.targetsInUse == statistics.targetsFree + statistics.targetsInUse)
      #expect(fixture.device.liveNames.textures == live.textures)
      #expect(later.framesDrawn == 1000)
      #expect(later.imagesUploaded == 0)
    }
  }

  @Test("targets that no frame uses any more are given back")
  func eviction() throws {
    try RendererFixture.run { (fixture) throws in
      var large = PlanBuilder(width: 1, height: 1)
      let target = large.target(width: 256, height: 256)
      large.pass(.target(target))
      large.pass()
      _ = try fixture.draw(large)
      #expect(fixture.renderer.statistics.targetBytes == 256 * 256 * 4)
      var small = PlanBuilder(width: 1, height: 1)
      small.pass()
      for _ in 0..<100 { #expect(try fixture.renderer.draw(small.plan) == .drawn) }
      #expect(fixture.renderer.statistics.targetBytes == 0)
    }
  }
}

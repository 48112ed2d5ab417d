import Commit
import FramePlan
import GLRenderer
import Geometry
import Testing

@Suite("pixels of a drawn plan", .serialized)
struct PixelTests {
  @Test("a fill covers exactly its pixels, the top row first")
  func fill() throws {
    try RendererFixture.run { (fixture) throws in
      var plan = PlanBuilder(width: 7, height: 5)
      plan.pass(clear: .bytes(10, 20, 30))
      plan.fill(2, 1, 5, 3, .bytes(200, 100, 50))
      let pixels = try fixture.draw(plan)
      for y in 0..<5 {
        for x in 0..<7 {
          let isInside = (2..<5).contains(x) && (1..<3).contains(y)
          #expect(pixels[x, y] == (isInside ? [200, 100, 50, 255] : [10, 20, 30, 255]), "at \(x), \(y)")
        }
      }
    }
  }

  @Test("a fill that is blended is laid over what was there, one that isn't replaces it")
  func blending() throws {
    try RendererFixture.run { (fixture) throws in
      var plan = PlanBuilder(width: 3, height: 1)
      plan.pass(clear: .bytes(255, 255, 255))
      plan.fill(0, 0, 1, 1, .bytes(51, 0, 0, 51), blended: true)
      plan.fill(1, 0, 2, 1, .bytes(51, 0, 0, 51), blended: false)
      // Half transparent: 128 of 255 over 77, which is 128 + 77 · 127/255 = 166.3.
      plan.fill(2, 0, 3, 1, .bytes(77, 77, 77))
      plan.fill(2, 0, 3, 1, .bytes(128, 128, 128, 128), blended: true)
      let pixels = try fixture.draw(plan)
      #expect(pixels[0, 0] == [255, 204, 204, 255])
      #expect(pixels[1, 0] == [51, 0, 0, 51])
      #expect(pixels[2, 0] == [166, 166, 166, 255])
    }
  }

  @Test("instances of one batch are drawn in order")
  func order() throws {
    try RendererFixture.run { (fixture) throws in
      var plan = PlanBuilder(width: 4, height: 1)
      plan.pass()
      plan.batch(
        .fill, .none, .nearest, false, [0, 0, 3, 1, 1, 0, 0, 1, 1, 0, 4, 1, 0, 1, 0, 1, 2, 0, 3, 1, 0, 0, 1, 1])
      let pixels = try fixture.draw(plan)
      #expect(pixels.bytes == [255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 0, 255, 0, 255])
    }
  }

  @Test("an image shown one to one is bit-exact wherever it lies", arguments: [(0, 0), (5, 3), (11, 9)])
  func oneToOne(x: Int, y: Int) throws {
    try RendererFixture.run { (fixture) throws in
      let image = try pattern(width: 33, height: 17)
      var plan = PlanBuilder(width: 48, height: 32)
      plan.pass()
      plan.picture(.image(plan.image(image)), at: x, y, width: 33, height: 17)
      let pixels = try fixture.draw(plan)
      for row in 0..<17 {
        let first = ((y + row) * 48 + x) * 4
        #expect(Array(pixels.bytes[first..<(first + 33 * 4)]) == Array(image.pixels[(row * 132)..<((row + 1) * 132)]))
      }
    }
  }

  @Test("straight colours are multiplied by alpha and rounded to nearest; an opaque image's alpha is forced")
  func alpha() throws {
    try RendererFixture.run { (fixture) throws in
      let size = PixelSize(width: 2, height: 1)
      let bytes: [UInt8] = [255, 100, 3, 128, 200, 7, 255, 0]
      let straight = try #require(Image(size: size, alpha: .straight, pixels: bytes))
      let opaque = try #require(Image(size: size, alpha: .opaque, pixels: bytes))
      var plan = PlanBuilder(width: 2, height: 2)
      plan.pass()
      plan.picture(.image(plan.image(straight)), at: 0, 0, width: 2, height: 1)
      plan.picture(.image(plan.image(opaque)), at: 0, 1, width: 2, height: 1)
      let pixels = try fixture.draw(plan)
      #expect(pixels[0, 0] == [128, 50, 2, 128])
      #expect(pixels[1, 0] == [0, 0, 0, 0])
      #expect(pixels[0, 1] == [255, 100, 3, 255])
      #expect(pixels[1, 1] == [200, 7, 255, 255])
    }
  }

  @Test("a factor dims all four components")
  func factor() throws {
    try RendererFixture.run { (fixture) throws in
      let image = try #require(
        Image(size: PixelSize(width: 1, height: 1), alpha: .premultiplied, pixels: [200, 100, 50, 250]))
      var plan = PlanBuilder(width: 1, height: 1)
      plan.pass()
      plan.picture(.image(plan.image(image)), at: 0, 0, width: 1, height: 1, factor: 0.5)
      #expect(try fixture.pixel(plan) == [100, 50, 25, 125])
    }
  }

  @Test("an image has mip levels only once an instance asks for one, and keeps its first level")
  func mipLevels() throws {
    try RendererFixture.run { (fixture) throws in
      // Two by two blocks of one colour: the next level shows each block as a pixel.
      var pixels: [UInt8] = []
      for y in 0..<4 {
        for x in 0..<4 { pixels += [UInt8(x / 2 * 200), UInt8(y / 2 * 200), 0, 255] }
      }
      let image = try #require(Image(size: PixelSize(width: 4, height: 4), alpha: .opaque, pixels: pixels))
      var plan = PlanBuilder(width: 4, height: 4)
      plan.pass()
      plan.picture(.image(plan.image(image)), at: 0, 0, width: 4, height: 4)
      #expect(try fixture.draw(plan).bytes == pixels)
      #expect(fixture.renderer.statistics.imageBytes == 64)

      var small = PlanBuilder(width: 2, height: 2)
      small.pass()
      small.picture(.image(small.image(image)), at: 0, 0, width: 2, height: 2, filter: .linear, level: 1)
      let shown = try fixture.draw(small)
      #expect(shown.bytes == [0, 0, 0, 255, 200, 0, 0, 255, 0, 200, 0, 255, 200, 200, 0, 255])
      #expect(fixture.renderer.statistics.imageBytes == 64 + 16 + 4)
      #expect(try fixture.draw(plan).bytes == pixels)
      #expect(fixture.renderer.statistics.imagesUploaded == 0)
    }
  }

  @Test("a shape fills its rounded rectangle and covers each corner's pixel in part, alike")
  func shape() throws {
    try RendererFixture.run { (fixture) throws in
      var row = [Float](repeating: 0, count: 60)
      row[0...7] = [-1, -1, 9, -1, -1, 9, 9, 9]
      (row[8], row[9]) = (4, 4)
      (row[12], row[16], row[20]) = (1, 1, 1)
      (row[21], row[22]) = (2, 15)
      row[24...27] = [0, 0, 8, 8]
      row[28...31] = [-4, -4, 100, 100]
      row[32...35] = [0, 1, 0, 1]
      var plan = PlanBuilder(width: 16, height: 16)
      plan.pass()
      plan.batch(ShaderVariant.all[2], .none, .nearest, true, row)
      let pixels = try fixture.draw(plan)
      #expect(pixels[8, 8] == [0, 255, 0, 255])
      #expect(pixels[4, 8] == [0, 255, 0, 255])
      let corner = pixels[4, 4]
      #expect(corner[3] > 0 && corner[3] < 192 && corner == [0, corner[3], 0, corner[3]])
      for (x, y) in [(11, 4), (4, 11), (11, 11)] { #expect(pixels[x, y] == corner) }
      #expect(pixels[3, 8] == [0, 0, 0, 0])
      #expect(pixels[12, 8] == [0, 0, 0, 0])
    }
  }
}

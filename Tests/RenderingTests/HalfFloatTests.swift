import Commit
import Geometry
import Porthole
import Testing

/// What one pixel of half floats holds, straight, in the frame's encoding.
private struct Value: CustomStringConvertible {
  var color: SIMD4<Float>

  init(_ image: Image, x: Int = 0, y: Int = 0) {
    let components = image.straight.components ?? []
    let index = (y * image.width + x) * 4
    color = SIMD4(components[index], components[index + 1], components[index + 2], components[index + 3])
  }

  /// Within so many steps of a half float.
  func isNear(_ red: Float, _ green: Float, _ blue: Float, alpha: Float = 1, steps: Float = 2) -> Bool {
    let wanted = SIMD4(red, green, blue, alpha)
    return (0..<4).allSatisfy { (color[$0] - wanted[$0]).magnitude <= steps * max(1e-4, wanted[$0].magnitude) / 1024 }
  }

  var description: String { "\(color)" }
}

@Suite("Frames of half floats")
struct HalfFloatTests {
  static let blendings = ColorEncoding.allCases

  private func draw(
    _ root: Layer, _ backend: Backend, _ blending: ColorEncoding, size: Size = Size(width: 8, height: 8)
  ) throws -> Image {
    let renderer = try OffscreenRenderer(size: size, background: .black, backend: backend)
    defer { renderer.close() }
    renderer.workingSpace = .rgba16f(blending: blending)
    let image = try renderer.render(root)
    #expect(image.format == .rgba16f && image.encoding == blending)
    return image
  }

  private func box(_ color: Color, width: Double = 8, height: Double = 8) -> Layer {
    let layer = Layer()
    layer.bounds = Rect(x: 0, y: 0, width: width, height: height)
    layer.anchorPoint = Point(0, 0)
    layer.backgroundColor = color
    return layer
  }

  private func light(_ code: Float, _ blending: ColorEncoding) -> Float {
    blending == .linear ? SRGBCurve.decode(code) : code
  }

  @Test("hold every half float that a colour may have, as it is", arguments: Backend.allCases, blendings)
  func everyHalf(_ backend: Backend, _ blending: ColorEncoding) throws {
    let halves: [Float] = (UInt16.min...UInt16.max).map { Float(Float16(bitPattern: $0)) }
      .filter { $0.magnitude <= WorkingSpace.largestComponent }
    let size = PixelSize(width: 256, height: (halves.count + 255) / 256)
    var components: [Float] = []
    for index in 0..<size.area {
      let value = index < halves.count ? halves[index] : 0
      components += [value, value, value, 1]
    }
    let layer = box(.clear, width: Double(size.width), height: Double(size.height))
    layer.contents = Image(size: size, alpha: .opaque, encoding: blending, components: components)
    let image = try draw(layer, backend, blending, size: layer.bounds.size)
    let got = try #require(image.components)
    // -0 and 0 are one.
    #expect(got == components)
  }

  @Test("half white on black is half of the code, or of the light: code 188", arguments: Backend.allCases)
  func halfWhite(_ backend: Backend) throws {
    for (blending, code) in [(ColorEncoding.encoded, UInt8(128)), (.linear, 188)] {
      let byAlpha = box(Color(red: 1, green: 1, blue: 1, alpha: 0.5))
      let byOpacity = box(.white)
      byOpacity.opacity = 0.5
      byOpacity.addSublayer(box(.white, width: 4))
      let atEdge = box(.white, width: 2.5)
      let image = box(.clear)
      image.contents = Image(
        size: PixelSize(width: 1, height: 1), alpha: .straight, encoding: .encoded, components: [1, 1, 1, 0.5])
      for (layer, x) in [(byAlpha, 0), (byOpacity, 0), (atEdge, 2), (image, 4)] {
        let picture = try draw(layer, backend, blending)
        #expect(Value(picture, x: x).isNear(0.5, 0.5, 0.5), "\(blending): \(Value(picture, x: x))")
        #expect(picture.pixels[4 * x] == code && picture.pixels[4 * x + 3] == 255)
      }
    }
  }

  @Test(
    "what is brighter than white or outside of sRGB survives: 2 through an opacity of 0.5 is 1",
    arguments: Backend.allCases, blendings)
  func extended(_ backend: Backend, _ blending: ColorEncoding) throws {
    let group = box(.clear)
    group.opacity = 0.5
    group.addSublayer(box(Color(red: 2, green: -0.5, blue: 0.25)))
    group.addSublayer(box(Color(red: 2, green: -0.5, blue: 0.25), width: 4))
    let value = Value(try draw(group, backend, blending))
    #expect(
      value.isNear(light(2, blending) / 2, light(-0.5, blending) / 2, light(0.25, blending) / 2), "\(value)")
    if blending == .encoded { #expect(value.color == SIMD4(1, -0.25, 0.125, 1)) }
    // Beyond what is allowed it is held, and stays finite whatever is done to it.
    let blinding = box(Color(red: 1e30, green: -1e30, blue: 0))
    for _ in 0..<8 {
      let more = box(Color(red: 1e30, green: 0, blue: 0))
      more.blendMode = .plusLighter
      blinding.addSublayer(more)
    }
    blinding.filters = [.brightness(1e6), .contrast(3)]
    let held = Value(try draw(blinding, backend, blending))
    #expect(held.isNear(light(64, blending), light(-64, blending), light(-1, blending)), "\(held)")
  }

  @Test("in 8 bits the same colours are held to 0…1", arguments: Backend.allCases)
  func eightBits(_ backend: Backend) throws {
    let layer = box(Color(red: 2, green: -0.5, blue: 0.25, alpha: 0.5))
    let gradient = GradientLayer()
    gradient.bounds = Rect(x: 0, y: 0, width: 8, height: 4)
    gradient.anchorPoint = Point(0, 0)
    gradient.colors = [Color(red: 3, green: 0, blue: 0), Color(red: 3, green: 0, blue: -3)]
    layer.addSublayer(gradient)
    let renderer = try OffscreenRenderer(
      size: Size(width: 8, height: 8), background: Color(red: 9, green: 0, blue: 0), backend: backend)
    defer { renderer.close() }
    let image = try renderer.render(layer)
    #expect(Array(image.pixels[..<4]) == [255, 0, 0, 255])
    #expect(Array(image.pixels.suffix(4)) == [255, 0, 32, 255])
  }

  @Test(
    "blend modes: sums go beyond 1, products too, and what is defined from 0 to 1 is held to that",
    arguments: Backend.allCases, blendings)
  func blendModes(_ backend: Backend, _ blending: ColorEncoding) throws {
    // In the space's own values.
    let (below, above) = (Float(0.75), Float(1.5))
    func code(_ value: Float) -> Float { blending == .linear ? SRGBCurve.encode(value) : value }
    func blend(_ mode: BlendMode, alpha: Float = 1) throws -> Value {
      let ground = box(Color(red: code(below), green: code(below), blue: code(below)))
      let layer = box(Color(red: code(above), green: code(-0.25), blue: code(0.5), alpha: alpha))
      layer.blendMode = mode
      ground.addSublayer(layer)
      return Value(try draw(ground, backend, blending))
    }
    let sum = try blend(.plusLighter)
    #expect(sum.isNear(2.25, 0.5, 1.25), "\(sum)")
    #expect(try blend(.plusLighter, alpha: 0.5).isNear(1.5, 0.625, 1))
    #expect(try blend(.multiply).isNear(1.125, -0.1875, 0.375))
    #expect(try blend(.lighten).isNear(1.5, 0.75, 0.75))
    #expect(try blend(.difference).isNear(0.75, 1, 0.25))
    #expect(try blend(.screen).isNear(1, 0.75, 0.875))
    #expect(try blend(.exclusion).isNear(0.25, 0.75, 0.5))
    #expect(try blend(.screen, alpha: 0.5).isNear(0.875, 0.75, 0.8125))
  }

  @Test(
    "filters have their meaning on encoded values in either blending, and hold alpha alone",
    arguments: Backend.allCases, blendings)
  func filters(_ backend: Backend, _ blending: ColorEncoding) throws {
    func filtered(_ filters: [Filter], _ color: Color) throws -> Value {
      let layer = box(color)
      layer.filters = filters
      return Value(try draw(layer, backend, blending))
    }
    func near(_ value: Value, _ codes: (Float, Float, Float)) -> Bool {
      value.isNear(
        light(codes.0, blending), light(codes.1, blending), light(codes.2, blending), steps: 6)
    }
    let color = Color(red: 1, green: 0.5, blue: 0.25)
    #expect(near(try filtered([.brightness(2)], color), (2, 1, 0.5)))
    #expect(near(try filtered([.brightness(2), .brightness(0.5)], color), (1, 0.5, 0.25)))
    #expect(near(try filtered([.contrast(3)], color), (2, 0.5, -0.25)))
    #expect(near(try filtered([.invert(1)], color), (0, 0.5, 0.75)))
    #expect(near(try filtered([.brightness(100), .brightness(0.01)], color), (0.64, 0.5, 0.25)))
    let opaque = ColorMatrix(
      red: SIMD4(1, 0, 0, 5), green: SIMD4(0, 1, 0, 0), blue: SIMD4(0, 0, 1, 0), alpha: SIMD4(0, 0, 0, 1))
    #expect(
      near(try filtered([.colorMatrix(opaque), .opacity(0.5)], Color(red: 1, green: 1, blue: 1)), (1, 1, 1)) == false)
    let half = Value(
      try draw(
        { () -> Layer in
          let layer = box(.white)
          layer.filters = [.colorMatrix(opaque), .opacity(0.5)]
          return layer
        }(), backend, blending))
    #expect(half.isNear(0.5, 0.5, 0.5), "\(half)")
  }

  @Test("gradients, smaller versions of images and blurs mix codes, or light", arguments: Backend.allCases, blendings)
  func mixing(_ backend: Backend, _ blending: ColorEncoding) throws {
    let gradient = GradientLayer()
    gradient.bounds = Rect(x: 0, y: 0, width: 9, height: 8)
    gradient.anchorPoint = Point(0, 0)
    (gradient.startPoint, gradient.endPoint) = (Point(0, 0), Point(1, 0))
    gradient.colors = [Color(red: 0, green: 0, blue: 0), Color(red: 2, green: 1, blue: 1)]
    let middle = Value(try draw(gradient, backend, blending, size: Size(width: 9, height: 8)), x: 4)
    #expect(middle.isNear(light(2, blending) / 2, 0.5, 0.5, steps: 4), "\(middle)")

    // Columns of black and white, two texels a pixel.
    let columns = (0..<16 * 16).flatMap { index -> [UInt8] in
      let value: UInt8 = index % 2 == 0 ? 0 : 255
      return [value, value, value, 255]
    }
    let image = box(.clear)
    image.contents = Image(size: PixelSize(width: 16, height: 16), alpha: .opaque, pixels: columns)
    let smaller = Value(try draw(image, backend, blending), x: 3, y: 3)
    #expect(smaller.isNear(0.5, 0.5, 0.5), "\(smaller)")

    // At the edge between two halves a blur has the middle of both, a half on either side.
    let halves = box(.black, width: 64, height: 64)
    halves.addSublayer(box(Color(red: 1, green: 1, blue: 1), width: 32, height: 64))
    halves.filters = [.gaussianBlur(radius: 3)]
    let blurred = try draw(halves, backend, blending, size: Size(width: 64, height: 64))
    let sum = Value(blurred, x: 31, y: 32).color + Value(blurred, x: 32, y: 32).color
    #expect((sum.x - 1).magnitude < 0.006, "\(sum)")
  }

  @Test(
    "a shadow, a border, a lens' highlight and an image have their colours in either blending",
    arguments: Backend.allCases, blendings)
  func colors(_ backend: Backend, _ blending: ColorEncoding) throws {
    let layer = box(Color(red: 0.5, green: 0.25, blue: 1.25), width: 2)
    layer.shadow = Shadow(color: Color(red: 1.5, green: 0.5, blue: 0), opacity: 1, radius: 0, offset: Point(4, 0))
    let shadow = Value(try draw(layer, backend, blending), x: 5)
    #expect(shadow.isNear(light(1.5, blending), light(0.5, blending), 0, steps: 4), "\(shadow)")
    let framed = box(.clear)
    (framed.borderWidth, framed.borderColor) = (2, Color(red: 0.5, green: 3, blue: 0))
    let border = Value(try draw(framed, backend, blending), x: 1)
    #expect(border.isNear(light(0.5, blending), light(3, blending), 0), "\(border)")
    // Premultiplied bytes are codes times alpha.
    let image = box(.clear)
    image.contents = Image(
      size: PixelSize(width: 1, height: 1), alpha: .premultiplied, pixels: [64, 128, 0, 128])
    let texel = Value(try draw(image, backend, blending))
    let alpha = Float(128) / 255
    #expect(texel.isNear(light(0.5, blending) * alpha, alpha, 0, steps: 4), "\(texel)")
  }

  @Test(
    "a ramp of every code through one more picture is the ramp", arguments: Backend.allCases, WorkingSpace.allCases)
  func ramp(_ backend: Backend, _ space: WorkingSpace) throws {
    let codes = (0..<256).flatMap { (code: Int) -> [UInt8] in
      [UInt8(code), UInt8(255 - code), UInt8(code / 2), 255]
    }
    let root = box(.clear, width: 256, height: 2)
    let ramp = box(.clear, width: 256, height: 1)
    ramp.contents = Image(size: PixelSize(width: 256, height: 1), alpha: .opaque, pixels: codes)
    let masked = box(.clear, width: 256, height: 1)
    masked.contents = ramp.contents
    masked.position = Point(0, 1)
    masked.mask = box(.white, width: 256, height: 1)
    for layer in [ramp, masked] { root.addSublayer(layer) }
    let renderer = try OffscreenRenderer(size: Size(width: 256, height: 2), background: .black, backend: backend)
    defer { renderer.close() }
    renderer.workingSpace = space
    let image = try renderer.render(root)
    #expect(Array(image.pixels[..<1024]) == codes && Array(image.pixels[1024...]) == codes)
    if let components = image.components { #expect(components[..<1024].elementsEqual(components[1024...])) }
  }

  @Test("a frame in another space has nothing of the one before", arguments: Backend.allCases)
  func changes(_ backend: Backend) throws {
    let root = box(Color(red: 0.2, green: 0.4, blue: 0.6))
    let source = box(Color(red: 1, green: 0.5, blue: 0.25, alpha: 0.5))
    root.addSublayer(source)
    let portal = PortalLayer()
    portal.bounds = Rect(x: 0, y: 0, width: 8, height: 8)
    portal.anchorPoint = Point(0, 0)
    portal.position = Point(1, 1)
    portal.sourceLayer = source
    portal.recursion = .previousFrame
    source.addSublayer(portal)
    let renderer = try OffscreenRenderer(size: Size(width: 8, height: 8), background: .black, backend: backend)
    defer { renderer.close() }
    var last: WorkingSpace?
    for round in 0..<2 {
      for space in WorkingSpace.allCases {
        renderer.workingSpace = space
        let fresh = try OffscreenRenderer(size: renderer.size, background: .black, backend: backend)
        defer { fresh.close() }
        fresh.workingSpace = space
        let (got, expected) = (try renderer.render(root), try fresh.render(root))
        #expect(
          got.format == space.format && got.pixels == expected.pixels, "round \(round), \(space) after \(last as Any)")
        #expect(got.components == expected.components)
        last = space
      }
    }
  }
}

import Commit
import Geometry
import Testing
import VectorGraphics

@Suite("Shapes as pixels")
struct ShapeDrawingTests {
  private let frame = Rect(x: 0, y: 0, width: 64, height: 64)

  private func draw(_ path: Path, scale: Int = 1, _ style: (inout ShapeStyle) -> Void = { _ in }) throws -> Image {
    var wanted = ShapeStyle()
    style(&wanted)
    return try #require(
      ShapeDrawing.image(
        of: path, wanted, in: frame, size: PixelSize(width: 64 * scale, height: 64 * scale), scale: Double(scale)))
  }

  private func alpha(_ image: Image, _ x: Int, _ y: Int) -> UInt8 { image.pixels[(y * image.width + x) * 4 + 3] }

  /// In whole pixels.
  private func area(_ image: Image) -> Double {
    stride(from: 3, to: image.pixels.count, by: 4).reduce(0) { $0 + Double(image.pixels[$1]) } / 255
  }

  @Test("a filled circle has the area of a circle", arguments: [3.0, 10, 24.3])
  func circle(radius: Double) throws {
    let box = Rect(x: 32.2 - radius, y: 31.7 - radius, width: 2 * radius, height: 2 * radius)
    let wanted = Double.pi * radius * radius
    #expect(abs(area(try draw(Path(ellipseIn: box))) - wanted) < 0.004 * wanted + 0.1)
    #expect(abs(area(try draw(Path(ellipseIn: box), scale: 4)) / 16 - wanted) < 0.001 * wanted + 0.05)
  }

  @Test("a rectangle on whole pixels covers those and no others")
  func wholePixels() throws {
    let image = try draw(Path(Rect(x: 5, y: 7, width: 20, height: 11)))
    for y in 0..<64 {
      for x in 0..<64 {
        #expect(alpha(image, x, y) == ((5..<25).contains(x) && (7..<18).contains(y) ? 255 : 0))
      }
    }
  }

  @Test("an edge through a pixel covers that part of it")
  func edges() throws {
    let image = try draw(Path(Rect(x: 5.5, y: 7.25, width: 20, height: 11)))
    func near(_ value: UInt8, _ share: Double) -> Bool { abs(Double(value) - share * 255) <= 1.5 }
    #expect(near(alpha(image, 5, 10), 0.5) && near(alpha(image, 25, 10), 0.5))
    #expect(near(alpha(image, 10, 7), 0.75) && near(alpha(image, 10, 18), 0.25))
    #expect(near(alpha(image, 5, 7), 0.375) && near(alpha(image, 25, 18), 0.125))
    #expect(alpha(image, 10, 10) == 255)
  }

  @Test("a hole is what the fill rule makes one")
  func fillRules() throws {
    var path = Path(Rect(x: 10, y: 10, width: 40, height: 40))
    path.addRect(Rect(x: 20, y: 20, width: 20, height: 20))
    #expect(area(try draw(path)) == 1600)
    #expect(area(try draw(path) { $0.fillRule = .evenOdd }) == 1200)
  }

  @Test("a stroke is as wide as it is told to, on both sides of the path")
  func strokes() throws {
    let circle = Path(ellipseIn: Rect(x: 12, y: 12, width: 40, height: 40))
    let ring = try draw(circle) {
      $0.fillColor = nil
      $0.strokeColor = .black
      $0.lineWidth = 6
    }
    let wanted = Double.pi * 40 * 6
    #expect(abs(area(ring) - wanted) < 0.005 * wanted)
    #expect(alpha(ring, 32, 32) == 0 && alpha(ring, 10, 32) == 255 && alpha(ring, 13, 32) == 255)
    let half = try draw(circle) {
      $0.fillColor = nil
      $0.strokeColor = .black
      $0.lineWidth = 6
      $0.strokeStart = 0.25
      $0.strokeEnd = 0.75
    }
    #expect(abs(area(half) - wanted / 2) < 0.01 * wanted)
    // From the right, clockwise: the second quarter begins at the bottom.
    #expect(alpha(half, 12, 32) == 255 && alpha(half, 51, 32) == 0)
  }

  @Test("dashes are there and gaps are not, from the phase on")
  func dashes() throws {
    var line = Path()
    line.move(to: Point(0, 32))
    line.addLine(to: Point(64, 32))
    let image = try draw(line) {
      $0.strokeColor = .black
      $0.lineWidth = 4
      $0.lineDashPattern = [5, 3]
      $0.lineDashPhase = 2
    }
    for x in 0..<64 { #expect(alpha(image, x, 31) == ((x + 2) % 8 < 5 ? 255 : 0), "\(x)") }
    for pattern in [[0, 0], [-1, -2], []] {
      let whole = try draw(line) {
        $0.strokeColor = .black
        $0.lineWidth = 4
        $0.lineDashPattern = pattern.map(Double.init)
      }
      #expect(area(whole) == 256)
    }
  }

  @Test("caps and joins reach as far as they should")
  func capsAndJoins() throws {
    var line = Path()
    line.move(to: Point(20, 32))
    line.addLine(to: Point(40, 32))
    func end(_ cap: LineCap) throws -> Double {
      area(
        try draw(line) {
          $0.strokeColor = .black
          $0.lineWidth = 8
          $0.lineCap = cap
        })
    }
    #expect(try end(.butt) == 160 && end(.square) == 224)
    let round = try end(.round)
    #expect(abs(round - (160 + .pi * 16)) < 1)
    var corner = Path()
    corner.move(to: Point(10, 50))
    corner.addLine(to: Point(40, 50))
    corner.addLine(to: Point(40, 10))
    func outside(_ join: LineJoin, limit: Double = 10) throws -> UInt8 {
      alpha(
        try draw(corner) {
          $0.fillColor = nil
          $0.strokeColor = .black
          $0.lineWidth = 8
          $0.lineJoin = join
          $0.miterLimit = limit
        }, 43, 53)
    }
    #expect(try outside(.miter) == 255 && outside(.bevel) == 0 && outside(.round) < 60)
    #expect(try outside(.miter, limit: 1) == 0)
  }

  @Test("colours are premultiplied, the stroke above the fill")
  func colors() throws {
    let image = try draw(Path(Rect(x: 8, y: 8, width: 40, height: 40))) {
      $0.fillColor = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
      $0.strokeColor = Color(red: 0, green: 0, blue: 1)
      $0.lineWidth = 4
    }
    func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(image.pixels[(y * 64 + x) * 4..<(y * 64 + x) * 4 + 4]) }
    #expect(image.alpha == .premultiplied)
    #expect([[127, 0, 0, 127], [128, 0, 0, 128]].contains(pixel(20, 20)))
    #expect(pixel(8, 20) == [0, 0, 255, 255] && pixel(7, 20) == [0, 0, 255, 255] && pixel(2, 2) == [0, 0, 0, 0])
  }

  @Test("the extent holds every pixel that is drawn, and there is none for what draws nothing")
  func extent() throws {
    let path = Path(Rect(x: 10, y: 10, width: 20, height: 20))
    var style = ShapeStyle()
    #expect(ShapeDrawing.extent(of: path, style) == Rect(x: 10, y: 10, width: 20, height: 20))
    style.strokeColor = .black
    style.lineWidth = 2
    style.lineJoin = .round
    #expect(ShapeDrawing.extent(of: path, style) == Rect(x: 9, y: 9, width: 22, height: 22))
    style.strokeColor = nil
    style.fillColor = nil
    #expect(ShapeDrawing.extent(of: path, style) == nil)
    #expect(ShapeDrawing.extent(of: Path(), ShapeStyle()) == nil)
    #expect(ShapeDrawing.extent(of: Path(Rect(x: 0, y: 0, width: .infinity, height: 1)), ShapeStyle()) == nil)
  }
}

import Commit
import Geometry
import TestSupport
import VectorGraphics

/// A path and some text as a layer makes them of itself.
enum RandomDrawings {
  static func of(seed: UInt64) -> [RandomScene.Drawing] {
    var random = SeededGenerator(seed: seed ^ 0xD4A3)
    return [path(&random), text(&random)].compactMap { $0 }
  }

  private static func path(_ random: inout SeededGenerator) -> RandomScene.Drawing? {
    var path = Path()
    path.move(to: Point(random.eighth(0...24), random.eighth(0...24)))
    for _ in 0..<4 {
      let points = (0..<3).map { _ in Point(random.eighth(-4...28), random.eighth(-4...28)) }
      if random.oneIn(2) {
        path.addLine(to: points[0])
      } else {
        path.addCurve(to: points[0], control1: points[1], control2: points[2])
      }
    }
    if random.oneIn(2) { path.closeSubpath() }
    var style = ShapeStyle()
    style.fillColor = random.oneIn(3) ? nil : Color(red: 0.75, green: 0.25, blue: 0, alpha: 0.75)
    style.strokeColor = random.oneIn(3) ? nil : Color(red: 0, green: 0.25, blue: 0.75)
    style.lineWidth = random.eighth(1...4)
    style.fillRule = random.oneIn(2) ? .evenOdd : .nonZero
    style.lineJoin = random.pick(LineJoin.allCases)
    style.lineCap = random.pick(LineCap.allCases)
    if random.oneIn(3) { style.lineDashPattern = [3, 2] }
    guard let extent = ShapeDrawing.extent(of: path, style) else { return nil }
    let (frame, size) = grid(extent)
    return ShapeDrawing.image(of: path, style, in: frame, size: size, scale: 2).map {
      RandomScene.Drawing(image: $0, frame: frame)
    }
  }

  private static func text(_ random: inout SeededGenerator) -> RandomScene.Drawing? {
    var style = TextStyle()
    style.color = .black
    style.fontSize = random.whole(8...20)
    style.isWrapped = random.oneIn(2)
    let words = ["Tür", "ab c", "日本", "مرحبا", "Ωμ"]
    let frame = Rect(x: 0, y: 0, width: 32, height: 24)
    let size = PixelSize(width: 64, height: 48)
    return TextLayout([TextRun(random.pick(words))], style, in: frame.size)?
      .image(in: frame, origin: .zero, size: size, scale: 2).map { RandomScene.Drawing(image: $0, frame: frame) }
  }

  /// Whole pixels of two a point around it.
  private static func grid(_ extent: Rect) -> (frame: Rect, size: PixelSize) {
    let pixels = PixelRect(
      enclosing: Rect(x: extent.x * 2, y: extent.y * 2, width: extent.width * 2, height: extent.height * 2))
    return (
      Rect(
        x: Double(pixels.minX) / 2, y: Double(pixels.minY) / 2, width: Double(pixels.width) / 2,
        height: Double(pixels.height) / 2), pixels.size
    )
  }
}

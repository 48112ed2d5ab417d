import Geometry
import ReferenceRenderer
import Testing

@Suite("Coverage")
struct CoverageTests {
  private let target = PixelRect(size: PixelSize(width: 100, height: 100))

  private func area(_ coverage: Coverage) -> Double { coverage.values.reduce(0) { $0 + Double($1) } }

  @Test("a rectangle covers the product of what it covers of each axis")
  func fractionalRectangle() {
    let coverage = Coverage(
      of: RoundedRect(rect: Rect(minX: 10.25, minY: 20.5, maxX: 13.75, maxY: 22.125)), under: .identity, within: target)
    #expect(coverage.bounds == PixelRect(minX: 10, minY: 20, maxX: 14, maxY: 23))
    let rows: [Float] = [0.5, 1, 0.125]
    let columns: [Float] = [0.75, 1, 1, 0.75]
    for (y, row) in rows.enumerated() {
      for (x, column) in columns.enumerated() { #expect(coverage.values[y * 4 + x] == row * column) }
    }
  }

  @Test("an edge at 45° halves the pixels on the diagonal")
  func diagonal() {
    // The square of diagonal 20 around (50, 50).
    let h = 0.5.squareRoot()
    let turn = Homography(m11: h, m12: h, m21: -h, m22: h, m41: 50, m42: 50)
    let side = 10 * 2.0.squareRoot()
    let coverage = Coverage(
      of: RoundedRect(rect: Rect(x: -side / 2, y: -side / 2, width: side, height: side)), under: turn, within: target)
    #expect(abs(area(coverage) - 200) < 1e-4)
    let width = coverage.bounds.width
    for row in 0..<10 {
      let first = coverage.values[row * width..<(row + 1) * width].first { $0 > 0 }
      #expect(abs((first ?? 0) - 0.5) < 1e-5)
    }
  }

  @Test("a circle covers πr²", arguments: [0.5, 3, 10, 37.3])
  func circle(radius: Double) {
    let radii = CornerRadii(topLeft: radius, topRight: radius, bottomRight: radius, bottomLeft: radius)
    let rect = Rect(x: 50.3 - radius, y: 49.6 - radius, width: 2 * radius, height: 2 * radius)
    let coverage = Coverage(of: RoundedRect(rect: rect, radii: radii), under: .identity, within: target)
    #expect(abs(area(coverage) / (.pi * radius * radius) - 1) < 1e-3)
  }

  @Test("a sliver thinner than a pixel keeps its area")
  func sliver() {
    let turn = Homography(Transform3D.rotation(angle: 0.3)).translated(x: 30, y: 20)
    let coverage = Coverage(
      of: RoundedRect(rect: Rect(x: 0, y: 0, width: 50, height: 0.01)), under: turn, within: target)
    #expect(abs(area(coverage) - 0.5) < 1e-5)
  }

  @Test("a border is the outline less the outline further in")
  func border() {
    let radii = CornerRadii(topLeft: 10, topRight: 0, bottomRight: 4, bottomLeft: 2)
    let shape = RoundedRect(rect: Rect(x: 10, y: 10, width: 40, height: 30), radii: radii)
    let inside = RoundedRect(rect: Rect(x: 13, y: 13, width: 34, height: 24), radii: radii.inset(by: 3))
    let turn = Homography(Transform3D.rotation(angle: 0.2)).translated(x: 10, y: 5)
    let band = Coverage(ofBorder: 3, of: shape, under: turn, within: target)
    let difference =
      area(Coverage(of: shape, under: turn, within: target)) - area(Coverage(of: inside, under: turn, within: target))
    #expect(abs(area(band) - difference) < 1e-4)
    #expect(band.values.allSatisfy { $0 >= 0 && $0 <= 1 })
  }

  @Test("a shape moved by whole pixels covers the same to the last bit")
  func translation() {
    let radii = CornerRadii(topLeft: 5, topRight: 3, bottomRight: 0, bottomLeft: 9)
    let shape = RoundedRect(rect: Rect(x: 0.1, y: 0.7, width: 31.3, height: 22.9), radii: radii)
    let turn = Homography(Transform3D.rotation(angle: 0.7)).translated(x: 25.3, y: 5.2)
    let here = Coverage(of: shape, under: turn, within: target)
    let there = Coverage(of: shape, under: turn.translated(x: 31, y: 17), within: target)
    #expect(here.values == there.values)
    #expect(here.bounds.offsetBy(dx: 31, dy: 17) == there.bounds)
  }

  @Test("a shape 10⁹ pixels wide costs and covers what is visible")
  func huge() {
    let radii = CornerRadii(topLeft: 4e8, topRight: 4e8, bottomRight: 4e8, bottomLeft: 4e8)
    let shape = RoundedRect(rect: Rect(x: -5e8, y: -5e8, width: 1e9, height: 1e9), radii: radii)
    let coverage = Coverage(of: shape, under: .identity, within: target)
    #expect(coverage.bounds == target)
    #expect(coverage.values.allSatisfy { $0 == 1 })
    // The crown of a huge arc is a straight edge.
    let edge = Coverage(of: shape, under: .translation(x: 5e8 + 50.5, y: 50), within: target)
    #expect(abs(area(edge) - 49.5 * 100) < 0.01)
  }

  @Test("what lies behind the eye covers nothing")
  func behindTheEye() {
    let behind = Homography(m11: 1, m22: 1, m44: -1)
    #expect(
      Coverage(of: RoundedRect(rect: Rect(x: 0, y: 0, width: 9, height: 9)), under: behind, within: target).isEmpty)
    // A floor that runs to the horizon at y = 50: the half of the target below it.
    let floor = Homography(m11: 1, m12: 0, m14: 0, m21: 50, m22: 50, m24: 1, m41: 50, m42: 50, m44: 0)
    let coverage = Coverage(
      of: RoundedRect(rect: Rect(x: -1e7, y: 0, width: 2e7, height: 1e7)), under: floor, within: target)
    #expect(abs(coverage.bounds.rect.minY - 50) <= 1)
  }
}

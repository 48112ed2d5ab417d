import Geometry
import TestSupport
import Testing

@Suite("SVG path data")
struct SVGPathTests {
  @Test(
    "one path, written in many ways",
    arguments: [
      "M10,20 L30,20 L30,40 Z", "M 10 20 L 30 20 30 40 z", "m10 20 20 0 0 20z", "M10 20H30V40Z", "m10 20h20v20Z",
      "  M 1e1 2.0e+1 h 20. v +20 Z ", "M10-20" + "m0 40h20v20z", "M10,20\n\tL30,20\r30,40 z",
    ])
  func triangle(text: String) throws {
    var path = Path()
    path.move(to: Point(10, 20))
    path.addLine(to: Point(30, 20))
    path.addLine(to: Point(30, 40))
    path.closeSubpath()
    let got = try Path(svg: text)
    // One of them moves twice.
    #expect(got.elements.suffix(4) == path.elements[...])
  }

  @Test("numbers may stand close together")
  func compact() throws {
    #expect(
      try Path(svg: "M0 0l.5.5-1-1").elements == [.move(.zero), .line(Point(0.5, 0.5)), .line(Point(-0.5, -0.5))])
    let arc = try Path(svg: "M0 0a1 1 0 01 2 0")
    let spaced = try Path(svg: "M 0 0 A 1 1 0 0 1 2 0")
    #expect(arc == spaced)
    #expect(arc.currentPoint == Point(2, 0))
  }

  @Test("smooth curves mirror the control before, if there was one of their kind")
  func smooth() throws {
    #expect(
      try Path(svg: "M0 0C1 1 2 1 3 0S5-1 6 0").elements.last
        == .cubic(control1: Point(4, -1), control2: Point(5, -1), to: Point(6, 0)))
    #expect(
      try Path(svg: "M0 0L3 0S5-1 6 0").elements.last
        == .cubic(control1: Point(3, 0), control2: Point(5, -1), to: Point(6, 0)))
    #expect(try Path(svg: "M0 0Q1 1 2 0T4 0").elements.last == .quad(control: Point(3, -1), to: Point(4, 0)))
    #expect(try Path(svg: "M0 0q1 1 2 0t2 0 2 0").elements.last == .quad(control: Point(5, 1), to: Point(6, 0)))
    #expect(try Path(svg: "M0 0C1 1 2 1 3 0T5 0").elements.last == .quad(control: Point(3, 0), to: Point(5, 0)))
  }

  @Test("four arcs make a circle, whichever flags say so; radii that don't reach grow; flat arcs are lines")
  func arcs() throws {
    for text in [
      "M0-5A5 5 0 0 1 0 5A5 5 0 0 1 0-5", "M0-5A5 5 30 1 0 0 5A5 5 0 1 0 0-5", "M0-5A1 1 0 0 1 0 5 1 1 0 0 1 0-5",
    ] {
      for element in try Path(svg: text).elements {
        guard let point = element.points.last else { continue }
        #expect(abs(length(point.x, point.y) - 5) < 1e-9, "\(text)")
      }
    }
    // A quarter of an ellipse that is turned a quarter: its axes change places.
    let turned = try Path(svg: "M20 0A10 20 90 0 1 0 10")
    #expect(turned.elements.allSatisfy { $0.points.allSatisfy { $0.x > -1e-9 && $0.y > -1e-9 && $0.x < 20.001 } })
    #expect(try Path(svg: "M0 0A0 5 0 0 1 9 9").elements == [.move(.zero), .line(Point(9, 9))])
    #expect(try Path(svg: "M1 1A5 5 0 0 1 1 1").elements == [.move(Point(1, 1))])
  }

  @Test(
    "what is no path data is told with the place",
    arguments: [
      ("L1 1", 1, "M"), ("M1", 3, "number"), ("M1 1 L", 7, "number"), ("M1 1 X", 6, "command"), ("M1 1,", 5, "command"),
      ("M1 1a1 1 0 2 1 1 1", 12, "0 or 1"), ("M1e999 0", 2, "range"), ("z", 1, "M"), ("M0 0 L1 1e", 10, "command"),
      ("M 0 0 C 1 1 2 2", 16, "number"),
    ])
  func faults(text: String, position: Int, words: String) throws {
    let error = try #require(throws: SVGPathError.self) { try Path(svg: text) }
    #expect(error.position == position && error.expected.contains(words), "\(error)")
  }

  @Test("an empty text is an empty path")
  func empty() throws {
    #expect(try Path(svg: "").isEmpty && Path(svg: " \n").isEmpty)
  }

  @Test("20,000 texts of nonsense are paths or faults", arguments: [1, 2])
  func nonsense(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let letters = Array("MmLlHhVvCcSsQqTtAaZz0123456789.,-+eE \u{e9}x")
    var (read, refused) = (0, 0)
    for _ in 0..<10_000 {
      let text =
        "M0 0"
        + String((0..<Int.random(in: 0...24, using: &random)).map { _ in letters.randomElement(using: &random) ?? "M" })
      do {
        let path = try Path(svg: text)
        #expect(path.isFinite)
        read += 1
      } catch { refused += 1 }
    }
    #expect(read > 100 && refused > 100)
  }
}

/// Why a text is no path data.
public struct SVGPathError: Error, Sendable, Hashable {
  /// Of the first character that does not fit, from 1.
  public var position: Int
  public var expected: String
}

extension Path {
  /// From path data as SVG's `d` attribute has it: `M 10 10 h 80 v 40 z`. Of a text with a fault nothing is drawn.
  public init(svg text: String) throws(SVGPathError) {
    var reader = SVGPathReader(text)
    try reader.read()
    self = reader.path
  }
}

/// Reads SVG 2's path data, every command of it, absolute and relative.
private struct SVGPathReader {
  var path = Path()
  private let bytes: [UInt8]
  private var position = 0
  private var current = Point.zero
  private var start = Point.zero
  /// The second control of the curve before, for the commands that go on smoothly.
  private var cubicControl: Point?
  private var quadControl: Point?

  init(_ text: String) { bytes = Array(text.utf8) }

  private func failure(_ expected: String) -> SVGPathError { SVGPathError(position: position + 1, expected: expected) }

  mutating func read() throws(SVGPathError) {
    skipSpace()
    while position < bytes.count {
      let letter = bytes[position]
      let command = letter | 0x20
      let isRelative = letter == command
      guard "mzlhvcsqta".utf8.contains(command) else {
        throw failure("a command, one of M Z L H V C S Q T A")
      }
      guard command == UInt8(ascii: "m") || !path.isEmpty else { throw failure("M first, to begin somewhere") }
      position += 1
      if command == UInt8(ascii: "z") {
        path.closeSubpath()
        current = start
        (cubicControl, quadControl) = (nil, nil)
        skipSpace()
        continue
      }
      var isFirst = true
      // A command's arguments may be repeated without its letter; a move's are lines then.
      repeat {
        try draw(command == UInt8(ascii: "m") && !isFirst ? UInt8(ascii: "l") : command, isRelative)
        isFirst = false
        skipSpaceAndComma()
      } while startsNumber
    }
    guard path.isFinite else { throw failure("numbers within the range of numbers") }
  }

  private mutating func draw(_ command: UInt8, _ isRelative: Bool) throws(SVGPathError) {
    let base = isRelative ? current : .zero
    var (cubic, quad): (Point?, Point?) = (nil, nil)
    switch command {
    case UInt8(ascii: "m"):
      current = try point(base)
      start = current
      path.move(to: current)
    case UInt8(ascii: "l"):
      current = try point(base)
      path.addLine(to: current)
    case UInt8(ascii: "h"):
      current.x = try number() + base.x
      path.addLine(to: current)
    case UInt8(ascii: "v"):
      current.y = try number() + base.y
      path.addLine(to: current)
    case UInt8(ascii: "c"), UInt8(ascii: "s"):
      let first = command == UInt8(ascii: "c") ? try point(base) : mirrored(cubicControl)
      let second = try point(base)
      current = try point(base)
      path.addCurve(to: current, control1: first, control2: second)
      cubic = second
    case UInt8(ascii: "q"), UInt8(ascii: "t"):
      let control = command == UInt8(ascii: "q") ? try point(base) : mirrored(quadControl)
      current = try point(base)
      path.addQuadCurve(to: current, control: control)
      quad = control
    default: try arc(base)
    }
    (cubicControl, quadControl) = (cubic, quad)
  }

  private func mirrored(_ control: Point?) -> Point {
    control.map { Point(2 * current.x - $0.x, 2 * current.y - $0.y) } ?? current
  }

  /// From end points to a centre, by SVG's appendix on arcs.
  private mutating func arc(_ base: Point) throws(SVGPathError) {
    var (rx, ry) = (try number().magnitude, try number().magnitude)
    let rotation = try number() * .pi / 180
    let (isLarge, isClockwise) = (try flag(), try flag())
    let end = try point(base)
    defer { current = end }
    guard end != current else { return }
    guard rx > 0, ry > 0 else { return path.addLine(to: end) }
    let (c, s) = (cosine(rotation), sine(rotation))
    let (hx, hy) = ((current.x - end.x) / 2, (current.y - end.y) / 2)
    let (x, y) = (c * hx + s * hy, c * hy - s * hx)
    // Radii too small to reach grow.
    let reach = x * x / (rx * rx) + y * y / (ry * ry)
    if reach > 1 {
      rx *= reach.squareRoot()
      ry *= reach.squareRoot()
    }
    let below = rx * rx * y * y + ry * ry * x * x
    var k = below > 0 ? max(0, (rx * rx * ry * ry - below) / below).squareRoot() : 0
    if isLarge == isClockwise { k = -k }
    let (cx, cy) = (k * rx * y / ry, -k * ry * x / rx)
    let center = Point(c * cx - s * cy + (current.x + end.x) / 2, s * cx + c * cy + (current.y + end.y) / 2)
    let first = angle(x: (x - cx) / rx, y: (y - cy) / ry)
    var sweep = angle(x: (-x - cx) / rx, y: (-y - cy) / ry) - first
    if isClockwise, sweep < 0 { sweep += 2 * .pi }
    if !isClockwise, sweep > 0 { sweep -= 2 * .pi }
    path.addArcs(center: center, radiusX: rx, radiusY: ry, from: first, by: sweep, rotation: rotation, to: end)
  }

  // MARK: Characters

  private var next: UInt8 { position < bytes.count ? bytes[position] : 0 }

  private var startsNumber: Bool { isDigit(next) || "+-.".utf8.contains(next) }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private mutating func skipSpace() {
    while [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains(next) { position += 1 }
  }

  private mutating func skipSpaceAndComma() {
    skipSpace()
    guard next == UInt8(ascii: ",") else { return }
    position += 1
    skipSpace()
    // A comma stands between two numbers.
    if !startsNumber { position -= 1 }
  }

  private mutating func point(_ base: Point) throws(SVGPathError) -> Point {
    let x = try number()
    return Point(base.x + x, base.y + (try number()))
  }

  private mutating func flag() throws(SVGPathError) -> Bool {
    skipSpaceAndComma()
    guard next == UInt8(ascii: "0") || next == UInt8(ascii: "1") else { throw failure("0 or 1") }
    position += 1
    return bytes[position - 1] == UInt8(ascii: "1")
  }

  private mutating func number() throws(SVGPathError) -> Double {
    skipSpaceAndComma()
    let first = position
    if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
    var digits = skipDigits()
    if next == UInt8(ascii: ".") {
      position += 1
      digits += skipDigits()
    }
    guard digits > 0 else {
      position = first
      throw failure("a number")
    }
    if next | 0x20 == UInt8(ascii: "e") {
      let mark = position
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      if skipDigits() == 0 { position = mark }
    }
    guard let value = Double(String(decoding: bytes[first..<position], as: UTF8.self)), value.isFinite else {
      position = first
      throw failure("a number within the range of numbers")
    }
    return value
  }

  private mutating func skipDigits() -> Int {
    let first = position
    while isDigit(next) { position += 1 }
    return position - first
  }
}

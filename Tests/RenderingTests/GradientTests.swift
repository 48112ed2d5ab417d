import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Gradients")
struct GradientTests {
  private func draw(_ gradient: Gradient, _ witness: Witness, _ properties: [PropertyChange] = []) throws -> Image {
    var layer = TestLayer.box(1, x: 0, y: 0, 120, 80, [.gradient(gradient)] + properties)
    layer.kind = .gradient
    var tree = try RenderTree(.box(900, x: 0, y: 0, 120, 80, [], [layer]))
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: PixelSize(width: 120, height: 80))
  }

  private func blackToWhite(_ type: GradientType, _ start: Point, _ end: Point) -> Gradient {
    Gradient(
      type: type, start: start, end: end,
      stops: [.init(location: 0, color: .black), .init(location: 1, color: .white)])
  }

  /// The largest difference of the red component from a formula of the pixel's centre.
  private func worst(_ image: Image, _ formula: (Double, Double) -> Double) -> Double {
    var worst = 0.0
    for y in 0..<image.height {
      for x in 0..<image.width {
        let expected = 255 * max(0, min(1, formula(Double(x) + 0.5, Double(y) + 0.5)))
        worst = max(worst, abs(Double(image.pixel(x, y)[0]) - expected))
      }
    }
    return worst
  }

  @Test("an axial one's lines of equal colour stand upright on it in points", arguments: Witness.allCases)
  func axial(_ witness: Witness) throws {
    let image = try draw(blackToWhite(.axial, Point(0.25, 0.25), Point(0.75, 0.75)), witness)
    // From (30, 20), along (60, 40).
    #expect(worst(image) { x, y in ((x - 30) * 60 + (y - 20) * 40) / 5200 } <= 1.5)
  }

  @Test("a radial one grows in the ellipse whose box has its end as a corner", arguments: Witness.allCases)
  func radial(_ witness: Witness) throws {
    let image = try draw(blackToWhite(.radial, Point(0.5, 0.25), Point(0.75, 1)), witness)
    // The middle (60, 20), half axes 30 and 60.
    #expect(worst(image) { x, y in length((x - 60) / 30, (y - 20) / 60) } <= 1.5)
  }

  @Test("a conic one turns clockwise from its end's direction", arguments: Witness.allCases)
  func conic(_ witness: Witness) throws {
    let image = try draw(blackToWhite(.conic, Point(0.5, 0.5), Point(0.5, 1)), witness)
    // The end lies straight below: a quarter later is the left, then the top, then the right.
    for (x, y, share) in [(20, 40, 0.25), (60, 5, 0.5), (100, 40, 0.75)] {
      let expected = 255 * (angle(x: Double(x) + 0.5 - 60, y: Double(y) + 0.5 - 40) / (2 * .pi) - 0.25)
      let wrapped = expected < 0 ? expected + 255 : expected
      #expect(abs(Double(image.pixel(x, y)[0]) - wrapped) <= 1.5)
      #expect(abs(wrapped / 255 - share) < 0.01)
    }
  }

  @Test("colours are mixed premultiplied", arguments: Witness.allCases)
  func premultiplied(_ witness: Witness) throws {
    let gradient = Gradient(
      type: .axial, start: Point(0, 0), end: Point(1, 0),
      stops: [
        .init(location: 0, color: Color(red: 1, green: 0, blue: 0, alpha: 0)),
        .init(location: 1, color: Color(red: 0, green: 0, blue: 1, alpha: 1)),
      ])
    // Half way: half of the blue, and none of the red that nothing shows of.
    #expect(try draw(gradient, witness).pixel(60, 40).near([0, 0, 128, 128], 2))
  }

  @Test(
    "where one colour meets another at once no pixel is a mixture, however long the way", arguments: Witness.allCases)
  func steps(_ witness: Witness) throws {
    let half: [Gradient.Stop] = [
      .init(location: 0, color: .black), .init(location: 0.5, color: .black), .init(location: 0.5, color: .white),
      .init(location: 1, color: .white),
    ]
    // The step lies upright in the middle of 2,400 points, of which 120 are in view; of the conic one straight above.
    let place: [PropertyChange] = [.bounds(Rect(x: 0, y: 0, width: 2400, height: 1600)), .position(Point(60, 400))]
    let axial = Gradient(type: .axial, start: Point(0, 0.5), end: Point(1, 0.5), stops: half)
    let conic = Gradient(type: .conic, start: Point(0.5, 0.5), end: Point(0.5, 1), stops: half)
    for gradient in [axial, conic] {
      let image = try draw(gradient, witness, place)
      for y in 0..<80 {
        for x in 0..<120 {
          #expect(image.pixel(x, y)[0] == (x < 60 ? 0 : 255), "\(gradient.type) \(x), \(y)")
        }
      }
    }
  }

  @Test("one of no length, width or height is of the last colour", arguments: Witness.allCases)
  func degenerate(_ witness: Witness) throws {
    for (type, start, end) in [
      (GradientType.axial, Point(0.5, 0.5), Point(0.5, 0.5)), (.radial, Point(0.5, 0.5), Point(0.5, 1)),
      (.radial, Point(0.5, 0.5), Point(1, 0.5)), (.conic, Point(0.5, 0.5), Point(0.5, 0.5)),
    ] {
      for last in [1, 1.5] {
        let stops: [Gradient.Stop] = [.init(location: 0, color: .black), .init(location: last, color: .white)]
        let gradient = Gradient(type: type, start: start, end: end, stops: stops)
        #expect(worst(try draw(gradient, witness)) { _, _ in 1 } == 0, "\(type) to \(last)")
      }
    }
  }

  @Test(
    "locations may lie beyond 0 and 1: what is between the ends is as the formula has it", arguments: Witness.allCases)
  func beyond(_ witness: Witness) throws {
    func gradient(_ type: GradientType, _ start: Point, _ end: Point, _ locations: (Double, Double)) -> Gradient {
      Gradient(
        type: type, start: start, end: end,
        stops: [.init(location: locations.0, color: .black), .init(location: locations.1, color: .white)])
    }
    // From (30, 20) along (60, 40): beyond both ends lies half of the layer.
    let axial = try draw(gradient(.axial, Point(0.25, 0.25), Point(0.75, 0.75), (-0.4, 1.3)), witness)
    #expect(worst(axial) { x, y in (((x - 30) * 60 + (y - 20) * 40) / 5200 + 0.4) / 1.7 } <= 1)
    // A turn has no beyond: what lies there is not reached.
    let conic = try draw(gradient(.conic, Point(0.5, 0.5), Point(1, 0.5), (-1, 2)), witness)
    for (x, y, share) in [(60, 79, 0.25), (0, 40, 0.5), (60, 0, 0.75)] {
      #expect(abs(Double(conic.pixel(x, y)[0]) - 255 * (share + 1) / 3) <= 1.5, "\(x), \(y)")
    }
    let radial = try draw(gradient(.radial, Point(0.5, 0.5), Point(0.6, 0.6), (-0.5, 4)), witness)
    #expect(worst(radial) { x, y in (length((x - 60) / 12, (y - 40) / 8) + 0.5) / 4.5 } <= 1)
    // Far beyond: what shows is next to nothing of the way, or the way is next to nothing of what shows.
    let long = try draw(gradient(.axial, Point(0, 0), Point(1, 0), (-1e300, 1e300)), witness)
    #expect(worst(long) { _, _ in 0.5 } <= 1)
    let short = try draw(gradient(.axial, Point(0.5, 0), Point(0.51, 0), (-40, 40)), witness)
    #expect(worst(short) { x, _ in ((x - 60) / 1.2 + 40) / 80 } <= 1)
    // Of no length it has its last colour, wherever that lies.
    let point = try draw(gradient(.axial, Point(0.5, 0.5), Point(0.5, 0.5), (0, 3)), witness)
    #expect(worst(point) { _, _ in 1 } == 0)
  }

  @Test("a location that falls back lies where the one before it lies, in motion too", arguments: Witness.allCases)
  func falling(_ witness: Witness) throws {
    let colors = [Color.black, .white, Color(red: 1, green: 0, blue: 0)]
    func gradient(_ locations: [Double]) -> Gradient {
      Gradient(
        start: Point(0, 0.5), end: Point(1, 0.5),
        stops: zip(locations, colors).map { Gradient.Stop(location: $0, color: $1) })
    }
    let risen = try draw(gradient([0.2, 0.7, 0.7]), witness)
    #expect(try draw(gradient([0.2, 0.7, 0.4]), witness).pixels == risen.pixels)
    var layer = TestLayer.box(1, x: 0, y: 0, 120, 80, [.gradient(gradient([0.1, 0.2, 0.3]))])
    layer.kind = .gradient
    layer.animations = [
      Animation(
        PropertyAnimation(
          AnimationKeyPath(whole: .gradientLocations), .basic(.init(to: .numbers([0.2, 0.7, 0.4])))),
        timing: AnimationTiming(duration: 1, fillMode: .forwards, isRemovedOnCompletion: false))
    ]
    var tree = try RenderTree(.box(900, x: 0, y: 0, 120, 80, [], [layer]))
    tree.advance(to: 1)
    let moved = try Stage.shared.draw(
      tree.snapshot(root: 900), witness, size: PixelSize(width: 120, height: 80))
    #expect(moved.pixels == risen.pixels)
  }

  @Test("corners and clips cut every type", arguments: Witness.allCases, GradientType.allCases)
  func corners(_ witness: Witness, _ type: GradientType) throws {
    let image = try draw(blackToWhite(type, Point(0.5, 0.5), Point(1, 1)), witness, [.cornerRadius(40)])
    #expect(image.pixel(2, 2) == [0, 0, 0, 0] && image.pixel(60, 70)[3] == 255)
  }
}

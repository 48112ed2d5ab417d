import Commit
import Foundation
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Lenses")
struct LensTests {
  private let size = PixelSize(width: 96, height: 72)

  private func draw(_ layers: [TestLayer], _ witness: Witness, scale: Double = 1) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 96, 72, color: .white, [], layers)])
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size, scale: scale)
  }

  /// Red grows by two with x, green by three with y.
  private let ramps: TestLayer = {
    let pixels = (0..<72 * 96).flatMap { (index: Int) -> [UInt8] in
      [UInt8(index % 96 * 2), UInt8(index / 96 * 3), 0, 255]
    }
    let image = Image(size: PixelSize(width: 96, height: 72), alpha: .opaque, pixels: pixels)
    return .box(1, x: 0, y: 0, 96, 72, [.contents(image)])
  }()

  private func glass(
    _ lens: Lens, x: Double, y: Double, _ width: Double, _ height: Double, _ properties: [PropertyChange] = []
  ) -> TestLayer {
    var layer = TestLayer.box(2, x: x, y: y, width, height, [.lens(lens)] + properties)
    layer.kind = lens.subject == .backdrop ? .backdrop : .layer
    return layer
  }

  @Test("glass that bends nothing changes nothing, whatever its outline")
  func plain() throws {
    for witness in Stage.glassWitnesses {
      let wanted = try draw([ramps], witness)
      let blob = [
        Lens.Shape(rect: Rect(x: 4, y: 4, width: 24, height: 24), radius: 12),
        Lens.Shape(rect: Rect(x: 20, y: 12, width: 24, height: 20), radius: 6),
      ]
      for lens in [
        Lens(refractiveIndex: 1), Lens(thickness: 0), Lens(rim: 0),
        Lens(shapes: blob, smoothing: 9, refractiveIndex: 1),
        Lens(refractiveIndex: 1, chromaticSpread: 1),
      ] {
        for properties in [[.cornerRadius(12)], [.transform(.rotation(angle: 0.4))]] as [[PropertyChange]] {
          for group in [nil, "g"] {
            let layer = glass(lens, x: 20, y: 16, 48, 36, properties + [.backdropGroup(group)])
            let difference = Difference(wanted, try draw([ramps, layer], witness))
            #expect(difference.largest <= Stage.rounding(witness), "\(witness) \(lens): \(difference)")
          }
        }
      }
    }
  }

  /// How far a place `distance` points inside of the outline looks further in.
  private func shift(_ lens: Lens, _ distance: Double, index: Double) -> Double {
    let s = min(1, max(0, 1 - distance / lens.rim))
    return lens.thickness * tan(asin(s) - asin(s / index))
  }

  @Test("what shows is displaced by the formula, each colour by its own index", arguments: [0.0, 0.4])
  func displacement(_ spread: Double) throws {
    for witness in Stage.glassWitnesses {
      let lens = Lens(rim: 16, thickness: 10, refractiveIndex: 1.6, chromaticSpread: spread)
      let image = try draw([ramps, glass(lens, x: 16, y: 12, 60, 50)], witness)
      // Down the middle of the left side the outline runs upright; along the upper side it lies.
      for distance in 0..<20 {
        let place = Double(distance) + 0.5
        let red = 2 * (16 + Double(distance) + shift(lens, place, index: 1 + 0.6 * (1 - spread)))
        let got = image.pixel(16 + distance, 40)
        #expect((Double(got[0]) - red).magnitude <= 0.6, "\(witness) \(distance): \(got) and \(red)")
        #expect(got[1] == 120)
        let green = 3 * (12 + Double(distance) + shift(lens, place, index: 1.6))
        #expect((Double(image.pixel(50, 12 + distance)[1]) - green).magnitude <= 0.6, "\(witness) \(distance)")
      }
    }
  }

  @Test("a lens scales and turns with its layer")
  func scaled() throws {
    for witness in Stage.glassWitnesses {
      let large = Lens(rim: 16, thickness: 10, refractiveIndex: 1.6)
      let small = Lens(rim: 8, thickness: 5, refractiveIndex: 1.6)
      let plain = try draw([ramps, glass(large, x: 16, y: 12, 64, 48, [.cornerRadius(20)])], witness)
      let quarter = Transform3D(m11: 0, m12: 2, m21: -2, m22: 0)
      let turned = try draw(
        [ramps, glass(small, x: 36, y: 20, 24, 32, [.cornerRadius(10), .transform(quarter)])], witness)
      let difference = Difference(plain, turned)
      #expect(difference.largest <= (witness == .reference ? 0 : 1), "\(witness) \(difference)")
    }
  }

  @Test("shapes that are near flow into each other by the smooth minimum of their distances")
  func union() throws {
    for witness in Stage.glassWitnesses {
      // Two circles of radius 12, ten points apart: between them, each is 5 away.
      let shapes = [
        Lens.Shape(rect: Rect(x: 4, y: 20, width: 24, height: 24), radius: 12),
        Lens.Shape(rect: Rect(x: 38, y: 20, width: 24, height: 24), radius: 12),
      ]
      let behind = TestLayer.box(1, x: 0, y: 0, 96, 72, color: .black)
      func covers(_ smoothing: Double) throws -> Bool {
        let lens = Lens(shapes: shapes, smoothing: smoothing, refractiveIndex: 1)
        let layer = glass(lens, x: 10, y: 4, 66, 64, [.backdropFilters([.invert(1)])])
        return try draw([behind, layer], witness).pixel(10 + 33, 4 + 32)[0] > 127
      }
      // There h is 1, and the union comes nearer by a quarter of the smoothing.
      #expect(try !covers(0) && !covers(19))
      #expect(try covers(21))
    }
  }

  @Test("the outline covers a pixel by how far it reaches into it, and never more than the bounds do")
  func coverage() throws {
    for witness in Stage.glassWitnesses {
      let behind = TestLayer.box(1, x: 0, y: 0, 96, 72, color: .black)
      let layer = glass(
        Lens(refractiveIndex: 1), x: 10.25, y: 8, 40, 30, [.backdropFilters([.invert(1)])])
      let plain = TestLayer.box(2, x: 10.25, y: 8, 40, 30, color: .white)
      let difference = Difference(try draw([behind, plain], witness), try draw([behind, layer], witness))
      #expect(difference.largest <= 1, "\(witness) \(difference)")
      // A shape that reaches beyond is cut at the bounds.
      let wide = Lens(shapes: [Lens.Shape(rect: Rect(x: -50, y: -50, width: 200, height: 200))], refractiveIndex: 1)
      let cut = glass(wide, x: 10.25, y: 8, 40, 30, [.backdropFilters([.invert(1)])])
      #expect(Difference(try draw([behind, plain], witness), try draw([behind, cut], witness)).largest <= 1)
      // Round, it is the disc of a corner radius, to a few hundredths of a pixel.
      let disc = TestLayer.box(2, x: 20, y: 10, 41, 41, color: .white, [.cornerRadius(20.5)])
      let round = glass(
        Lens(refractiveIndex: 1), x: 20, y: 10, 41, 41, [.cornerRadius(20.5), .backdropFilters([.invert(1)])])
      #expect(Difference(try draw([behind, disc], witness), try draw([behind, round], witness)).largest <= 16)
    }
  }

  @Test("the highlight fades with the square of the distance, and faces the light from both sides")
  func highlight() throws {
    for witness in Stage.glassWitnesses {
      let behind = TestLayer.box(1, x: 0, y: 0, 96, 72, color: .black)
      let lens = Lens(
        refractiveIndex: 1, highlight: Color(red: 1, green: 1, blue: 1, alpha: 0.5), highlightWidth: 8, lightAngle: 0)
      let image = try draw([behind, glass(lens, x: 16, y: 12, 60, 50)], witness)
      for distance in 0..<10 {
        let fading = max(0, 1 - (Double(distance) + 0.5) / 8)
        let wanted = UInt8((255 * 0.5 * fading * fading).rounded())
        #expect(image.pixel(16 + distance, 37).near([wanted, wanted, wanted, 255]), "\(witness) \(distance)")
        #expect(image.pixel(75 - distance, 37).near([wanted, wanted, wanted, 255]), "\(witness) \(distance)")
      }
      #expect(image.pixel(46, 12) == [0, 0, 0, 255])
    }
  }

  @Test("a lens of its content bends what the layer and its sublayers draw, and shows nothing beyond its outline")
  func content() throws {
    for witness in Stage.glassWitnesses {
      func layer(_ lens: Lens?) -> TestLayer {
        .box(
          2, x: 16, y: 12, 60, 48, color: Color(red: 0, green: 0, blue: 1), [.lens(lens)],
          [
            .box(3, x: 10, y: -10, 8, 80, color: Color(red: 1, green: 0, blue: 0)),
            .box(4, x: -10, y: 20, 80, 4, color: .black),
          ])
      }
      let cut = try draw(
        [
          .box(
            5, x: 16, y: 12, 60, 48, [.masksToBounds(true)],
            [
              layer(nil).mapping { layer in
                var layer = layer
                if layer.id.rawValue == 2 { layer.properties.append(.position(Point(30, 24))) }
                return layer
              }
            ])
        ], witness)
      let plain = try draw([layer(Lens(subject: .content, refractiveIndex: 1))], witness)
      #expect(Difference(cut, plain).isNone, "\(witness) \(Difference(cut, plain))")
      let lens = Lens(subject: .content, rim: 20, thickness: 12)
      let bent = try draw([layer(lens)], witness)
      // The red bar from 10 to 18 points in shows where the formula looks at it.
      for distance in 0..<30 {
        let seen = Double(distance) + 0.5 + shift(lens, Double(distance) + 0.5, index: 1.5)
        guard (seen - 10).magnitude > 1, (seen - 18).magnitude > 1 else { continue }
        let wanted: [UInt8] = 10 < seen && seen < 18 ? [255, 0, 0, 255] : [0, 0, 255, 255]
        #expect(bent.pixel(16 + distance, 26) == wanted, "\(witness) \(distance)")
      }
    }
  }

  @Test("the shadow is that of what shows through it")
  func shadow() throws {
    for witness in Stage.glassWitnesses {
      let lens = Lens(
        subject: .content, shapes: [Lens.Shape(rect: Rect(x: 10, y: 10, width: 20, height: 20))], refractiveIndex: 1)
      let layer = TestLayer.box(
        2, x: 16, y: 12, 60, 48, color: Color(red: 0, green: 0, blue: 1),
        [.lens(lens), .shadow(Shadow(color: .black, opacity: 1, radius: 0, offset: Point(30, 0)))])
      let image = try draw([layer], witness)
      #expect(image.pixel(30, 30) == [0, 0, 255, 255] && image.pixel(20, 30) == [255, 255, 255, 255])
      #expect(image.pixel(60, 30) == [0, 0, 0, 255] && image.pixel(80, 30) == [255, 255, 255, 255])
    }
  }

  @Test("beyond the window a lens goes on, where its own shadow or blur shows it")
  func beyondWindow() throws {
    let ways: [[PropertyChange]] = [
      [.shadow(Shadow(color: .black, opacity: 1, radius: 0, offset: Point(-35, 0)))],
      [.shadow(Shadow(color: .black, opacity: 0.5, radius: 2, offset: Point(-35, 3)))],
      [.filters([.gaussianBlur(radius: 2)])],
    ]
    let lens = Lens(shapes: [Lens.Shape(rect: Rect(x: 4, y: 0, width: 28, height: 40), radius: 10)], highlight: .white)
    for witness in Stage.glassWitnesses {
      for way in ways {
        for group in [nil, "g"] {
          // What lies behind is white all over, so that where the lens stands makes no difference to it.
          func image(_ x: Double, _ y: Double) throws -> Image {
            let properties = way + [.backdropFilters([.invert(1)]), .backdropGroup(group)]
            return try draw([glass(lens, x: 20 + x, y: 16 + y, 56, 40, properties)], witness)
          }
          let within = try image(0, 0)
          for (dx, dy) in [(60, 0), (-34, 0), (0, 34), (0, -26), (50, -30), (21, 17), (-22, -19)] {
            let beyond = try image(Double(dx), Double(dy))
            let place = "\(witness) \(way) \(group ?? "alone") by \(dx), \(dy)"
            #expect(beyond.isMoved(from: within, by: dx, dy, within: Stage.rounding(witness)), "\(place)")
          }
        }
      }
    }
  }
}

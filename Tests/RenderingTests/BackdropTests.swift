import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Backdrops")
struct BackdropTests {
  private let size = PixelSize(width: 96, height: 72)
  private static let (red, green, blue) = (
    Color(red: 1, green: 0, blue: 0), Color(red: 0, green: 1, blue: 0), Color(red: 0, green: 0, blue: 1)
  )

  private func draw(_ layers: [TestLayer], _ witness: Witness, roots: [TestLayer] = []) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 96, 72, [], layers)] + roots)
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size)
  }

  private func backdrop(
    _ id: UInt64, x: Double, y: Double, _ width: Double, _ height: Double, _ filters: [Filter] = [],
    group: String? = nil, _ properties: [PropertyChange] = [], _ sublayers: [TestLayer] = []
  ) -> TestLayer {
    var layer = TestLayer.box(id, x: x, y: y, width, height, properties, sublayers)
    layer.kind = .backdrop
    layer.properties += [.backdropFilters(filters), .backdropGroup(group)]
    return layer
  }

  /// Opaque and see-through things and nothing, none of them on the grid.
  private let ground: [TestLayer] = [
    .box(1, x: 10.3, y: 8.7, 40, 30, color: blue, [.cornerRadius(9)]),
    .box(2, x: 30, y: 20, 50, 40, color: Color(red: 1, green: 0.5, blue: 0, alpha: 0.5), [.opacity(0.7)]),
    .box(3, x: 60, y: 5, 20, 60, color: Color(red: 0.1, green: 0.9, blue: 0.4), [.transform(.rotation(angle: 0.4))]),
  ]

  @Test("one without filters changes nothing, however it lies")
  func unfiltered() throws {
    for witness in Stage.glassWitnesses {
      let plain = try draw(ground, witness)
      let ways: [[PropertyChange]] = [
        [], [.cornerRadius(12)], [.transform(.rotation(angle: 0.5)), .cornerRadius(8)],
        [.transform(.rotation(angle: 0.7, x: 1, y: 1, z: 0) * .perspective(distance: 200))],
        [.position(Point(3, 70))], [.masksToBounds(true), .cornerRadius(20)],
      ]
      for group in [nil, "g"] {
        for properties in ways {
          let layers = ground + [backdrop(10, x: 20.5, y: 12.25, 50, 40, group: group, properties)]
          let difference = Difference(plain, try draw(layers, witness))
          #expect(difference.largest <= Stage.rounding(witness), "\(witness) \(properties): \(difference)")
        }
      }
    }
  }

  @Test("in a rounded clip it sees what lies behind the clip, and leaves no trace of its edge")
  func inClip() throws {
    for witness in Stage.glassWitnesses {
      let plain = try draw(ground, witness)
      let clip = TestLayer.box(
        11, x: 15, y: 10, 60, 50, [.masksToBounds(true), .cornerRadius(15), .transform(.rotation(angle: 0.2))],
        [backdrop(10, x: 5, y: 5, 40, 30)])
      let difference = Difference(plain, try draw(ground + [clip], witness))
      #expect(difference.largest <= Stage.rounding(witness), "\(witness) \(difference)")
    }
  }

  @Test("its filters apply to what lies behind within its shape, and to nothing that it draws itself")
  func filters() throws {
    for witness in Stage.glassWitnesses {
      let behind = TestLayer.box(1, x: 0, y: 0, 96, 72, color: Self.red)
      let layer = backdrop(
        2, x: 16, y: 8, 48, 40, [.invert(1), .grayscale(0)],
        [.backgroundColor(Color(red: 0, green: 0, blue: 1, alpha: 0.5))],
        [.box(3, x: 4, y: 4, 8, 8, color: Self.red)])
      let wanted = [
        behind, .box(2, x: 16, y: 8, 48, 40, color: Color(red: 0, green: 1, blue: 1)),
        .box(4, x: 16, y: 8, 48, 40, color: Color(red: 0, green: 0, blue: 1, alpha: 0.5)),
        .box(3, x: 20, y: 12, 8, 8, color: Self.red),
      ]
      let difference = Difference(try draw(wanted, witness), try draw([behind, layer], witness))
      #expect(difference.largest <= (witness == .reference ? 0 : 1), "\(witness) \(difference)")
    }
  }

  @Test("alone, a blur sees the picture mirrored at its edges; in a group what lies beyond them")
  func edges() throws {
    for witness in Stage.glassWitnesses {
      // Black on the left of x = 48, white on the right; the backdrop has only white behind it.
      let behind: [TestLayer] = [
        .box(1, x: 0, y: 0, 96, 72, color: .white), .box(2, x: 0, y: 0, 48, 72, color: .black),
      ]
      let blur = [Filter.gaussianBlur(radius: 4)]
      let plain = try draw(behind, witness)
      let alone = try draw(behind + [backdrop(3, x: 48, y: 10, 40, 40, blur)], witness)
      #expect(Difference(plain, alone).largest <= (witness == .reference ? 0 : 1), "\(witness)")
      let grouped = try draw(behind + [backdrop(3, x: 48, y: 10, 40, 40, blur, group: "g")], witness)
      // Half a pixel from the edge, and two deviations in: what a gaussian's integral gives.
      #expect(grouped.pixel(48, 30).near([140, 140, 140, 255], 4), "\(witness) \(grouped.pixel(48, 30))")
      #expect(grouped.pixel(56, 30).near([251, 251, 251, 255], 3), "\(witness) \(grouped.pixel(56, 30))")
      // At the target's own edges a group's blur is mirrored too: of one colour, nothing changes.
      let whole = try draw(
        [behind[0], backdrop(3, x: -10, y: -10, 120, 100, blur, group: "g")], witness)
      #expect(whole.pixel(0, 0) == [255, 255, 255, 255] && whole.pixel(95, 71) == [255, 255, 255, 255])
    }
  }

  @Test("one that covers the target sees the same alone as in a group")
  func whole() throws {
    for witness in Stage.glassWitnesses {
      let filters: [Filter] = [.gaussianBlur(radius: 3), .saturate(0.5), .gaussianBlur(radius: 5)]
      let images = try [nil, "g"].map { group in
        try draw(ground + [backdrop(10, x: 0, y: 0, 96, 72, filters, group: group)], witness)
      }
      #expect(Difference(images[0], images[1]).isNone, "\(witness) \(Difference(images[0], images[1]))")
    }
  }

  @Test("a group shows one capture, made before the first of it: two that lie on each other invert once")
  func group() throws {
    for witness in Stage.glassWitnesses {
      let behind = TestLayer.box(1, x: 0, y: 0, 96, 72, color: Self.red)
      func panels(_ group: String?) -> [TestLayer] {
        [
          behind, backdrop(2, x: 8, y: 8, 40, 40, [.invert(1)], group: group),
          .box(3, x: 30, y: 30, 10, 10, color: Self.green),
          backdrop(4, x: 24, y: 24, 40, 40, [.invert(1)], group: group),
        ]
      }
      let shared = try draw(panels("g"), witness)
      #expect(shared.pixel(28, 28) == [0, 255, 255, 255] && shared.pixel(12, 12) == [0, 255, 255, 255])
      // What lies between the two is not in the capture.
      #expect(shared.pixel(35, 35) == [0, 255, 255, 255])
      let apart = try draw(panels(nil), witness)
      #expect(apart.pixel(28, 28) == [255, 0, 0, 255] && apart.pixel(60, 60) == [0, 255, 255, 255])
      #expect(apart.pixel(35, 35) == [255, 0, 255, 255])
    }
  }

  @Test("members of a group are the same capture cut to their shapes")
  func members() throws {
    for witness in Stage.glassWitnesses {
      let filters: [Filter] = [.gaussianBlur(radius: 4), .brightness(0.75)]
      let whole = try draw(ground + [backdrop(10, x: 0, y: 0, 96, 72, filters, group: "g")], witness)
      let panels = (0..<6).map { index -> TestLayer in
        let (column, row) = (index % 3, index / 3)
        return backdrop(
          UInt64(20 + index), x: Double(column * 32), y: Double(row * 36), 32, 36, filters, group: "g")
      }
      let difference = Difference(whole, try draw(ground + panels, witness))
      #expect(difference.largest <= (witness == .reference ? 0 : 1), "\(witness) \(difference)")
    }
  }

  @Test("its own opacity, filters and mask don't hide what lies behind; a group that it stands in does")
  func groups() throws {
    for witness in Stage.glassWitnesses {
      let behind = TestLayer.box(1, x: 0, y: 0, 96, 72, color: Self.red)
      func pixel(_ layer: TestLayer) throws -> [UInt8] { try draw([behind, layer], witness).pixel(20, 20) }
      let inverted: [UInt8] = [0, 255, 255, 255]
      #expect(try pixel(backdrop(2, x: 8, y: 8, 40, 40, [.invert(1)], [.opacity(0.5)])).near([128, 128, 128, 255]))
      #expect(
        try pixel(backdrop(2, x: 8, y: 8, 40, 40, [.invert(1)], [.opacity(0.5), .allowsGroupOpacity(false)]))
          .near([128, 128, 128, 255]))
      #expect(try pixel(backdrop(2, x: 8, y: 8, 40, 40, [], [.filters([.invert(1)])])) == inverted)
      let mask = TestLayer.box(3, x: 0, y: 0, 20, 40, color: .black)
      let masked = try draw([behind, backdrop(2, x: 8, y: 8, 40, 40, [.invert(1)]).masked(by: mask)], witness)
      #expect(masked.pixel(20, 20) == inverted && masked.pixel(40, 20) == [255, 0, 0, 255])
      // In a group, only what the group holds lies behind.
      for properties in [[.opacity(0.5)], [.shadow(Shadow(radius: 0))]] as [[PropertyChange]] {
        let outer = TestLayer.box(
          4, x: 0, y: 0, 90, 70, properties,
          [.box(5, x: 30, y: 30, 20, 20, color: Self.blue), backdrop(2, x: 8, y: 8, 40, 40, [.invert(1)])])
        let image = try draw([behind, outer], witness)
        #expect(image.pixel(20, 20) == [255, 0, 0, 255], "\(witness)")
        let seen: [UInt8] =
          properties.contains { if case .opacity = $0 { true } else { false } }
          ? [255, 128, 0, 255] : [255, 255, 0, 255]
        #expect(image.pixel(38, 38).near(seen), "\(witness) \(image.pixel(38, 38))")
      }
    }
  }

  @Test("in a portal it sees the content alone, or with allowsBackdropGroups what lies behind the portal")
  func portals() throws {
    for witness in Stage.glassWitnesses {
      let behind = TestLayer.box(1, x: 0, y: 0, 96, 72, color: Self.red)
      let source = TestLayer.box(
        5, x: 0, y: 0, 40, 40, [],
        [
          .box(6, x: 0, y: 0, 20, 40, color: Self.blue),
          backdrop(7, x: 0, y: 0, 40, 40, [.invert(1)], group: "g"),
        ])
      let portal = TestLayer.portal(8, of: 5, x: 10, y: 10, 40, 40)
      let isolated = try draw([behind, portal], witness, roots: [source])
      #expect(isolated.pixel(20, 20) == [255, 255, 0, 255] && isolated.pixel(40, 20) == [255, 0, 0, 255])
      var open = portal
      open.properties.append(.allowsBackdropGroups(true))
      let joined = try draw([behind, open], witness, roots: [source])
      #expect(joined.pixel(20, 20) == [255, 255, 0, 255] && joined.pixel(40, 20) == [0, 255, 255, 255])
      // It joins the group of the portal's place: what was captured before the portal was drawn shows.
      let first = backdrop(9, x: 60, y: 20, 20, 20, [.invert(1)], group: "g")
      let shared = try draw([behind, first, open], witness, roots: [source])
      #expect(shared.pixel(20, 20) == [0, 255, 255, 255] && shared.pixel(70, 30) == [0, 255, 255, 255])
    }
  }

  @Test("a portal that is open to what lies behind it shows a layer as it is in its place (seeds 1…120)")
  func openPortals() throws {
    for witness in Stage.glassWitnesses {
      for seed in UInt64(1)...120 {
        var maker = RandomTree(seed: seed, isExact: true)
        var glass = RandomGlass(seed: seed)
        let before = TestLayer.box(
          5000, x: 0, y: 0, 96, 72, color: .white, [], [maker.layer(depth: 1), maker.layer(depth: 0)])
        var source = glass.changed(maker.layer(depth: 2))
        source.properties += [
          .bounds(Rect(x: 0, y: 0, width: 60, height: 50)), .position(Point(40, 30)), .anchorPoint(Point(0.5, 0.5)),
          .transform(.identity), .opacity(1), .isHidden(false), .zPosition(0),
        ]
        let portal = TestLayer.portal(6000, of: source.id.rawValue, x: 10, y: 5, 60, 50, [.allowsBackdropGroups(true)])
        let inPlace = try draw([before, source], witness)
        let difference = Difference(inPlace, try draw([before, portal], witness, roots: [source]))
        #expect(difference.largest <= (witness == .reference ? 0 : 2), "\(witness) seed \(seed): \(difference)")
        // And at the end of any scene, what changes nothing changes nothing.
        let last = try draw([before, source, self.backdrop(7000, x: 3.5, y: 2.25, 70, 60, [], group: "z")], witness)
        let change = Difference(inPlace, last)
        #expect(change.largest <= Stage.rounding(witness), "\(witness) seed \(seed): \(change)")
      }
    }
  }

  @Test("a blur's radius is in the layer's own points")
  func scaledBlur() throws {
    for witness in Stage.glassWitnesses {
      let behind: [TestLayer] = [
        .box(1, x: 0, y: 0, 96, 72, color: .white), .box(2, x: 0, y: 0, 48, 72, color: .black),
      ]
      let plain = try draw(behind + [backdrop(3, x: 8, y: 4, 80, 64, [.gaussianBlur(radius: 6)])], witness)
      let scaled = try draw(
        behind + [
          backdrop(3, x: 28, y: 20, 40, 32, [.gaussianBlur(radius: 3)], [.transform(.scale(x: 2, y: 2))])
        ], witness)
      #expect(Difference(plain, scaled).largest <= (witness == .reference ? 0 : 1), "\(witness)")
    }
  }

  @Test("beyond the window a blurred picture goes on, and what looks behind itself in it")
  func beyondWindow() throws {
    for witness in Stage.glassWitnesses {
      func image(_ x: Double, _ y: Double, isClipped: Bool, group: String?) throws -> Image {
        // Upon white, in a rounded clip or beyond its picture's edges.
        let glass = backdrop(22, x: -6, y: 4, 60, 30, [.invert(1)], group: group, [.cornerRadius(6)])
        let clip = TestLayer.box(21, x: 8, y: 8, 40, 30, [.masksToBounds(isClipped), .cornerRadius(15)], [glass])
        return try draw(
          [.box(20, x: 20 + x, y: 14 + y, 56, 44, color: .white, [.filters([.gaussianBlur(radius: 2)])], [clip])],
          witness)
      }
      for isClipped in [true, false] {
        for group in [nil, "g"] {
          let within = try image(0, 0, isClipped: isClipped, group: group)
          for (dx, dy) in [(44, 0), (-33, 0), (0, 35), (0, -21), (30, -20), (-60, -40), (25, 17), (-23, -15)] {
            let beyond = try image(Double(dx), Double(dy), isClipped: isClipped, group: group)
            let place = "\(witness) \(isClipped) \(group ?? "alone") by \(dx), \(dy)"
            #expect(beyond.isMoved(from: within, by: dx, dy, within: Stage.rounding(witness)), "\(place)")
          }
        }
      }
    }
  }
}

extension Image {
  /// What of it shows what the other shows is the same, but that it is so many pixels further on.
  func isMoved(from other: Image, by dx: Int, _ dy: Int, within tolerance: Int) -> Bool {
    for y in max(0, dy)..<min(height, height + dy) {
      for x in max(0, dx)..<min(width, width + dx) where !pixel(x, y).near(other.pixel(x - dx, y - dy), tolerance) {
        return false
      }
    }
    return true
  }
}

import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("What sees what lies behind it: GL equals the reference")
struct GlassTests {
  private let size = PixelSize(width: 160, height: 120)

  private func draw(_ layers: [TestLayer], _ witness: Witness, roots: [TestLayer] = []) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 160, 120, color: .white, [], layers)] + roots)
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size)
  }

  private func expectAgreement(
    _ layers: [TestLayer], roots: [TestLayer] = [], _ tolerance: ImageComparison.SceneClass = .blur,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let comparison = try ImageComparison(
      expected: draw(layers, .reference, roots: roots), got: draw(layers, .gl, roots: roots))
    #expect(comparison.passes(tolerance), "\(comparison)", sourceLocation: sourceLocation)
  }

  /// Stripes and discs, so that it matters where one looks. Colours are whole numbers of 255ths: no half is rounded either way.
  private var ground: [TestLayer] {
    var layers: [TestLayer] = []
    for index in 0..<8 {
      let share = Float(index % 6) / 5
      layers.append(
        .box(
          UInt64(10 + index), x: Double(index) * 20, y: 0, 10, 120,
          color: Color(red: share, green: 0.4, blue: 1 - share)))
    }
    layers.append(.box(30, x: 30, y: 20, 40, 40, color: Color(red: 1, green: 0.8, blue: 0), [.cornerRadius(20)]))
    layers.append(.box(31, x: 90, y: 60, 50, 40, color: Color(red: 0, green: 0.6, blue: 0.2), [.cornerRadius(8)]))
    return layers
  }

  private func glass(
    _ id: UInt64, x: Double, y: Double, _ width: Double, _ height: Double, _ properties: [PropertyChange],
    _ sublayers: [TestLayer] = []
  ) -> TestLayer {
    var layer = TestLayer.box(id, x: x, y: y, width, height, properties, sublayers)
    layer.kind = .backdrop
    return layer
  }

  private let frosted: PropertyChange = .backdropFilters([.gaussianBlur(radius: 4), .saturate(1.5)])
  private let turned: PropertyChange = .transform(.rotation(angle: 0.3))

  @Test("every blend mode, opaque and see-through, on opaque and see-through ground", arguments: BlendMode.allCases)
  func modes(_ mode: BlendMode) throws {
    var tiles: [TestLayer] = []
    for index in 0..<12 {
      let (red, green, blue) = (Float(index % 3) / 5, Float(index % 4) / 3, Float(index % 6) / 5)
      // Dodging divides by what a colour lacks of white: it makes more of the rounding of see-through ones than shows else.
      let isSeeThrough = index % 2 == 1 && mode != .colorDodge
      let color = Color(red: red, green: green, blue: blue, alpha: isSeeThrough ? 0.6 : 1)
      let (x, y) = (Double(index % 4) * 36 + 6, Double(index / 4) * 38 + 6)
      tiles.append(.box(UInt64(100 + index), x: x, y: y, 30, 30, color: color, [.blendMode(mode)]))
    }
    try expectAgreement(ground + tiles, .flat)
    // In a group, whose ground is see-through.
    try expectAgreement(
      [.box(800, x: 0, y: 0, 160, 120, [.opacity(0.75)], Array(ground.suffix(4)) + tiles)], .flat)
  }

  @Test("blending and backdrops in a rounded clip see what lies behind the clipped layer")
  func clipped() throws {
    let multiply = TestLayer.box(
      100, x: -10, y: -10, 60, 60, color: Color(red: 1, green: 0.5, blue: 0.5), [.blendMode(.multiply)])
    let panel = glass(101, x: 30, y: 30, 60, 50, [frosted])
    let clip: [PropertyChange] = [.cornerRadius(24), .masksToBounds(true)]
    try expectAgreement(ground + [.box(102, x: 20, y: 20, 110, 80, clip, [multiply, panel])])
    try expectAgreement(ground + [.box(102, x: 20, y: 20, 110, 80, clip + [turned], [multiply, panel])], .perspective)
    let inner = TestLayer.box(103, x: 10, y: 10, 90, 60, clip, [multiply, panel])
    try expectAgreement(ground + [.box(102, x: 20, y: 20, 110, 80, clip, [inner])])
  }

  @Test("a backdrop under its own opacity, filters, mask and shadow sees what the layer stands on")
  func ownGroup() throws {
    try expectAgreement(ground + [glass(100, x: 20, y: 20, 80, 60, [frosted, .opacity(0.5), .cornerRadius(10)])])
    try expectAgreement(ground + [glass(100, x: 20, y: 20, 80, 60, [frosted, .filters([.invert(1)])])])
    try expectAgreement(
      ground + [glass(100, x: 20, y: 20, 80, 60, [frosted, .shadow(Shadow(radius: 4, offset: Point(6, 6)))])])
  }

  @Test("grouped and lone backdrops, upright, turned and in perspective, at the window's edge too")
  func groups() throws {
    let far = Transform3D.rotation(angle: 0.6, x: 0, y: 1, z: 0) * .perspective(distance: 200)
    for group in [nil, "g"] as [String?] {
      let panels = [
        glass(100, x: 10, y: 10, 60, 40, [frosted, .backdropGroup(group), .cornerRadius(12)]),
        glass(101, x: 50, y: 30, 60, 40, [frosted, .backdropGroup(group), turned, .cornerRadius(12)]),
        glass(102, x: 120, y: 90, 60, 40, [frosted, .backdropGroup(group)]),
      ]
      try expectAgreement(ground + panels)
      try expectAgreement(
        ground + [glass(103, x: 60, y: 40, 60, 60, [frosted, .backdropGroup(group), .transform(far)])], .perspective)
    }
  }

  @Test("a backdrop that filters nothing is nothing drawn, bit for bit", arguments: Witness.allCases)
  func empty(_ witness: Witness) throws {
    let plain = try draw(ground, witness)
    for group in [nil, "g"] as [String?] {
      let panels = [
        glass(100, x: 10, y: 10, 60, 40, [.backdropGroup(group)]),
        glass(101, x: 50, y: 30, 60, 40, [.backdropGroup(group)]),
      ]
      let difference = Difference(plain, try draw(ground + panels, witness))
      #expect(difference.isNone, "\(difference)")
    }
  }

  @Test("what a portal shows is a ground of its own, unless the portal joins the groups of its place")
  func portals() throws {
    let card = TestLayer.box(
      500, x: 0, y: 0, 70, 60, [],
      [
        .box(501, x: 0, y: 0, 35, 60, color: Color(red: 0.9, green: 0.1, blue: 0.3)),
        glass(502, x: 10, y: 10, 50, 40, [frosted, .backdropGroup("g"), .cornerRadius(8)]),
        .box(503, x: 40, y: 30, 30, 30, color: Color(red: 0.5, green: 0.9, blue: 0.3), [.blendMode(.difference)]),
      ])
    for joins in [false, true] {
      let portals = [
        TestLayer.portal(600, of: 500, x: 10, y: 10, 70, 60, [.allowsBackdropGroups(joins)]),
        .portal(601, of: 500, x: 80, y: 50, 70, 60, [.allowsBackdropGroups(joins), turned]),
        .portal(
          602, of: 500, x: 60, y: 5, 40, 40,
          [.allowsBackdropGroups(joins), .masksToBounds(true), .cornerRadius(12)]),
      ]
      try expectAgreement(ground + portals, roots: [card], .perspective)
      // After a member that stands here itself, and before one.
      let member = glass(700, x: 100, y: 10, 50, 40, [frosted, .backdropGroup("g")])
      try expectAgreement(ground + [portals[0], member], roots: [card])
      try expectAgreement(ground + [member, portals[0]], roots: [card])
    }
  }

  @Test(
    "lenses: of the backdrop and of the layer's own content, of one shape and of several, turned, with colours spread")
  func lenses() throws {
    var lens = Lens(
      rim: 14, thickness: 12, refractiveIndex: 1.5, chromaticSpread: 0.4, highlight: .white, highlightWidth: 3)
    try expectAgreement(ground + [glass(100, x: 30, y: 20, 100, 80, [.lens(lens), .cornerRadius(24)])], .resampled)
    try expectAgreement(
      ground + [glass(100, x: 30, y: 20, 100, 80, [.lens(lens), frosted, .cornerRadius(24), turned])], .resampled)
    lens.shapes = [
      Lens.Shape(rect: Rect(x: 4, y: 20, width: 40, height: 40), radius: 20),
      Lens.Shape(rect: Rect(x: 50, y: 16, width: 46, height: 50), radius: 12),
    ]
    lens.smoothing = 20
    try expectAgreement(ground + [glass(100, x: 30, y: 20, 100, 80, [.lens(lens)])], .resampled)
    lens.subject = .content
    try expectAgreement(
      [.box(800, x: 10, y: 10, 110, 90, color: .white, [.lens(lens)], ground)], .resampled)
  }

  @Test("a lens of index 1 without highlight is the ground itself, bit for bit inside", arguments: Witness.allCases)
  func plainLens(_ witness: Witness) throws {
    let plain = try draw(ground, witness)
    let lens = Lens(refractiveIndex: 1)
    let seen = try draw(ground + [glass(100, x: 32, y: 24, 96, 64, [.lens(lens)])], witness)
    #expect(Difference(plain, seen).isNone, "\(Difference(plain, seen))")
  }

  @Test("planes that cross are cut, those in a ring lie each before the next, and a cube shows its three near faces")
  func depth() throws {
    let eye: PropertyChange = .sublayerTransform(.perspective(distance: 400))
    func plane(_ id: UInt64, _ color: Color, _ transform: Transform3D, _ properties: [PropertyChange] = []) -> TestLayer
    {
      .box(id, x: 40, y: 30, 80, 60, color: color, [.transform(transform)] + properties)
    }
    let (red, green) = (Color(red: 0.9, green: 0.2, blue: 0.1), Color(red: 0.1, green: 0.6, blue: 0.2))
    let crossing = [
      plane(100, red, .rotation(angle: 0.7, x: 0, y: 1, z: 0)),
      plane(101, green, .rotation(angle: -0.7, x: 0, y: 1, z: 0)),
      plane(102, Color(red: 0.2, green: 0.2, blue: 0.9, alpha: 0.5), .rotation(angle: 0.9, x: 1, y: 0.3, z: 0)),
    ]
    try expectAgreement([.box(800, x: 0, y: 0, 160, 120, [eye], crossing)], .perspective)
    // With sublayers, and opacity as a group.
    let rich = crossing.map { layer in
      var layer = layer
      layer.properties.append(.opacity(0.8))
      layer.sublayers = [.box(layer.id.rawValue + 50, x: 10, y: 10, 30, 30, color: .black, [.cornerRadius(8)])]
      return layer
    }
    try expectAgreement([.box(800, x: 0, y: 0, 160, 120, [eye], rich)], .perspective)
    var group = TestLayer(
      700, .transform, [.position(Point(80, 60)), .transform(.rotation(angle: 0.5, x: 1, y: 1, z: 0)), .opacity(0.9)])
    for face in 0..<6 {
      let quarter = Double(face) * Double.pi / 2
      let turn: Transform3D =
        face < 4
        ? .rotation(angle: quarter, x: 0, y: 1, z: 0)
        : .rotation(angle: (Double(face) - 4.5) * Double.pi, x: 1, y: 0, z: 0)
      let share = Float(face) / 5
      let properties: [PropertyChange] = [
        .bounds(Rect(x: 0, y: 0, width: 50, height: 50)),
        .backgroundColor(Color(red: share, green: 0.5, blue: 1 - share)), .isDoubleSided(false),
        .transform(.translation(x: 0, y: 0, z: 25) * turn),
      ]
      let mark = TestLayer.box(UInt64(730 + face), x: 6, y: 6, 12, 12, color: .white)
      group.sublayers.append(TestLayer(UInt64(710 + face), .layer, properties, [mark]))
    }
    try expectAgreement([.box(800, x: 0, y: 0, 160, 120, [eye], [group])], .perspective)
  }
}

import Commit
import Geometry
import Porthole
import Testing

// What an application writes to make layers shorter to make: initialisers in extensions. In these Swift stores into stored
// properties past their observers, so no property of a layer may be one that has any.

/// One property and a value that it has not to begin with. The number is that of a property, which an initialiser sets.
extension Layer {
  fileprivate convenience init(own number: Int, _ other: Layer, _ image: Image?) {
    self.init()
    switch number {
    case 0: name = "a"
    case 1: bounds = Rect(x: 0, y: 0, width: 5, height: 5)
    case 2: position = Point(1, 2)
    case 3: zPosition = 3
    case 4: anchorPoint = .zero
    case 5: anchorPointZ = 1
    case 6: transform = .scale(x: 2, y: 2)
    case 7: sublayerTransform = .scale(x: 2, y: 2)
    case 8: sortsSublayersByDepth = false
    case 9: isDoubleSided = false
    case 10: isHidden = true
    case 11: opacity = 0.5
    case 12: allowsGroupOpacity = false
    case 13: masksToBounds = true
    case 14: backgroundColor = .white
    case 15: cornerRadius = 2
    case 16: snapsToPixels = true
    case 17: allowsEdgeAntialiasing = false
    case 18: edgeAntialiasingMask = [.left]
    case 19: isSecure = true
    case 20: maskedCorners = [.topLeft]
    case 21: borderWidth = 2
    case 22: borderColor = .white
    case 23: contents = image
    case 24: contentsRect = Rect(x: 0, y: 0, width: 0.5, height: 0.5)
    case 25: contentsCenter = Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
    case 26: contentsGravity = .center
    case 27: contentsScale = 2
    case 28: magnificationFilter = .nearest
    case 29: minificationFilter = .trilinear
    case 30: shadow = Shadow(radius: 2)
    case 31: filters = [.invert(1)]
    case 32: blendMode = .multiply
    case 33: lens = Lens()
    default: allowsHitTesting = false
    }
  }
}

extension PortalLayer {
  fileprivate convenience init(ownOfPortal number: Int, _ other: Layer) {
    self.init()
    switch number {
    case 0: sourceLayer = other
    case 1: hidesSourceLayer = true
    case 2: hidesSourceLayerInOtherPortals = true
    case 3: matchesPosition = true
    case 4: matchesTransform = true
    case 5: matchesOpacity = true
    case 6: sourceLayerOpacityScale = 0.5
    case 7: sourceRect = Rect(x: 0, y: 0, width: 3, height: 3)
    case 8: recursion = .depth(2)
    case 9: sampling = .nearest
    case 10: sourceLifetime = .retained
    case 11: forwardsHitTestingToSource = true
    case 12: allowsBackdropGroups = true
    default: overrides = [PortalOverride(path: [], .opacity(0.5))]
    }
  }
}

extension GradientLayer {
  fileprivate convenience init(ownOfGradient number: Int) {
    self.init()
    switch number {
    case 0: type = .radial
    case 1: colors = [.white, .black]
    case 2: locations = [0, 0.5]
    case 3: startPoint = .zero
    default: endPoint = .zero
    }
  }
}

extension BackdropLayer {
  fileprivate convenience init(ownOfBackdrop number: Int) {
    self.init()
    if number == 0 { backdropFilters = [.invert(1)] } else { groupName = "a" }
  }
}

extension ReplicatorLayer {
  fileprivate convenience init(ownOfReplicator number: Int) {
    self.init()
    if number == 0 { replication = Replication(instanceCount: 3) } else { instanceDelay = 1 }
  }
}

extension ShapeLayer {
  fileprivate convenience init(own color: Color) {
    self.init()
    bounds = Rect(x: 0, y: 0, width: 4, height: 4)
    anchorPoint = .zero
    path = Path(Rect(x: 0, y: 0, width: 4, height: 4))
    fillColor = color
  }
}

extension TextLayer {
  fileprivate convenience init(own string: String) {
    self.init()
    bounds = Rect(x: 0, y: 0, width: 60, height: 30)
    anchorPoint = .zero
    runs = [TextRun(string)]
    style.fontSize = 24
  }
}

extension SurfaceLayer {
  fileprivate convenience init(ownLimit: Int) {
    self.init()
    queueLimit = ownLimit
  }
}

@Suite("An application's own initialiser, in an extension")
struct OwnInitializerTests {
  /// How many changes the next frame commits for a layer that has come to it.
  private func changes(_ rig: Rig, _ layer: Layer) throws -> Int {
    rig.root.addSublayer(layer)
    defer { layer.removeFromSuperlayer() }
    return try rig.frame().changesCommitted
  }

  /// Each layer commits one change more than one of which nothing was set.
  private func expectEach(_ layers: [Layer], _ plain: () -> Layer, _ name: String) throws {
    let rig = try Rig()
    try rig.frame()
    let base = plain()
    let without = try changes(rig, base)
    _ = try rig.frame()
    for (number, layer) in layers.enumerated() {
      let with = try changes(rig, layer)
      _ = try rig.frame()
      #expect(with == without + 1, "\(name), property \(number): \(with) changes, \(without) without it")
    }
  }

  @Test("sets any property of a layer, and the frame hears of it")
  func layers() throws {
    let other = Layer()
    let image = Image(size: PixelSize(width: 1, height: 1), alpha: .opaque, pixels: [0, 0, 0, 255])
    try expectEach((0...34).map { Layer(own: $0, other, image) }, { Layer() }, "layer")
  }

  @Test("sets any property of a portal, and the frame hears of it")
  func portals() throws {
    let other = Layer()
    // A portal's source comes with its own creation.
    try expectEach((1..<14).map { PortalLayer(ownOfPortal: $0, other) }, { PortalLayer() }, "portal")
    let portal = PortalLayer(ownOfPortal: 0, other)
    #expect(portal.sourceLayer === other)
    let rig = try Rig()
    #expect(try changes(rig, portal) > (try changes(Rig(), PortalLayer())))
  }

  @Test("sets any property of the other kinds, and the frame hears of it")
  func others() throws {
    try expectEach(
      (0..<5).map { GradientLayer(ownOfGradient: $0) }, { GradientLayer() }, "gradient")
    try expectEach((0..<2).map { BackdropLayer(ownOfBackdrop: $0) }, { BackdropLayer() }, "backdrop")
    try expectEach((0..<2).map { ReplicatorLayer(ownOfReplicator: $0) }, { ReplicatorLayer() }, "replicator")
    #expect(SurfaceLayer(ownLimit: -3).queueLimit == 1)
  }

  @Test("sets a shape's path and colour and a text's words, and they show")
  func drawn() throws {
    let rig = try Rig(width: 60, height: 30)
    let shape = ShapeLayer(own: Color(red: 1, green: 0, blue: 0))
    rig.root.addSublayer(shape)
    #expect(try rig.renderer.render(rig.root).pixels[0..<4] == [255, 0, 0, 255])
    shape.removeFromSuperlayer()
    let empty = try rig.renderer.render(rig.root).pixels
    rig.root.addSublayer(TextLayer(own: "words"))
    #expect(try rig.renderer.render(rig.root).pixels != empty)
  }
}

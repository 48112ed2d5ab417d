import Commit
import Geometry
import Porthole
import Testing

/// A scene of one root with these members, written as JSON.
func sceneText(_ root: String, images: String = "{}", more: String = "") -> [UInt8] {
  Array(
    """
    {"format": "porthole-scene/1", "size": [16, 8], "images": \(images), "root": {\(root)}\(more)}
    """.utf8)
}

@Suite("Scene files")
struct SceneTests {
  @Test("a scene that says no more than it must has the defaults")
  func defaults() throws {
    let scene = try Scene(json: sceneText(""))
    #expect(scene.size == Size(width: 16, height: 8) && scene.background == .clear && scene.pictureClass == .flat)
    #expect(scene.name == "" && scene.images.isEmpty && scene.skipped.isEmpty && scene.layerIDs.isEmpty)
    #expect(scene.root.opacity == 1 && scene.root.anchorPoint == Point(0.5, 0.5) && scene.root.sublayers.isEmpty)
  }

  @Test("every key of a layer arrives in its property")
  func layerKeys() throws {
    let matrix = "[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 0, 1]"
    let scene = try Scene(
      json: sceneText(
        """
        "id": "a", "kind": "layer", "bounds": [1, 2, 3, 4], "position": [5, 6], "zPosition": 7,
        "anchorPoint": [0, 1], "anchorPointZ": 8, "transform": \(matrix), "sublayerTransform": \(matrix),
        "depthSort": false, "isDoubleSided": false, "isHidden": true, "opacity": 0.25, "allowsGroupOpacity": false,
        "backgroundColor": "#ff000080", "cornerRadius": 2, "maskedCorners": ["tl", "br"], "borderWidth": 1.5,
        "borderColor": "#00ff00", "masksToBounds": true, "contents": "dot", "contentsRect": [0, 0, 0.5, 1],
        "contentsGravity": "topLeft", "contentsScale": 2, "magnificationFilter": "nearest",
        "allowsHitTesting": false, "filters": [], "mask": null, "compositing": "color-dodge",
        "lens": {"subject": "content", "shapes": [{"rect": [1, 2, 3, 4], "radius": 1}, {"rect": [0, 0, 1, 1]}],
          "smoothing": 5, "rim": 6, "thickness": 7, "refractiveIndex": 1.25, "chromaticSpread": 0.5,
          "highlight": "#ffffff80", "highlightWidth": 3, "lightDegrees": 90}
        """, images: #"{"dot": {"width": 1, "height": 1, "rgba": "AQIDBA=="}}"#))
    let layer = try #require(scene.layer("a"))
    #expect(layer === scene.root && layer.name == "a")
    #expect(layer.bounds == Rect(x: 1, y: 2, width: 3, height: 4) && layer.position == Point(5, 6))
    #expect(layer.zPosition == 7 && layer.anchorPoint == Point(0, 1) && layer.anchorPointZ == 8)
    #expect(layer.transform == .translation(x: 5, y: 6) && layer.sublayerTransform == layer.transform)
    #expect(!layer.isDoubleSided && layer.isHidden && layer.opacity == 0.25 && !layer.allowsGroupOpacity)
    #expect(layer.backgroundColor == Color(hex: "#ff000080") && layer.cornerRadius == 2)
    #expect(layer.maskedCorners == [.topLeft, .bottomRight] && layer.borderWidth == 1.5)
    #expect(layer.borderColor == Color(red: 0, green: 1, blue: 0) && layer.masksToBounds)
    #expect(layer.contents?.pixels == [1, 2, 3, 4] && layer.contents?.alpha == .straight)
    #expect(layer.contentsRect.width == 0.5 && layer.contentsGravity == .topLeft && layer.contentsScale == 2)
    #expect(layer.magnificationFilter == .nearest && !layer.allowsHitTesting)
    #expect(layer.blendMode == .colorDodge && !layer.sortsSublayersByDepth)
    #expect(
      layer.lens
        == Lens(
          subject: .content,
          shapes: [
            Lens.Shape(rect: Rect(x: 1, y: 2, width: 3, height: 4), radius: 1),
            Lens.Shape(rect: Rect(x: 0, y: 0, width: 1, height: 1)),
          ], smoothing: 5, rim: 6, thickness: 7, refractiveIndex: 1.25, chromaticSpread: 0.5,
          highlight: Color(hex: "#ffffff80") ?? .clear, highlightWidth: 3, lightAngle: .pi / 2))
  }

  @Test("every key of a portal arrives in its property, and a source may come later")
  func portalKeys() throws {
    let scene = try Scene(
      json: sceneText(
        """
        "sublayers": [{"id": "p", "kind": "portal", "sourceLayer": "s", "hidesSourceLayer": true,
          "hidesSourceLayerInOtherPortals": true, "matchesPosition": true, "matchesTransform": true,
          "matchesOpacity": true, "sourceLayerOpacityScale": 0.5, "sourceRect": [1, 2, -3, 4],
          "recursion": {"depth": 3}, "sampling": "nearest", "sourceLifetime": "retained",
          "forwardsHitTestingToSource": true, "allowsBackdropGroups": true}, {"id": "s"}, {"id": "q", "kind": "portal", "recursion": "previousFrame"}]
        """))
    let portal = try #require(scene.layer("p") as? PortalLayer)
    #expect(portal.sourceLayer === scene.layer("s"))
    #expect(portal.hidesSourceLayer && portal.hidesSourceLayerInOtherPortals)
    #expect(portal.matchesPosition && portal.matchesTransform && portal.matchesOpacity)
    #expect(portal.sourceLayerOpacityScale == 0.5 && portal.sourceRect == Rect(x: 1, y: 2, width: -3, height: 4))
    #expect(portal.recursion == .depth(3) && portal.sampling == .nearest)
    #expect(portal.sourceLifetime == .retained && portal.forwardsHitTestingToSource && portal.allowsBackdropGroups)
    #expect((scene.layer("q") as? PortalLayer)?.recursion == .previousFrame)
    #expect(scene.root.sublayers.map(scene.label) == ["p", "s", "q"])
    #expect(scene.layerIDs == ["p", "q", "s"])
  }

  @Test("a gradient arrives whole")
  func gradient() throws {
    let scene = try Scene(
      json: sceneText(
        """
        "kind": "gradient", "gradient": {"type": "axial", "start": [0, 0.5], "end": [1, 0.5],
          "colors": ["#000000", "#ffffff"], "locations": [0.25, 0.75]}
        """))
    let gradient = try #require((scene.root as? GradientLayer)?.gradient)
    #expect(gradient.start == Point(0, 0.5) && gradient.end == Point(1, 0.5))
    #expect(gradient.stops.map(\.location) == [0.25, 0.75] && gradient.stops.map(\.color) == [.black, .white])
  }

  @Test("replicators, overrides and what few layers have arrive whole")
  func rareProperties() throws {
    let scene = try Scene(
      json: sceneText(
        """
        "isSecure": true, "snapsToPixels": true, "edgeAntialiasingMask": ["left", "top"],
        "allowsEdgeAntialiasing": false, "contentsCenter": [0.25, 0.5, 0.5, 0.25], "minificationFilter": "trilinear",
        "sublayers": [
          {"kind": "replicator", "id": "r", "instanceCount": 3, "instanceColor": "#ff0000", "instanceAlphaOffset": -0.25,
            "instanceTransform": [1,0,0,0, 0,1,0,0, 0,0,1,0, 8,0,0,1], "instanceDelay": 0.5},
          {"kind": "portal", "sourceLayer": "r",
            "overrides": {"opacity": 0.5, "sublayers.card.mask.isHidden": false, "sublayers.a b.filters": []}}
        ]
        """))
    let root = scene.root
    #expect(root.isSecure && root.snapsToPixels && !root.allowsEdgeAntialiasing)
    #expect(root.edgeAntialiasingMask == [.left, .top] && root.minificationFilter == .trilinear)
    #expect(root.contentsCenter == Rect(x: 0.25, y: 0.5, width: 0.5, height: 0.25))
    let replicator = try #require(root.sublayers[0] as? ReplicatorLayer)
    #expect(
      replicator.replication
        == Replication(
          instanceCount: 3, instanceTransform: .translation(x: 8, y: 0),
          instanceColor: Color(red: 1, green: 0, blue: 0), instanceAlphaOffset: -0.25, instanceDelay: 0.5))
    let portal = try #require(root.sublayers[1] as? PortalLayer)
    #expect(
      portal.overrides == [
        PortalOverride(.opacity(0.5)), PortalOverride(path: [.sublayer("card"), .mask], .isHidden(false)),
        PortalOverride(path: [.sublayer("a b")], .filters([])),
      ])
  }

  @Test("an id may hold any character that JSON can write")
  func escapes() throws {
    let scene = try Scene(json: sceneText(#""id": "\u00e9\ud83d\ude00\"\n\/""#))
    #expect(scene.layer("é😀\"\n/") === scene.root)
  }

  @Test("what this version does not know is left out and listed, if that is asked for")
  func skipping() throws {
    let json = sceneText(
      """
      "wobble": [1], "sublayers": [{"wobble": [1]}, {"mask": {"wobble": [2]}}]
      """)
    let scene = try Scene(json: json, options: .init(skipsUnsupported: true))
    #expect(
      scene.skipped == ["root.wobble", "root.sublayers[0].wobble", "root.sublayers[1].mask.wobble"])
    #expect(scene.root.sublayers.count == 2)
  }

  @Test("layers without an id are called by their place")
  func labels() throws {
    let scene = try Scene(json: sceneText(#""sublayers": [{}, {"sublayers": [{}]}]"#))
    #expect(scene.label(of: scene.root) == "root")
    #expect(scene.label(of: scene.root.sublayers[1].sublayers[0]) == "root.sublayers[1].sublayers[0]")
  }

  @Test("backdrops, lenses and transform layers arrive as layers of their kinds")
  func glass() throws {
    let scene = try Scene(
      json: sceneText(
        """
        "sublayers": [
          {"id": "b", "kind": "backdrop", "group": "g", "backdropFilters": [{"type": "gaussianBlur", "radius": 4}]},
          {"id": "l", "kind": "lens"}, {"id": "m", "kind": "lens", "group": null, "lens": {"thickness": 1}},
          {"id": "t", "kind": "transform"}]
        """))
    let backdrop = try #require(scene.layer("b") as? BackdropLayer)
    #expect(backdrop.groupName == "g" && backdrop.backdropFilters == [.gaussianBlur(radius: 4)])
    #expect((scene.layer("l") as? LensLayer)?.lens == Lens())
    #expect((scene.layer("m") as? LensLayer)?.lens == Lens(thickness: 1))
    #expect(scene.layer("t") is TransformLayer)
  }

  @Test("every blend mode has CSS's word")
  func blendModes() throws {
    let words = [
      "normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light",
      "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity", "plus-lighter",
      "plus-darker",
    ]
    let modes = try words.map { try Scene(json: sceneText(#""compositing": "\#($0)""#)).root.blendMode }
    #expect(modes == BlendMode.allCases)
  }

  @Test("10,000 levels of layers are read; one more is an error")
  func depth() throws {
    func nested(_ levels: Int) -> [UInt8] {
      let inner = String(repeating: #""sublayers": [{"#, count: levels - 1)
      return sceneText(inner + String(repeating: "}]", count: levels - 1))
    }
    let scene = try Scene(json: nested(10_000))
    var layer = scene.root
    var levels = 1
    while let next = layer.sublayers.first {
      layer = next
      levels += 1
    }
    #expect(levels == 10_000)
    let error = try #require(throws: SceneError.self) { try Scene(json: nested(10_001)) }
    #expect(error.code == .tooDeep && error.description.utf8.count < 1000)
    let open = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
    #expect(try #require(throws: SceneError.self) { try Scene(json: open) }.code == .invalidJSON)
  }
}

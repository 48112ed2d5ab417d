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
        "allowsHitTesting": false, "filters": [], "mask": null, "compositing": "normal"
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
          "forwardsHitTestingToSource": true}, {"id": "s"}, {"id": "q", "kind": "portal", "recursion": "previousFrame"}]
        """))
    let portal = try #require(scene.layer("p") as? PortalLayer)
    #expect(portal.sourceLayer === scene.layer("s"))
    #expect(portal.hidesSourceLayer && portal.hidesSourceLayerInOtherPortals)
    #expect(portal.matchesPosition && portal.matchesTransform && portal.matchesOpacity)
    #expect(portal.sourceLayerOpacityScale == 0.5 && portal.sourceRect == Rect(x: 1, y: 2, width: -3, height: 4))
    #expect(portal.recursion == .depth(3) && portal.sampling == .nearest)
    #expect(portal.sourceLifetime == .retained && portal.forwardsHitTestingToSource)
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

  @Test("an id may hold any character that JSON can write")
  func escapes() throws {
    let scene = try Scene(json: sceneText(#""id": "\u00e9\ud83d\ude00\"\n\/""#))
    #expect(scene.layer("é😀\"\n/") === scene.root)
  }

  @Test("what is not drawn yet is left out and listed, if that is asked for")
  func skipping() throws {
    let json = sceneText(
      """
      "kind": "backdrop", "isSecure": true, "sublayers": [{"compositing": "multiply"},
        {"mask": {"compositing": "screen"}}]
      """)
    let scene = try Scene(json: json, options: .init(skipsUnsupported: true))
    #expect(
      scene.skipped == [
        "root.kind", "root.isSecure", "root.sublayers[0].compositing", "root.sublayers[1].mask.compositing",
      ])
    #expect(scene.root.sublayers.count == 2)
  }

  @Test("layers without an id are called by their place")
  func labels() throws {
    let scene = try Scene(json: sceneText(#""sublayers": [{}, {"sublayers": [{}]}]"#))
    #expect(scene.label(of: scene.root) == "root")
    #expect(scene.label(of: scene.root.sublayers[1].sublayers[0]) == "root.sublayers[1].sublayers[0]")
  }

  /// Turned about the x axis by the sine and cosine of a 3-4-5 triangle.
  private static let turned = "[1, 0, 0, 0, 0, 0.8, 0.6, 0, 0, -0.6, 0.8, 0, 0, 0, 0, 1]"

  @Test("siblings in space are drawn where their order is their depth")
  func spaceInOrder() throws {
    let box = #""bounds": [0, 0, 4, 4]"#
    let beside = #"{\#(box), "position": [2, 2], "transform": \#(Self.turned)}, {\#(box), "position": [9, 2]}"#
    #expect(try Scene(json: sceneText(#""sublayers": [\#(beside)]"#)).skipped.isEmpty)
    let alone = #"{\#(box), "transform": \#(Self.turned)}"#
    #expect(try Scene(json: sceneText(#""sublayers": [\#(alone)]"#)).skipped.isEmpty)
    // One that hinges on its upper edge comes towards the viewer, before the one that it covers.
    let hinged = #"{\#(box)}, {\#(box), "anchorPoint": [0.5, 0], "position": [0, -2], "transform": \#(Self.turned)}"#
    #expect(try Scene(json: sceneText(#""sublayers": [\#(hinged)]"#)).skipped.isEmpty)
  }

  @Test("siblings that cross in space are not drawn yet, unless the scene asks for no sorting")
  func spaceCrossing() throws {
    let box = #""bounds": [0, 0, 4, 4]"#
    let crossing = #""sublayers": [{\#(box)}, {\#(box), "transform": \#(Self.turned)}]"#
    let error = try #require(throws: SceneError.self) { try Scene(json: sceneText(crossing)) }
    #expect(error.code == .unsupported && error.path == "root.sublayers[1]")
    #expect(throws: Never.self) { try Scene(json: sceneText(#""depthSort": false, "# + crossing)) }
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

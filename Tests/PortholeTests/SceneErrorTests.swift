import Commit
import Porthole
import Testing

@Suite("What is wrong with a scene file is said with its place")
struct SceneErrorTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var root: String
    var path: String
    var code: SceneError.Code
    /// What the message must hold.
    var words: String

    init(_ root: String, _ path: String, _ code: SceneError.Code, _ words: String) {
      self.root = root
      self.path = path
      self.code = code
      self.words = words
    }

    var testDescription: String { "\(path): \(words)" }
  }

  private static let deep = #""sublayers": [{}, {}, {}, {"cornerRadius": -1}]"#

  static let cases: [Case] = [
    Case(deep, "root.sublayers[3].cornerRadius", .outOfRange, "0 or more, got -1"),
    Case(#""borderWidth": -0.5"#, "root.borderWidth", .outOfRange, "0 or more"),
    Case(#""opacity": 1.5"#, "root.opacity", .outOfRange, "from 0 to 1, got 1.5"),
    Case(#""opacity": true"#, "root.opacity", .wrongType, "a number from 0 to 1, got true"),
    Case(#""isHidden": 1"#, "root.isHidden", .wrongType, "true or false, got 1"),
    Case(#""zPosition": 1e999"#, "root.zPosition", .outOfRange, "beyond all range"),
    Case(#""bounds": [0, 0, -1e999, 1]"#, "root.bounds[2]", .outOfRange, "beyond all range"),
    Case(#""bounds": [1e308, 0, 1e308, 1]"#, "root.bounds", .outOfRange, "range of numbers"),
    Case(#""bounds": [0, 0, 1]"#, "root.bounds", .wrongType, "[x, y, width, height], got an array of 3"),
    Case(#""position": {}"#, "root.position", .wrongType, "[x, y], got an object"),
    Case(#""anchorPoint": [0, null]"#, "root.anchorPoint[1]", .wrongType, "a number, got null"),
    Case(#""transform": [1, 0, 0]"#, "root.transform", .wrongType, "16 numbers"),
    Case(#""sublayerTransform": 3"#, "root.sublayerTransform", .wrongType, "16 numbers"),
    Case(#""backgroundColor": "red""#, "root.backgroundColor", .outOfRange, "#rrggbb"),
    Case(##""borderColor": "#12345""##, "root.borderColor", .outOfRange, "#rrggbb"),
    Case(#""maskedCorners": ["tl", "up"]"#, "root.maskedCorners[1]", .outOfRange, "tl, tr, bl, br"),
    Case(#""contents": "none""#, "root.contents", .unknownReference, "none is called “none”"),
    Case(#""contentsScale": 0"#, "root.contentsScale", .outOfRange, "above 0"),
    Case(#""contentsGravity": "middle""#, "root.contentsGravity", .outOfRange, "resizeAspectFill"),
    Case(#""magnificationFilter": "cubic""#, "root.magnificationFilter", .outOfRange, "linear, nearest"),
    Case(#""contentsCenter": [0, 0, 1.5, 1]"#, "root.contentsCenter", .outOfRange, "within 0…1"),
    Case(#""minificationFilter": "mip""#, "root.minificationFilter", .outOfRange, "trilinear"),
    Case(#""edgeAntialiasingMask": ["top", "tl"]"#, "root.edgeAntialiasingMask[1]", .outOfRange, "bottom"),
    Case(#""instanceCount": 2"#, "root.instanceCount", .unknownKey, "kind replicator"),
    Case(
      #""kind": "replicator", "instanceCount": 65537"#, "root.instanceCount", .outOfRange, "from 0 to 65536"),
    Case(#""kind": "replicator", "instanceRedOffset": 2"#, "root.instanceRedOffset", .outOfRange, "-1 to 1"),
    Case(#""overrides": {}"#, "root.overrides", .unknownKey, "kind portal"),
    Case(#""kind": "portal", "overrides": {"a": 1}"#, "root.overrides.a", .unknownKey, "a key path"),
    Case(#""kind": "portal", "overrides": {"mask": 1}"#, "root.overrides.mask", .unknownKey, "can be overridden"),
    Case(
      #""kind": "portal", "overrides": {"isSecure": false}"#, "root.overrides.isSecure", .unknownKey,
      "can be overridden"),
    Case(#""kind": "portal", "overrides": {"cornerRadius": -1}"#, "root.overrides.cornerRadius", .outOfRange, "0 or"),
    Case(#""kind": "window""#, "root.kind", .outOfRange, "portal, replicator, backdrop, lens, transform"),
    Case(#""colour": 1"#, "root.colour", .unknownKey, "unknown key"),
    Case(#""opacity": 1, "opacity": 0.5"#, "root.opacity", .duplicate, "once"),
    Case(#""id": "a", "sublayers": [{"id": "a"}]"#, "root.sublayers[0].id", .duplicate, "“a” too"),
    Case(#""sublayers": {}"#, "root.sublayers", .wrongType, "a list of layers"),
    Case(#""sublayers": [7]"#, "root.sublayers[0]", .wrongType, "a layer, got 7"),
    Case(#""kind": "portal", "sourceLayer": "gone""#, "root.sourceLayer", .unknownReference, "none is called “gone”"),
    Case(#""sourceLayer": "a""#, "root.sourceLayer", .unknownKey, "kind portal"),
    Case(#""kind": "portal", "recursion": {"depth": 0}"#, "root.recursion.depth", .outOfRange, "from 1, got 0"),
    Case(#""kind": "portal", "recursion": {"depth": 1.5}"#, "root.recursion.depth", .outOfRange, "whole number"),
    Case(#""kind": "portal", "recursion": "always""#, "root.recursion", .outOfRange, "previousFrame"),
    Case(#""kind": "portal", "sampling": "cubic""#, "root.sampling", .outOfRange, "automatic, nearest, linear"),
    Case(#""kind": "portal", "sourceLifetime": "long""#, "root.sourceLifetime", .outOfRange, "weak, retained"),
    Case(#""kind": "portal", "sourceRect": [1]"#, "root.sourceRect", .wrongType, "width, height"),
    Case(#""kind": "portal", "sourceLayerOpacityScale": -1"#, "root.sourceLayerOpacityScale", .outOfRange, "from 0"),
    Case(#""compositing": "colorDodge""#, "root.compositing", .outOfRange, "color-dodge"),
    Case(#""compositing": 1"#, "root.compositing", .wrongType, "plus-darker"),
    Case(#""depthSort": null"#, "root.depthSort", .wrongType, "true or false"),
    Case(#""backdropFilters": []"#, "root.backdropFilters", .unknownKey, "kind backdrop or lens"),
    Case(#""group": "g""#, "root.group", .unknownKey, "kind backdrop or lens"),
    Case(#""kind": "backdrop", "group": """#, "root.group", .outOfRange, "1 to 256 bytes"),
    Case(#""kind": "backdrop", "backdropFilters": [{}]"#, "root.backdropFilters[0]", .missing, "gaussianBlur"),
    Case(#""kind": "lens", "lens": {"refractiveIndex": 0.5}"#, "root.lens.refractiveIndex", .outOfRange, "1 to 4"),
    Case(#""kind": "lens", "lens": {"chromaticSpread": 2}"#, "root.lens.chromaticSpread", .outOfRange, "0 to 1"),
    Case(#""kind": "lens", "lens": {"rim": -1}"#, "root.lens.rim", .outOfRange, "0 or more"),
    Case(#""kind": "lens", "lens": {"shapes": [{"radius": 1}]}"#, "root.lens.shapes[0]", .missing, "rect"),
    Case(
      #""kind": "lens", "lens": {"shapes": [0, 0, 0, 0, 0, 0, 0, 0, 0]}"#, "root.lens.shapes", .outOfRange,
      "at most \(Lens.maxShapes) shapes"),
    Case(#""lens": {"subject": "window"}"#, "root.lens.subject", .outOfRange, "backdrop, content"),
    Case(#""lens": {"index": 1}"#, "root.lens.index", .unknownKey, "refractiveIndex"),
    Case(#""allowsBackdropGroups": true"#, "root.allowsBackdropGroups", .unknownKey, "kind portal"),
    Case(#""gradient": {}"#, "root.gradient", .unknownKey, "kind gradient"),
    Case(#""kind": "gradient", "gradient": {}"#, "root.gradient", .missing, "colors"),
    Case(#""kind": "gradient", "gradient": {"colors": []}"#, "root.gradient.colors", .outOfRange, "at least one"),
    Case(
      ##""kind": "gradient", "gradient": {"colors": ["#000000"], "locations": [0, 1]}"##, "root.gradient.locations",
      .wrongType, "as many numbers as colours, 1"),
    Case(
      ##""kind": "gradient", "gradient": {"colors": ["#000000", "#000000"], "locations": [1, 0]}"##,
      "root.gradient.locations[1]", .outOfRange, "not below"),
    Case(#""kind": "gradient", "gradient": {"type": "square"}"#, "root.gradient.type", .outOfRange, "axial"),
  ]

  @Test("a fault in a layer", arguments: cases)
  func layerFault(fault: Case) throws {
    let error = try #require(throws: SceneError.self) { try Scene(json: sceneText(fault.root), file: "x.json") }
    #expect(error.path == fault.path)
    #expect(error.code == fault.code)
    #expect(error.description.hasPrefix("x.json: \(fault.path): "))
    #expect(error.description.contains(fault.words), "\(error)")
  }

  @Test(
    "a fault in a filter is named where it is",
    arguments: [
      (#"[{}]"#, "root.filters[0]", SceneError.Code.missing),
      (#"[{"type": "blur"}]"#, "root.filters[0].type", .outOfRange),
      (#"[{"type": "invert"}]"#, "root.filters[0]", .missing),
      (#"[{"type": "invert", "radius": 1, "amount": 1}]"#, "root.filters[0].radius", .unknownKey),
      (
        #"[{"type": "opacity", "amount": 1}, {"type": "gaussianBlur", "radius": -1}]"#, "root.filters[1].radius",
        .outOfRange
      ),
      (#"[{"type": "sepia", "amount": -0.5}]"#, "root.filters[0].amount", .outOfRange),
      (#"[{"type": "sepia", "amount": 1e300}]"#, "root.filters[0].amount", .outOfRange),
      (#"[{"type": "hueRotate", "degrees": "90"}]"#, "root.filters[0].degrees", .wrongType),
      (#"[{"type": "colorMatrix", "values": [1, 0, 0, 0]}]"#, "root.filters[0].values", .wrongType),
      (#"{"type": "invert", "amount": 1}"#, "root.filters", .wrongType),
    ])
  func filters(value: String, path: String, code: SceneError.Code) throws {
    let error = try #require(throws: SceneError.self) { try Scene(json: sceneText(#""filters": "# + value)) }
    #expect(error.code == code && error.path == path, "\(error)")
  }

  @Test(
    "a fault in a shadow is named where it is",
    arguments: [
      (#"[1]"#, "root.shadow", SceneError.Code.wrongType), (#"{"blur": 1}"#, "root.shadow.blur", .unknownKey),
      (#"{"radius": -1}"#, "root.shadow.radius", .outOfRange), (#"{"opacity": 2}"#, "root.shadow.opacity", .outOfRange),
      (#"{"color": "black"}"#, "root.shadow.color", .outOfRange), (#"{"path": {}}"#, "root.shadow.path", .missing),
      (#"{"path": {"rect": [0, 0, 1, 1], "radius": -1}}"#, "root.shadow.path.radius", .outOfRange),
    ])
  func shadows(value: String, path: String, code: SceneError.Code) throws {
    let error = try #require(throws: SceneError.self) { try Scene(json: sceneText(#""shadow": "# + value)) }
    #expect(error.code == code && error.path == path, "\(error)")
  }

  @Test(
    "a fault at the top",
    arguments: [
      (#"{"size": [1, 1], "root": {}}"#, "format", SceneError.Code.missing),
      (#"{"format": "porthole-scene/2", "size": [1, 1], "root": {}}"#, "format", .outOfRange),
      (#"{"format": "porthole-scene/1", "root": {}}"#, "size", .missing),
      (#"{"format": "porthole-scene/1", "size": [1, 1]}"#, "root", .missing),
      (#"{"format": "porthole-scene/1", "size": [0, 1], "root": {}}"#, "size[0]", .outOfRange),
      (#"{"format": "porthole-scene/1", "size": [1, 16385], "root": {}}"#, "size[1]", .outOfRange),
      (#"{"format": "porthole-scene/1", "size": [1, 1.5], "root": {}}"#, "size[1]", .outOfRange),
      (#"{"format": "porthole-scene/1", "size": 4, "root": {}}"#, "size", .wrongType),
      (#"{"format": "porthole-scene/1", "size": [1, 1], "root": []}"#, "root", .wrongType),
      (#"{"format": "porthole-scene/1", "size": [1, 1], "root": {}, "class": "sharp"}"#, "class", .outOfRange),
      (#"{"format": "porthole-scene/1", "size": [1, 1], "root": {}, "background": 0}"#, "background", .wrongType),
      (#"{"format": "porthole-scene/1", "size": [1, 1], "root": {}, "extra": 0}"#, "extra", .unknownKey),
      ("[]", "", .wrongType), ("3", "", .wrongType),
    ])
  func topFault(text: String, path: String, code: SceneError.Code) throws {
    let error = try #require(throws: SceneError.self) { try Scene(json: Array(text.utf8)) }
    #expect(error.path == path && error.code == code, "\(error)")
  }

  @Test(
    "a fault in an image",
    arguments: [
      (#"{"a": {"width": 1, "height": 1, "rgba": "AQIDBA="}}"#, "images.a.rgba", SceneError.Code.badImage),
      (#"{"a": {"width": 1, "height": 1, "rgba": "AQID"}}"#, "images.a.rgba", .badImage),
      (#"{"a": {"width": 1, "height": 1, "rgba": "????"}}"#, "images.a.rgba", .badImage),
      (#"{"a": {"width": 0, "height": 1, "rgba": ""}}"#, "images.a.width", .outOfRange),
      (#"{"a": {"width": 1e9, "height": 1, "rgba": ""}}"#, "images.a.width", .outOfRange),
      (#"{"a": {"width": 1, "height": 1}}"#, "images.a", .missing),
      (#"{"a": {"width": 1, "height": 1, "rgba": "", "x": 1}}"#, "images.a.x", .unknownKey),
      (#"{"a": {"file": "/dev/null"}}"#, "images.a.file", .outOfRange),
      (#"{"a": {"file": "no-such-file.png"}}"#, "images.a.file", .badImage),
      (#"{"a": {"file": "a.png", "width": 1}}"#, "images.a", .unknownKey),
      (#"[]"#, "images", .wrongType),
    ])
  func imageFault(images: String, path: String, code: SceneError.Code) throws {
    let error = try #require(throws: SceneError.self) { try Scene(json: sceneText("", images: images)) }
    #expect(error.path == path && error.code == code, "\(error)")
  }

  @Test(
    "what is no JSON is said with line and column",
    arguments: [
      ("", 1, 1), ("{\n  \"a\": }", 2, 8), ("{\"a\": 1,}", 1, 9), ("[1 2]", 1, 4), ("{\"a\" 1}", 1, 6), ("tru", 1, 1),
      ("01", 1, 1), ("1.", 1, 3), ("1e+", 1, 4), ("\"abc", 1, 5), ("\"\u{1}\"", 1, 2), ("\"\\x\"", 1, 4),
      ("\"\\ud800\"", 1, 8), ("\"\\udc00\"", 1, 8), ("{} {}", 1, 4), ("[", 1, 2), ("// no\n{}", 1, 1),
    ])
  func notJSON(text: String, line: Int, column: Int) throws {
    let error = try #require(throws: SceneError.self) { try Scene(json: Array(text.utf8), file: "x.json") }
    #expect(error.code == .invalidJSON)
    #expect(error.description.hasPrefix("x.json: no JSON at line \(line), column \(column): "), "\(error)")
  }

  @Test("text that is not UTF-8 is no JSON")
  func notUnicode() throws {
    let error = try #require(throws: SceneError.self) { try Scene(json: [0x22, 0xFF, 0xFE, 0x22]) }
    #expect(error.code == .invalidJSON)
  }

  @Test("a file that is not there, and one that is no file, are errors with their path")
  func unreadable() throws {
    for path in ["/nowhere/scene.json", "/"] {
      let error = try #require(throws: SceneError.self) { try SceneFile.read(path) }
      #expect(error.code == .unreadable && error.description.hasPrefix(path))
    }
  }
}

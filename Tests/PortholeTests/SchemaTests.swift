import Commit
import Foundation
import Porthole
import TestSupport
import Testing

@Suite("The JSON Schema of scene files and their reader say the same")
struct SchemaTests {
  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  private static func schema() throws -> JSONSchema {
    JSONSchema(root: try JSONTree.parse(Data(contentsOf: repository.appending(path: "docs/scene.schema.json"))))
  }

  private static func scenes() throws -> [URL] {
    try ["Tests/Scenes", "docs/scenes", "bench/scenes", "examples"].flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        at: repository.appending(path: folder), includingPropertiesForKeys: nil
      ).filter { $0.pathExtension == "json" }
    }.sorted { $0.path < $1.path }
  }

  /// A scene in which most keys stand.
  private static let everything = #"""
    {"format": "porthole-scene/1", "name": "all", "note": "", "class": "flat", "size": [24, 16], "background": null,
     "images": {"i": {"width": 1, "height": 1, "rgba": "AQIDBA=="}},
     "root": {"id": "root", "bounds": [0, 0, 24, 16], "position": [12, 8], "zPosition": 1, "anchorPoint": [0.5, 0.5],
      "anchorPointZ": 0, "depthSort": false, "isDoubleSided": true, "isHidden": false, "opacity": 0.5,
      "allowsGroupOpacity": true, "masksToBounds": false, "cornerRadius": 2, "maskedCorners": ["tl", "br"],
      "borderWidth": 1, "borderColor": "#00000080", "backgroundColor": null, "contents": "i",
      "contentsRect": [0, 0, 1, 1], "contentsGravity": "center", "contentsScale": 2, "magnificationFilter": "nearest",
      "allowsHitTesting": true, "compositing": "multiply",
      "shadow": {"color": "#000000", "opacity": 0.5, "radius": 3, "offset": [0, 1], "path": {"rect": [0, 0, 1, 1], "radius": 1}},
      "filters": [{"type": "gaussianBlur", "radius": 1}, {"type": "sepia", "amount": 0.5}, {"type": "hueRotate", "degrees": 9}],
      "mask": {"bounds": [0, 0, 4, 4]},
      "sublayers": [
       {"kind": "shape", "shape": {"path": {"rect": [0, 0, 4, 4], "radius": 1}, "fillColor": null, "fillRule": "evenOdd",
         "strokeColor": "#ff0000", "lineWidth": 2, "lineCap": "round", "lineJoin": "bevel", "miterLimit": 4,
         "lineDashPattern": [1, 2], "lineDashPhase": -1, "strokeStart": 0.1, "strokeEnd": 0.9}},
       {"kind": "shape", "shape": {"path": "M0 0h4v4z"}}, {"kind": "shape", "shape": {"path": {"ellipse": [0, 0, 4, 4]}}},
       {"kind": "text", "text": {"string": "a", "foregroundColor": "#ffffff", "fontFamily": "serif", "fontSize": 12,
         "fontWeight": 700, "isItalic": true, "alignmentMode": "center", "isWrapped": true, "truncationMode": "end"}},
       {"kind": "text", "text": {"runs": [{"string": "a", "foregroundColor": "#ffffff", "fontFamily": "serif",
         "fontSize": 12, "fontWeight": 700, "isItalic": true, "isUnderlined": true}]}},
       {"kind": "portal", "sourceLayer": "root", "hidesSourceLayer": false, "hidesSourceLayerInOtherPortals": false,
        "matchesPosition": true, "matchesTransform": true, "matchesOpacity": false, "sourceLayerOpacityScale": 0.5,
        "sourceRect": [0, 0, 1, 1], "recursion": {"depth": 2}, "sampling": "linear", "sourceLifetime": "retained",
        "forwardsHitTestingToSource": true, "allowsBackdropGroups": true},
       {"kind": "lens", "group": "g", "backdropFilters": [{"type": "invert", "amount": 1}],
        "lens": {"subject": "backdrop", "shapes": [{"rect": [0, 0, 4, 4], "radius": 2}], "smoothing": 1, "rim": 2,
         "thickness": 3, "refractiveIndex": 1.5, "chromaticSpread": 0.1, "highlight": "#ffffff", "highlightWidth": 1,
         "lightDegrees": 45}},
       {"kind": "replicator", "instanceCount": 2, "instanceTransform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 0, 0, 1],
        "instanceColor": "#ffffff", "instanceRedOffset": -0.1, "instanceGreenOffset": 0, "instanceBlueOffset": 0,
        "instanceAlphaOffset": 0, "instanceDelay": 0.1},
       {"kind": "surface", "video": {"file": "a.mp4", "beginTime": 1, "loops": true}},
       {"kind": "surface", "video": {"pattern": "hills", "size": [32, 18], "rate": 24}},
       {"isSecure": false, "snapsToPixels": true, "allowsEdgeAntialiasing": false, "edgeAntialiasingMask": ["left"],
        "contentsCenter": [0.25, 0.25, 0.5, 0.5], "minificationFilter": "trilinear"},
       {"kind": "gradient", "gradient": {"type": "conic", "start": [0, 0], "end": [1, 0], "colors": ["#000000", "#ffffff"],
         "locations": [0, 1]}}]}}
    """#

  @Test("every scene of the repository is valid by both")
  func allScenes() throws {
    let schema = try Self.schema()
    let scenes = try Self.scenes()
    #expect(scenes.count >= 18)
    for url in scenes {
      let fault = try schema.fault(in: try JSONTree.parse(Data(contentsOf: url)))
      #expect(fault == nil, "\(url.lastPathComponent)")
      #expect(SceneFile.validate(url.path).errors.map(\.description) == [])
    }
    #expect(try schema.fault(in: try JSONTree.parse(Data(Self.everything.utf8))) == nil)
    #expect(SceneFile.validate(json: Array(Self.everything.utf8)).errors.map(\.description) == [])
  }

  /// What a schema can't say: numbers that must fit to other things, values that a key path says the kind of, and what path
  /// data is.
  private func isBeyondSchema(_ error: SceneError) -> Bool {
    switch error.code {
    case .unknownReference, .duplicate, .badImage, .tooDeep, .unreadable: true
    case .invalidJSON: false
    case .wrongType, .outOfRange, .unknownKey, .missing:
      error.path.contains(".locations") || error.path.hasSuffix("shape.path") || error.path.contains(".overrides")
        || error.path.contains(".animations")
        || error.path.hasSuffix(".contentsCenter")
    }
  }

  @Test("a scene that was changed at random is valid by both or by neither", arguments: [1, 2, 3, 4])
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let schema = try Self.schema()
    var originals = [try JSONTree.parse(Data(Self.everything.utf8))]
    // The smaller ones, without files: there are many to be made.
    for url in try Self.scenes() {
      let data = try Data(contentsOf: url)
      if data.count < 30_000 { originals.append(try JSONTree.parse(data)) }
    }
    let repository = Self.repository.appending(path: "bench/scenes").path
    var (valid, refused) = (0, 0)
    for round in 0..<600 {
      // Every second time the one with all keys.
      let original = round % 2 == 0 ? originals[0] : originals[round / 2 % originals.count]
      let changed = SceneMutation.change(original, &random)
      let validation = SceneFile.validate(json: Array(changed.text.utf8), directory: repository)
      let fault = try schema.fault(in: changed)
      let place = "seed \(seed), round \(round)"
      if validation.errors.isEmpty {
        valid += 1
        #expect(fault == nil, "\(place): the reader takes it, the schema says \(fault ?? "")")
      } else if !validation.errors.contains(where: isBeyondSchema) {
        refused += 1
        #expect(fault != nil, "\(place): the schema takes it, the reader says \(validation.errors[0])")
      }
      if fault != nil { #expect(!validation.errors.isEmpty, "\(place)") }
    }
    #expect(valid > 20 && refused > 100)
  }

  @Test("every word of every choice is taken by both")
  func words() throws {
    let schema = try Self.schema()
    let choices: [(String, [String])] = [
      (#"{"contentsGravity": "W"}"#, ContentsGravity.allCases.map(\.rawValue)),
      (#"{"magnificationFilter": "W"}"#, MagnificationFilter.allCases.map(\.rawValue)),
      (
        ##"{"kind": "gradient", "gradient": {"type": "W", "colors": ["#000000"]}}"##,
        GradientType.allCases.map(\.rawValue)
      ),
      (#"{"minificationFilter": "W"}"#, MinificationFilter.allCases.map(\.rawValue)),
      (#"{"kind": "portal", "sampling": "W"}"#, PortalSampling.allCases.map(\.rawValue)),
      (#"{"kind": "portal", "sourceLifetime": "W"}"#, SourceLifetime.allCases.map(\.rawValue)),
      (#"{"kind": "shape", "shape": {"path": "", "fillRule": "W"}}"#, FillRule.allCases.map(\.rawValue)),
      (#"{"kind": "shape", "shape": {"path": "", "lineCap": "W"}}"#, LineCap.allCases.map(\.rawValue)),
      (#"{"kind": "shape", "shape": {"path": "", "lineJoin": "W"}}"#, LineJoin.allCases.map(\.rawValue)),
      (#"{"kind": "text", "text": {"string": "", "alignmentMode": "W"}}"#, TextAlignment.allCases.map(\.rawValue)),
      (#"{"kind": "text", "text": {"string": "", "truncationMode": "W"}}"#, TextTruncation.allCases.map(\.rawValue)),
      (#"{"kind": "lens", "lens": {"subject": "W"}}"#, Lens.Subject.allCases.map(\.rawValue)),
      (
        #"{"compositing": "W"}"#,
        BlendMode.allCases.map { mode in
          mode.rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-" + $1.lowercased() : String($1) }
        }
      ),
    ]
    for (template, words) in choices {
      for word in words + ["no such word"] {
        let root = template.replacing("\"W\"", with: "\"\(word)\"")
        let scene = #"{"format": "porthole-scene/1", "size": [1, 1], "root": "# + root + "}"
        let isWord = words.contains(word)
        #expect(SceneFile.validate(json: Array(scene.utf8)).isValid == isWord, "\(root)")
        #expect((try schema.fault(in: try JSONTree.parse(Data(scene.utf8))) == nil) == isWord, "\(root)")
      }
    }
  }

  @Test("all faults of a file are told, each with its place")
  func allFaults() throws {
    let text = #"""
      {"format": "porthole-scene/2", "size": [0, 4], "extra": 1, "background": 3,
       "root": {"opacity": 2, "opacity": 1, "bounds": [1], "filters": [{"type": "sepia"}, {"type": "x"}],
        "sublayers": [{"kind": "none", "cornerRadius": -1}, 7,
         {"kind": "shape", "shape": {"path": "x", "lineCap": "flat", "lineWidth": -1}},
         {"kind": "portal", "sourceLayer": "gone", "sampling": 1}]}}
      """#
    let errors = SceneFile.validate(json: Array(text.utf8), file: "x.json").errors
    #expect(
      Set(errors.map(\.path)) == [
        "format", "size[0]", "extra", "background", "root.opacity", "root.bounds", "root.filters[0]",
        "root.filters[1].type", "root.sublayers[0].kind", "root.sublayers[0].cornerRadius", "root.sublayers[1]",
        "root.sublayers[2].shape.path", "root.sublayers[2].shape.lineCap", "root.sublayers[2].shape.lineWidth",
        "root.sublayers[3].sourceLayer", "root.sublayers[3].sampling",
      ])
    #expect(errors.filter { $0.path == "root.opacity" }.count == 2)
    #expect(errors.allSatisfy { $0.description.hasPrefix("x.json: ") })
  }

  @Test("a file with no end of faults is told of with a thousand")
  func manyFaults() {
    let layers = [String](repeating: #"{"opacity": 2}"#, count: 5000).joined(separator: ",")
    let text = #"{"format": "porthole-scene/1", "size": [1, 1], "root": {"sublayers": ["# + layers + "]}}"
    let errors = SceneFile.validate(json: Array(text.utf8)).errors
    #expect(errors.count >= 1000 && errors.count <= 1003)
  }
}

import Commit
import Geometry
import Porthole
import TestSupport
import Testing

@Suite("Scenes that were damaged at random")
struct SceneMutationTests {
  static let original = """
    {"format": "porthole-scene/1", "name": "m", "class": "flat", "size": [24, 16], "background": "#ffffff",
     "images": {"i": {"width": 2, "height": 1, "rgba": "AQIDBAUGBwg="}},
     "root": {"id": "root", "bounds": [0, 0, 24, 16], "position": [12, 8], "sublayers": [
      {"id": "s", "bounds": [0, 0, 8, 8], "position": [4, 4], "backgroundColor": "#e0403080", "cornerRadius": 2,
       "contents": "i", "contentsGravity": "resizeAspect", "maskedCorners": ["tl", "br"],
       "transform": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]},
      {"kind": "portal", "id": "p", "sourceLayer": "s", "bounds": [0, 0, 8, 8], "position": [14, 4],
       "matchesPosition": false, "hidesSourceLayer": true, "recursion": {"depth": 2}, "sourceRect": [0, 0, 4, 4]},
      {"kind": "gradient", "bounds": [0, 0, 8, 4], "position": [18, 12], "opacity": 0.5, "borderWidth": 1,
       "gradient": {"type": "axial", "start": [0, 0], "end": [1, 0], "colors": ["#000000", "#ffffff"],
        "locations": [0, 1]}}]}}
    """

  /// Pieces that a scene is made of, and some that break it.
  private static let pieces: [[UInt8]] = [
    "{", "}", "[", "]", ",", ":", "\"", "null", "true", "-1", "0", "1e308", "-1e-308", "1e999", "99999999999999999999",
    "\"s\"", "\"p\"", "\"root\"", "\"portal\"", "\"sublayers\": [{}],", "\"kind\": \"portal\",",
    "\"sourceLayer\": \"root\",",
    "\"recursion\": {\"depth\": 50},", "\"matchesTransform\": true,", "\"m34\"", "\\", "\\u", "\u{0}", "é", "#",
    "[[[[[[[[",
  ].map { Array($0.utf8) }

  private func mutate(_ text: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var text = text
    for _ in 0...Int.random(in: 0..<4, using: &random) where !text.isEmpty {
      let place = Int.random(in: 0..<text.count, using: &random)
      let end = min(text.count, place + Int.random(in: 1...12, using: &random))
      switch Int.random(in: 0..<6, using: &random) {
      case 0: text[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: text.removeSubrange(place..<end)
      case 2: text.insert(contentsOf: text[place..<end], at: Int.random(in: 0..<text.count, using: &random))
      case 3: text.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
      case 4:
        // A digit for another: the text stays JSON, and its numbers become others.
        let digits = text.indices.filter { text[$0] >= 0x30 && text[$0] <= 0x39 }
        if let digit = digits.randomElement(using: &random) {
          text[digit] = UInt8.random(in: 0x30...0x39, using: &random)
        }
      default: text.removeLast(Int.random(in: 0...min(20, text.count - 1), using: &random))
      }
    }
    return text
  }

  @Test(
    "10,000 mutations of a scene are read or refused, and those that are read can be drawn", arguments: [1, 2, 3, 4])
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let original = Array(Self.original.utf8)
    #expect(throws: Never.self) { try Scene(json: original) }
    var (read, refused) = (0, 0)
    let gl = try OffscreenRenderer(size: Size(width: 1, height: 1))
    for round in 0..<2500 {
      let text = mutate(original, &random)
      do {
        let scene = try Scene(json: text, options: .init(skipsUnsupported: round % 2 == 0))
        read += 1
        guard scene.size.width * scene.size.height < 4096, read % 4 == 0 else { continue }
        let renderer = try OffscreenRenderer(size: scene.size, background: scene.background, backend: .reference)
        _ = try renderer.plan(scene.root)
        _ = try renderer.render(scene.root)
        gl.size = scene.size
        _ = try gl.render(scene.root)
      } catch let error as SceneError {
        #expect(!error.message.isEmpty, "seed \(seed), round \(round)")
        refused += 1
      }
    }
    // Both happen often, or the mutations are no test.
    #expect(read > 100 && refused > 1000, "seed \(seed): \(read) read, \(refused) refused")
  }
}

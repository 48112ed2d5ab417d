import Commit
import Geometry
import Porthole
import Testing

@Suite("Animations in scene files")
struct SceneAnimationTests {
  private func scene(_ animations: String, of layer: String = "") throws(SceneError) -> Scene {
    try Scene(
      json: sceneText(
        """
        "sublayers": [{"id": "card", "bounds": [0, 0, 2, 2], "position": [1, 1], "backgroundColor": "#ffffff"\(layer),
          "animations": \(animations)}]
        """), file: "x.json")
  }

  private func animation(_ text: String) throws -> Animation {
    let card = try #require(try scene("[{\"key\": \"it\", \(text)}]").layer("card"))
    return try #require(card.animation(forKey: "it"))
  }

  @Test("every kind and all of the timing")
  func kinds() throws {
    let basic = try animation(
      """
      "keyPath": "position.x", "from": 1, "to": 5, "isAdditive": true, "beginTime": 2, "duration": 3, "speed": -2,
      "timeOffset": 0.5, "repeatCount": 4, "repeatDuration": 7, "autoreverses": true, "fillMode": "both",
      "isRemovedOnCompletion": false, "timingFunction": [0.1, -1, 0.9, 2]
      """)
    #expect(
      basic.timing
        == AnimationTiming(
          beginTime: 2, duration: 3, speed: -2, timeOffset: 0.5, repeatCount: 4, repeatDuration: 7, autoreverses: true,
          fillMode: .both, isRemovedOnCompletion: false, function: TimingFunction(0.1, -1, 0.9, 2)))
    let path = try #require(AnimationKeyPath("position.x"))
    #expect(
      basic.content
        == .property(
          PropertyAnimation(path, .basic(.init(from: .number(1), to: .number(5))), isAdditive: true)))
    let spring = try animation(
      #""keyPath": "position", "to": [5, 1], "spring": {"stiffness": 200, "damping": 20}"#)
    #expect(spring.timing.duration == 0)
    #expect(
      spring.content
        == .property(
          PropertyAnimation(
            AnimationKeyPath(whole: .position),
            .spring(.init(to: .point(Point(5, 1))), Spring(stiffness: 200, damping: 20)))))
    let keyframes = try animation(
      """
      "keyPath": "backgroundColor", "values": ["#ff0000", "#00ff00"], "keyTimes": [0, 1], "timingFunctions": ["easeIn"],
      "calculationMode": "cubic", "repeatCount": "infinite"
      """)
    #expect(keyframes.timing.repeatCount == .infinity)
    if case .property(let property) = keyframes.content, case .keyframes(let frames) = property.motion {
      #expect(frames.values.count == 2 && frames.functions == [.easeIn] && frames.calculationMode == .cubic)
    } else {
      Issue.record("no key frames")
    }
    let group = try animation(
      #""duration": 2, "animations": [{"keyPath": "opacity", "to": 0}, {"keyPath": "bounds.size", "to": [1, 1]}]"#)
    if case .group(let inner) = group.content { #expect(inner.count == 2) } else { Issue.record("no group") }
  }

  @Test("a scene's time begins when it is first committed, or when it is told to play")
  func time() throws {
    let scene = try scene(#"[{"keyPath": "position.x", "from": 1, "to": 5, "duration": 2, "beginTime": 1}]"#)
    let card = try #require(scene.layer("card"))
    let renderer = try OffscreenRenderer(size: scene.size, backend: .reference)
    try renderer.commit(scene.root, at: 0)
    try renderer.update(scene.root, at: 2)
    #expect(renderer.presentation(of: card)?.position.x == 3)
    scene.play(at: 100)
    try renderer.update(scene.root, at: 100.5)
    #expect(renderer.presentation(of: card)?.position.x == 1)
    try renderer.update(scene.root, at: 101.5)
    #expect(renderer.presentation(of: card)?.position.x == 2)
  }

  @Test(
    "a fault is named where it is",
    arguments: [
      (#"{}"#, "", SceneError.Code.wrongType, "a list of animations"),
      (#"[{}]"#, "[0]", .missing, "keyPath"),
      (#"[{"keyPath": "position.z"}]"#, "[0].keyPath", .outOfRange, "a key path such as"),
      (#"[{"keyPath": "opacity", "from": [1, 2]}]"#, "[0].from", .wrongType, "a number"),
      (#"[{"keyPath": "opacity", "too": 1}]"#, "[0].too", .unknownKey, "expected one of"),
      (#"[{"keyPath": "opacity", "duration": -1}]"#, "[0].duration", .outOfRange, "0 or more"),
      (#"[{"keyPath": "opacity", "duration": "long"}]"#, "[0].duration", .wrongType, "0 or more"),
      (#"[{"keyPath": "opacity", "repeatCount": "often"}]"#, "[0].repeatCount", .wrongType, "infinite"),
      (#"[{"keyPath": "opacity", "timingFunction": "fast"}]"#, "[0].timingFunction", .outOfRange, "easeIn"),
      (
        #"[{"keyPath": "opacity", "timingFunction": [2, 0, 0, 0]}]"#, "[0].timingFunction", .outOfRange, "x from 0 to 1"
      ),
      (#"[{"keyPath": "opacity", "values": [0], "to": 1}]"#, "[0].to", .unknownKey, "without values"),
      (#"[{"keyPath": "opacity", "keyTimes": [0]}]"#, "[0].keyTimes", .unknownKey, "along with values"),
      (#"[{"keyPath": "opacity", "spring": {"bounce": 1}}]"#, "[0].spring.bounce", .unknownKey, "mass"),
      (#"[{"animations": [{"keyPath": "opacity"}], "to": 1}]"#, "[0].to", .unknownKey, "not in a group"),
      (#"[{"keyPath": "opacity", "spring": {"damping": 0}}]"#, "[0]", .outOfRange, "never settles"),
      (#"[{"keyPath": "opacity", "spring": {"damping": 1e-9}}]"#, "[0]", .outOfRange, "must settle in 3600 s"),
      (#"[{"animations": [{"keyPath": "opacity", "spring": {"mass": 0}}]}]"#, "[0]", .outOfRange, "never settles"),
      (#"[{"keyPath": "opacity", "duration": 1e999}]"#, "[0].duration", .outOfRange, "beyond all range"),
      (#"[{"keyPath": "opacity", "values": [0, 1], "keyTimes": [0, 0.5]}]"#, "[0]", .outOfRange, "must be 1"),
      (#"[{"keyPath": "sourceLayerOpacityScale", "to": 1}]"#, "[0]", .outOfRange, "the layer is no portal"),
      (#"[{"keyPath": "opacity", "fillMode": "never"}]"#, "[0].fillMode", .outOfRange, "backwards"),
    ])
  func faults(animations: String, path: String, code: SceneError.Code, words: String) throws {
    let error = try #require(throws: SceneError.self) { try scene(animations) }
    #expect(error.path == "root.sublayers[0].animations" + path && error.code == code, "\(error)")
    #expect(error.description.contains(words), "\(error)")
  }

  @Test("a number that is none is no JSON", arguments: ["NaN", "-Infinity", "nan"])
  func notANumber(text: String) {
    let error = #expect(throws: SceneError.self) {
      try scene(#"[{"keyPath": "opacity", "duration": "# + text + "}]")
    }
    #expect(error?.code == .invalidJSON)
  }

  @Test("groups in groups end somewhere")
  func depth() throws {
    let deep = String(repeating: #"[{"animations": "#, count: 9) + "[]" + String(repeating: "}]", count: 9)
    #expect(throws: SceneError.self) { try scene(deep) }
  }
}

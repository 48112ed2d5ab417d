import Commit
import Geometry
import JSON
import RenderTree

// The animations that a scene file gives to layers.

/// One of them.
struct SceneAnimation {
  let layer: Layer
  let key: String
  let animation: Animation
}

extension Scene {
  /// Starts the scene's animations, in the place of those that run, as if its time began at `time` of the renderer's. A
  /// scene that was read has started already, at 0.
  public func play(at time: Double) {
    for entry in animations {
      var animation = entry.animation
      animation.timing.beginTime += time
      entry.layer.add(animation, forKey: entry.key)
    }
  }

  /// Ends animations of the scene: those of the keys that are meant, or all.
  public mutating func stop(where isMeant: (_ key: String) -> Bool = { _ in true }) {
    for entry in animations where isMeant(entry.key) { entry.layer.removeAnimation(forKey: entry.key) }
    animations.removeAll { isMeant($0.key) }
  }

  /// Has the scene's animations stand as they are at a time of the scene, whatever a renderer's time: for pictures of one moment
  /// by renderers whose time nobody sets, such as a server's.
  public func hold(at time: Double) {
    for entry in animations {
      var animation = entry.animation
      let timing = animation.timing
      // A spring that says no duration lasts until it has settled.
      let active = timing.duration > 0 ? timing.activeDuration(ofRuns: timing.duration) : .infinity
      var elapsed = (time - timing.beginTime) * timing.speed.magnitude
      let (isEarly, isLate) = (time < timing.beginTime, timing.speed != 0 && elapsed >= active)
      if isEarly && timing.fillMode != .backwards && timing.fillMode != .both
        || isLate && timing.fillMode != .forwards && timing.fillMode != .both
      {
        entry.layer.removeAnimation(forKey: entry.key)
        continue
      }
      elapsed = isEarly ? 0 : min(elapsed, active)
      if timing.speed < 0 { elapsed = active - elapsed }
      animation.timing.timeOffset += elapsed
      (animation.timing.speed, animation.timing.beginTime) = (0, 0)
      entry.layer.add(animation, forKey: entry.key)
    }
  }
}

extension SceneReader {
  private static let timingKeys = [
    "key", "beginTime", "duration", "speed", "timeOffset", "repeatCount", "repeatDuration", "autoreverses", "fillMode",
    "isRemovedOnCompletion", "timingFunction",
  ]
  private static let propertyKeys = [
    "keyPath", "from", "to", "by", "values", "keyTimes", "timingFunctions", "calculationMode", "spring", "isAdditive",
  ]

  mutating func setAnimations(_ node: Int32, of layer: Layer) throws(SceneError) {
    if document[node].value == .null { return }
    for element in try array(node, "a list of animations") {
      let animation = try animation(element, depth: 1)
      if let fault = animation.fault(on: layer.kind, called: "the layer") {
        throw failure(.outOfRange, element, fault)
      }
      let key = try document.member("key", of: element).map { (node) throws(SceneError) in try string(node) }
      let name = key ?? LayerAnimations.newKey()
      animations.append(SceneAnimation(layer: layer, key: name, animation: animation))
      layer.add(animation, forKey: name)
    }
  }

  private func animation(_ node: Int32, depth: Int) throws(SceneError) -> Animation {
    guard depth <= 8 else { throw failure(.tooDeep, node, "expected no more than 8 levels of groups") }
    var members: [String: Int32] = [:]
    for (key, value) in try object(node, "an animation") {
      guard Self.timingKeys.contains(key) || Self.propertyKeys.contains(key) || key == "animations" else {
        let known = (["animations"] + Self.propertyKeys + Self.timingKeys).joined(separator: ", ")
        throw failure(.unknownKey, value, "unknown key; expected one of \(known)")
      }
      members[key] = value
    }
    var timing = try timing(members)
    if let list = members["animations"] {
      for key in Self.propertyKeys {
        if let stray = members[key] {
          throw failure(.unknownKey, stray, "expected only in an animation of a property, not in a group")
        }
      }
      var inner: [Animation] = []
      for element in try array(list, "a list of animations") {
        inner.append(try animation(element, depth: depth + 1))
      }
      return Animation(timing: timing, content: .group(inner))
    }
    guard let pathNode = members["keyPath"] else {
      throw failure(.missing, node, "expected keyPath, or animations for a group")
    }
    guard let keyPath = AnimationKeyPath(try string(pathNode, "a key path")) else {
      throw unexpected(
        .outOfRange, pathNode, "a key path such as position.x, transform.rotation.z or filters.0.radius")
    }
    let motion = try motion(members, keyPath)
    // A spring lasts until it has settled.
    if case .spring = motion, members["duration"] == nil { timing.duration = 0 }
    let isAdditive = try members["isAdditive"].map { (node) throws(SceneError) in try bool(node) } ?? false
    return Animation(PropertyAnimation(keyPath, motion, isAdditive: isAdditive), timing: timing)
  }

  // MARK: Timing

  private func timing(_ members: [String: Int32]) throws(SceneError) -> AnimationTiming {
    var timing = AnimationTiming()
    for (key, node) in members {
      switch key {
      case "beginTime": timing.beginTime = try notNegative(node)
      case "duration": timing.duration = try notNegative(node)
      case "speed": timing.speed = try number(node)
      case "timeOffset": timing.timeOffset = try notNegative(node)
      case "repeatCount": timing.repeatCount = try endless(node)
      case "repeatDuration": timing.repeatDuration = try endless(node)
      case "autoreverses": timing.autoreverses = try bool(node)
      case "isRemovedOnCompletion": timing.isRemovedOnCompletion = try bool(node)
      case "timingFunction": timing.function = try function(node)
      case "fillMode":
        let expected = "one of removed, forwards, backwards, both"
        switch try string(node, expected) {
        case "removed": timing.fillMode = .removed
        case "forwards": timing.fillMode = .forwards
        case "backwards": timing.fillMode = .backwards
        case "both": timing.fillMode = .both
        default: throw unexpected(.outOfRange, node, expected)
        }
      default: break
      }
    }
    return timing
  }

  /// JSON has no infinite number.
  private func endless(_ node: Int32) throws(SceneError) -> Double {
    if case .string("infinite") = document[node].value { return .infinity }
    return try number(node, 0...Double.greatestFiniteMagnitude, "a number of 0 or more, or \"infinite\"")
  }

  private func function(_ node: Int32) throws(SceneError) -> TimingFunction {
    let expected = "one of linear, easeIn, easeOut, easeInEaseOut, default, or [x1, y1, x2, y2] with each x from 0 to 1"
    if case .array = document[node].value {
      let n = try numbers(node, count: 4, expected)
      guard 0...1 ~= n[0], 0...1 ~= n[2] else { throw unexpected(.outOfRange, node, expected) }
      return TimingFunction(n[0], n[1], n[2], n[3])
    }
    switch try string(node, expected) {
    case "linear": return .linear
    case "easeIn": return .easeIn
    case "easeOut": return .easeOut
    case "easeInEaseOut": return .easeInEaseOut
    case "default": return .default
    default: throw unexpected(.outOfRange, node, expected)
    }
  }

  // MARK: Values

  private func motion(
    _ members: [String: Int32], _ keyPath: AnimationKeyPath
  ) throws(SceneError) -> PropertyAnimation.Motion {
    guard let list = members["values"] else {
      for key in ["keyTimes", "timingFunctions", "calculationMode"] {
        if let stray = members[key] { throw failure(.unknownKey, stray, "expected only along with values") }
      }
      func end(_ key: String) throws(SceneError) -> AnimationValue? {
        try members[key].map { (node) throws(SceneError) in try value(node, keyPath) }
      }
      let interval = PropertyAnimation.Interval(from: try end("from"), to: try end("to"), by: try end("by"))
      return try members["spring"].map { (node) throws(SceneError) in .spring(interval, try spring(node)) }
        ?? .basic(interval)
    }
    for key in ["from", "to", "by", "spring"] {
      if let stray = members[key] { throw failure(.unknownKey, stray, "expected only without values") }
    }
    var keyframes = Keyframes([])
    for element in try array(list, "a list of values") { keyframes.values.append(try value(element, keyPath)) }
    if let node = members["keyTimes"] {
      for element in try array(node, "a list of numbers from 0 to 1") {
        keyframes.keyTimes.append(try number(element, 0...1, "a number from 0 to 1"))
      }
    }
    if let node = members["timingFunctions"] {
      for element in try array(node, "a list of timing functions") { keyframes.functions.append(try function(element)) }
    }
    if let node = members["calculationMode"] {
      let expected = "one of linear, discrete, paced, cubic, cubicPaced"
      let text = try string(node, expected)
      guard let mode = Keyframes.CalculationMode.allCases.first(where: { "\($0)" == text }) else {
        throw unexpected(.outOfRange, node, expected)
      }
      keyframes.calculationMode = mode
    }
    return .keyframes(keyframes)
  }

  private func spring(_ node: Int32) throws(SceneError) -> Spring {
    var spring = Spring()
    for (key, value) in try object(node, "a spring") {
      switch key {
      case "mass": spring.mass = try notNegative(value)
      case "stiffness": spring.stiffness = try notNegative(value)
      case "damping": spring.damping = try notNegative(value)
      case "initialVelocity": spring.initialVelocity = try number(value)
      default:
        throw failure(.unknownKey, value, "unknown key; expected one of mass, stiffness, damping, initialVelocity")
      }
    }
    return spring
  }

  private func value(_ node: Int32, _ keyPath: AnimationKeyPath) throws(SceneError) -> AnimationValue {
    switch keyPath.kind {
    case .number: return .number(try number(node))
    case .point: return .point(try point(node))
    case .size:
      let n = try numbers(node, count: 2, "[width, height]")
      return .size(Size(width: n[0], height: n[1]))
    case .rect: return .rect(try rect(node))
    case .color: return .color(try color(node))
    case .transform: return .transform(try matrix(node))
    case .flag: return .flag(try bool(node))
    case .numbers:
      var list: [Double] = []
      for element in try array(node, "a list of numbers") { list.append(try number(element)) }
      return .numbers(list)
    case .colors:
      var list: [Color] = []
      for element in try array(node, "a list of colours") { list.append(try color(element)) }
      return .colors(list)
    }
  }
}

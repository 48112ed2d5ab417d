import TestSupport

/// Changes a scene as people do who write one: another value, a key too many, one too few.
enum SceneMutation {
  private static let values: [JSONTree] = [
    .null, .bool(true), .bool(false), .number(0), .number(1), .number(-1), .number(0.5), .number(2), .number(1e6),
    .number(20_000), .number(1e300), .string(""), .string("a"), .string("#ff0000"), .string("#ff00"),
    .string("portal"), .string("gradient"), .string("shape"), .string("text"), .string("lens"), .string("layer"),
    .string("none"), .string("center"), .array([]), .array([.number(1), .number(2)]), .object([:]),
    .array([.number(0), .number(0), .number(4), .number(4)]), .object(["radius": .number(1)]),
  ]
  private static let keys = [
    "kind", "opacity", "cornerRadius", "shape", "text", "gradient", "sourceLayer", "radius", "path", "string", "colour",
    "contents", "mask", "sublayers", "filters", "shadow", "isHidden", "locations", "type", "amount", "depth", "lens",
  ]

  static func change(_ scene: JSONTree, _ random: inout SeededGenerator) -> JSONTree {
    var scene = scene
    for _ in 0...Int.random(in: 0..<2, using: &random) {
      var target = Int.random(in: 0..<count(scene), using: &random)
      scene = change(scene, at: &target, &random)
    }
    return scene
  }

  private static func count(_ tree: JSONTree) -> Int {
    switch tree {
    case .array(let values): values.reduce(1) { $0 + count($1) }
    case .object(let members): members.reduce(1) { $0 + count($1.value) }
    default: 1
    }
  }

  /// Changes the value of that number, counted from the top.
  private static func change(_ tree: JSONTree, at target: inout Int, _ random: inout SeededGenerator) -> JSONTree {
    if target == 0 {
      target = -1
      return replace(tree, &random)
    }
    target -= 1
    switch tree {
    case .array(var values):
      for index in values.indices {
        values[index] = change(values[index], at: &target, &random)
        if target < 0 { break }
      }
      return .array(values)
    case .object(var members):
      for key in members.keys.sorted() {
        members[key] = members[key].map { change($0, at: &target, &random) }
        if target < 0 { break }
      }
      return .object(members)
    default: return tree
    }
  }

  private static func replace(_ tree: JSONTree, _ random: inout SeededGenerator) -> JSONTree {
    func value() -> JSONTree { values.randomElement(using: &random) ?? .null }
    switch tree {
    case .object(var members) where !random.oneIn(4):
      let key = members.keys.sorted().randomElement(using: &random) ?? "kind"
      switch Int.random(in: 0..<3, using: &random) {
      case 0: members[key] = nil
      case 1: members[keys.randomElement(using: &random) ?? key] = value()
      default: members[key] = value()
      }
      return .object(members)
    case .array(var elements) where !random.oneIn(4):
      if random.oneIn(2), !elements.isEmpty { elements.removeLast() } else { elements.append(value()) }
      return .array(elements)
    case .number(let number) where random.oneIn(2):
      return .number(random.oneIn(2) ? -number : number + 1)
    default: return value()
    }
  }
}

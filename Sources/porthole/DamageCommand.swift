import JSON
import Porthole

/// `porthole damage`: what would be redrawn going from one scene to another, and what really changes.
struct DamageCommand {
  private let arguments: Arguments
  private let scale: Double
  private let backend: Backend
  private let display: DisplayChoice

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(
      words, words: ["A.json", "B.json"],
      options: [.output, .scale, .renderer, .display, .skipUnsupported, .json])
    scale = try arguments.scale()
    backend = try arguments.word(.renderer, default: .gl)
    display = try arguments.display()
  }

  func run() throws -> ExitCode {
    let (old, new) = (try arguments.scene(0), try arguments.scene(1))
    guard old.size == new.size, old.background == new.background else {
      Output.message(
        "\(arguments[0]) and \(arguments[1]) differ in size or background: all of the second would be drawn")
      return .badInput
    }
    let pairs = ScenePairs(old: old, new: new)
    let renderer = try OffscreenRenderer(
      size: new.size, scale: scale, background: new.background, backend: backend, display: display)
    defer { renderer.close() }
    let damage = try renderer.damage(from: old.root, to: new.root, matching: pairs.layers)
    let (before, after) = (try renderer.render(old.root), try renderer.render(new.root))
    let changed = Self.changedPixels(before, after)
    let area = damage.area
    if let path = arguments[.output] {
      try PNG.write(damage.overlay(on: after), to: path)
      if !arguments.has(.json) { Output.note("wrote \(path), \(after.width) × \(after.height) pixels") }
    }
    let over = changed > 0 ? Double(area) / Double(changed) : nil
    guard arguments.has(.json) else {
      for rect in damage.rects {
        Output.data("\(rect.minX),\(rect.minY) – \(rect.maxX),\(rect.maxY): \(rect.area) pixels\n")
      }
      let share = over.map { "over-damage \(Self.rounded($0))" } ?? "nothing changes"
      Output.data("damaged \(area) of \(damage.size.area) pixels, \(changed) really change: \(share)\n")
      return .success
    }
    let rects: [JSONValue] = damage.rects.map { rect in
      .array([rect.minX, rect.minY, rect.maxX, rect.maxY].map { .integer(Int($0)) })
    }
    return Output.data(
      JSONValue.object([
        ("width", .integer(damage.size.width)), ("height", .integer(damage.size.height)), ("scale", .number(scale)),
        ("rects", .array(rects)), ("damagedPixels", .integer(area)), ("changedPixels", .integer(changed)),
        ("overDamage", over.map { .number($0) } ?? .null),
      ]).text)
  }

  private static func rounded(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }

  private static func changedPixels(_ a: Image, _ b: Image) -> Int {
    guard a.size == b.size else { return b.size.area }
    var count = 0
    for index in stride(from: 0, to: a.pixels.count, by: 4)
    where a.pixels[index..<index + 4] != b.pixels[index..<index + 4] {
      count += 1
    }
    return count
  }
}

/// Which layers of two scenes are the same: those of one id, and below them those of one place. Pictures that are the same to
/// the last byte become one, since a renderer that goes on would have the picture already.
struct ScenePairs {
  private(set) var layers: [(new: Layer, old: Layer)] = []

  init(old: Scene, new: Scene) {
    var isPaired: Set<ObjectIdentifier> = []
    for id in new.layerIDs {
      if let a = old.layer(id), let b = new.layer(id) { pair(a, b, &isPaired) }
    }
    pair(old.root, new.root, &isPaired)
  }

  private mutating func pair(_ old: Layer, _ new: Layer, _ isPaired: inout Set<ObjectIdentifier>) {
    var stack = [(old, new)]
    while let (a, b) = stack.popLast() {
      guard type(of: a) == type(of: b), isPaired.insert(ObjectIdentifier(b)).inserted else { continue }
      layers.append((b, a))
      if let one = a.contents, let other = b.contents, one.size == other.size, one.pixels == other.pixels {
        b.contents = one
      }
      if a.sublayers.count == b.sublayers.count { stack += zip(a.sublayers, b.sublayers) }
    }
  }
}

import JSON
import Porthole

/// `porthole hit`: which layer of a scene stands at a point.
struct HitCommand {
  private let arguments: Arguments
  private let point: Point

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: ["SCENE.json", "X,Y"], options: [.skipUnsupported, .json])
    let text = arguments[1]
    let numbers = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Double($0) }
    guard numbers.count == 2, text.filter({ $0 == "," }).count == 1, numbers.allSatisfy(\.isFinite) else {
      throw UsageError("X,Y is two numbers and a comma, not “\(text)”")
    }
    point = Point(numbers[0], numbers[1])
  }

  func run() throws -> ExitCode {
    let scene = try arguments.scene()
    // Nothing is drawn, so no display is needed.
    let renderer = try OffscreenRenderer(size: scene.size, backend: .reference)
    defer { renderer.close() }
    let hits = try renderer.hitTest(point, in: scene.root)
    if arguments.has(.json) {
      let links = hits.map { hit in
        JSONValue.object([
          ("layer", .string(scene.label(of: hit.layer))),
          ("x", .number(hit.point.x)),
          ("y", .number(hit.point.y)),
          ("isPortal", .boolean(hit.isPortal)),
        ])
      }
      return Output.data(
        JSONValue.object([("x", .number(point.x)), ("y", .number(point.y)), ("hits", .array(links))]).text)
    }
    let lines = hits.map { hit in
      "\(scene.label(of: hit.layer)) \(hit.point.x),\(hit.point.y)\(hit.isPortal ? " portal" : "")\n"
    }
    if lines.isEmpty { Output.note("no layer stands at \(point.x),\(point.y)") }
    return Output.data(lines.joined())
  }
}

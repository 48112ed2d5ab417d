import WaylandClient
import WaylandProtocol

/// `porthole server input`: what a pointer, a keyboard or a finger does, for scripts.
struct ServerInputCommand {
  private enum Action: String, CaseIterable {
    case move, click, press, release, drag, scroll, type, key, touch
  }

  private let arguments: Arguments
  private let action: Action
  private let words: [String]
  private let output: UInt64

  init(_ words: [String]) throws(UsageError) {
    let names = Action.allCases.map(\.rawValue).joined(separator: ", ")
    arguments = try Arguments(
      words, words: ["what is done (\(names))"], repeatsLast: true, options: [.socket, .outputNumber])
    guard let action = Action(rawValue: arguments[0]) else {
      throw UsageError("“\(arguments[0])” is nothing to be done; expected one of \(names)")
    }
    self.action = action
    self.words = Array(arguments.words.dropFirst())
    let text = arguments[.outputNumber] ?? "0"
    guard let number = UInt64(text) else { throw UsageError("--output is an output's number, not “\(text)”") }
    output = number
    try check()
  }

  private func check() throws(UsageError) {
    switch action {
    case .move, .scroll, .touch: _ = try numbers(2)
    case .drag: _ = try numbers(4)
    case .click:
      guard words.count == 2 || words.count == 3 else { throw UsageError("click X Y [left|middle|right]") }
      _ = try (numbers(2), button(2))
    case .press, .release:
      guard words.count <= 1 else { throw UsageError("\(action.rawValue) [left|middle|right]") }
      _ = try button(0)
    case .type, .key:
      guard words.count == 1, !words[0].isEmpty else { throw UsageError("\(action.rawValue) needs one word; quote it") }
      guard words[0].utf8.count <= 4000 else { throw UsageError("\(action.rawValue): at most 4000 bytes at a time") }
    }
  }

  private func numbers(_ count: Int) throws(UsageError) -> [Double] {
    let found = words.prefix(count).compactMap(Double.init).filter { $0.isFinite && abs($0) < 1e6 }
    guard found.count == count, words.count == count || action == .click else {
      throw UsageError("\(action.rawValue) needs \(count) numbers, such as 100 50")
    }
    return found
  }

  /// As Linux numbers them.
  private func button(_ index: Int) throws(UsageError) -> UInt32 {
    guard index < words.count else { return 0x110 }
    switch words[index] {
    case "left": return 0x110
    case "right": return 0x111
    case "middle": return 0x112
    default: throw UsageError("a button is left, middle or right, not “\(words[index])”")
    }
  }

  func run() throws -> ExitCode {
    let server = try ServerInspector(socket: arguments[.socket])
    guard server.wire.offers(WlSeat.self) else {
      throw ServerCommandError(
        "this server serves no Wayland programs, so that nobody takes input; start it with `portholed --layout cascade`"
      )
    }
    let ear = Ear()
    server.proxy.handler = ear
    try act(Hand(proxy: server.proxy, output: output))
    if action == .type || action == .key {
      try server.wire.wait { ear.isTyped }
      if let rejected = ear.rejected {
        throw ServerCommandError("the keyboard's layout has no key for “\(rejected)”", code: .badInput)
      }
    }
    // What was sent has been done once the server answers.
    try server.wire.roundtrip()
    return .success
  }

  private func act(_ hand: Hand) throws(UsageError) {
    switch action {
    case .move: hand.move(try numbers(2))
    case .click:
      hand.move(try numbers(2))
      hand.proxy.pressButton(button: try button(2), state: .down)
      hand.proxy.pressButton(button: try button(2), state: .up)
    case .press: hand.proxy.pressButton(button: try button(0), state: .down)
    case .release: hand.proxy.pressButton(button: try button(0), state: .up)
    case .drag: hand.drag(try numbers(4))
    case .scroll:
      let distance = try numbers(2)
      hand.proxy.scroll(distance: distance.span.bytes)
    case .touch:
      let place = try numbers(2)
      hand.touch(.down, place)
      hand.touch(.up, place)
    case .type: hand.proxy.typeText(text: words[0])
    case .key: hand.proxy.strikeKeys(names: words[0])
    }
  }

  /// What moves, on which output.
  private struct Hand {
    let proxy: Proxy<PortholeInspectorV1>
    let output: UInt64

    func move(_ place: [Double]) {
      proxy.movePointer(
        outputHi: UInt32(truncatingIfNeeded: output >> 32), outputLo: UInt32(truncatingIfNeeded: output),
        point: place.span.bytes)
    }

    /// In steps, as a hand would: many programs want to see a drag begin before they believe it.
    func drag(_ ends: [Double]) {
      move(Array(ends[..<2]))
      proxy.pressButton(button: 0x110, state: .down)
      for step in 1...16 {
        let part = Double(step) / 16
        move([ends[0] + (ends[2] - ends[0]) * part, ends[1] + (ends[3] - ends[1]) * part])
      }
      proxy.pressButton(button: 0x110, state: .up)
    }

    func touch(_ state: PortholeInspectorV1.State, _ place: [Double]) {
      proxy.touch(
        finger: 0, state: state, outputHi: UInt32(truncatingIfNeeded: output >> 32),
        outputLo: UInt32(truncatingIfNeeded: output), point: place.span.bytes)
    }
  }

  private final class Ear: PortholeInspectorV1.EventHandler {
    private(set) var isTyped = false
    private(set) var rejected: String?

    func typed(_ proxy: Proxy<PortholeInspectorV1>, rejected: String?) {
      (isTyped, self.rejected) = (true, rejected)
    }
  }
}

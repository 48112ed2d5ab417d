import Commit
import Diagnostics
import Foundation
import Geometry
import Porthole

/// `porthole-bench peer`: portals of the board that `bench/peers` shows by other toolkits, drawn as `bench/peers/run.py` orders.
/// `bench/peers/board.h` says how the board looks and what is said.
struct PeerService {
  let suite: Suite
  let count: Int
  private static let boardSize = Size(width: 320, height: 180)
  private static let window = Size(width: 1280, height: 720)

  init(_ arguments: [String]) throws(BenchError) {
    guard arguments.count == 2, let suite = Suite(rawValue: arguments[0]), let count = Int(arguments[1]),
      (1...65_536).contains(count)
    else { throw BenchError(.usage, "peer takes portal-grid or portal-window, and a number of copies.") }
    (self.suite, self.count) = (suite, count)
  }

  func run() throws(BenchError) {
    let canvas = try SceneCanvas(Self.window, scale: 1, background: .black)
    let root = Layer()
    root.bounds = Rect(size: Self.window)
    root.position = root.bounds.center
    let (board, hand) = makeBoard()
    root.addSublayer(board)
    addPortals(of: board, to: root)
    var frame = 0
    func draw() throws(BenchError) {
      hand.transform = .rotation(angle: Double(frame * 3 % 360) * .pi / 180)
      frame += 1
      _ = try canvas.draw(root)
    }
    for _ in 0..<10 { try draw() }
    Self.say("ready")
    while let line = readLine() {
      let words = line.split(separator: " ")
      guard words.count == 2, words[0] == "draw", let frames = Int(words[1]), (1...100_000).contains(frames) else {
        return
      }
      let (cpu, wall) = (ProcessClock.cpuNanoseconds, ProcessClock.monotonicNanoseconds)
      for _ in 0..<frames { try draw() }
      Self.say("\(frames) \(ProcessClock.cpuNanoseconds - cpu) \(ProcessClock.monotonicNanoseconds - wall)")
    }
  }

  private func makeBoard() -> (board: Layer, hand: Layer) {
    let board = Layer()
    board.bounds = Rect(size: Self.boardSize)
    board.position = board.bounds.center
    board.backgroundColor = Color(red: 0.14, green: 0.17, blue: 0.22)
    for index in 0..<20 {
      let card = Layer()
      card.bounds = Rect(x: 0, y: 0, width: 52, height: 36)
      card.anchorPoint = .zero
      card.position = Point(Double(6 + index % 5 * 64), Double(5 + index / 5 * 44))
      card.cornerRadius = 6
      let part = Float(index) / 20
      card.backgroundColor = Color(red: 0.2 + 0.6 * part, green: 0.35 + 0.3 * (1 - part), blue: 0.85 - 0.5 * part)
      board.addSublayer(card)
    }
    let hand = Layer()
    hand.bounds = Rect(x: 0, y: 0, width: 12, height: 140)
    hand.position = board.bounds.center
    hand.backgroundColor = Color(red: 0.98, green: 0.72, blue: 0.2)
    board.addSublayer(hand)
    return (board, hand)
  }

  private func addPortals(of board: Layer, to root: Layer) {
    if suite == .portalWindow {
      // As large as the window, where it stands.
      board.position = Point(640, 360)
      board.transform = .scale(x: 4, y: 4)
    }
    // The window's holes lie on a source as large as the window; the grid's cells, on the board's own size.
    let source = suite == .portalGrid ? Self.boardSize : Self.window
    for place in SuiteLayout(suite, n: count, output: Self.window, source: source).places {
      let portal = PortalLayer()
      portal.sourceLayer = board
      portal.hidesSourceLayer = true
      portal.position = place.target.center
      switch suite {
      case .portalGrid:
        portal.bounds = Rect(size: Self.boardSize)
        portal.transform = .scale(x: place.target.width / 320, y: place.target.height / 180)
      case .portalWindow:
        portal.bounds = Rect(size: place.target.size)
        portal.matchesPosition = true
        portal.matchesTransform = true
        portal.masksToBounds = true
      }
      root.addSublayer(portal)
    }
  }

  /// At once, since somebody waits for it.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

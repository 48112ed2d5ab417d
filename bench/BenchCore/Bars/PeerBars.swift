import Foundation

/// The bars against other toolkits, of what `bench/peers/run` has measured beside the portals.
struct PeerBars {
  let path: String
  let isShort: Bool

  private struct File: Decodable {
    struct Ratio: Decodable {
      var peer: String
      var suite: String
      var n: Int
      /// What portals cost over what the peer does, in rounds that took turns.
      var ratio: Double
      var lower: Double?
      var upper: Double?
    }
    var schema: String
    var ratios: [Ratio]
  }

  private struct Wanted {
    var peer: String
    var suite: String
    var n: Int
    var limit: Double
  }

  private static let wanted = [
    Wanted(peer: "qt-shared", suite: "portal-grid", n: 256, limit: 0.5),
    Wanted(peer: "qt-shared", suite: "portal-grid", n: 1024, limit: 1),
    Wanted(peer: "qt-shared", suite: "portal-window", n: 256, limit: 1),
    Wanted(peer: "qt-shared", suite: "portal-window", n: 1024, limit: 1),
    Wanted(peer: "clutter-clone", suite: "portal-grid", n: 256, limit: 0.2),
    Wanted(peer: "gtk-paintable", suite: "portal-grid", n: 256, limit: 0.2),
    Wanted(peer: "firefox-element", suite: "portal-grid", n: 256, limit: 0.2),
  ]

  func bars() -> [Bar] {
    var ratios: [File.Ratio] = []
    var fault = "make bench-peers measures it"
    if let data = FileManager.default.contents(atPath: path) {
      do {
        let file = try JSONDecoder().decode(File.self, from: data)
        if file.schema == "porthole-bench/peers" { ratios = file.ratios } else { fault = "\(path) is no file of peers" }
      } catch {
        fault = "\(path) can't be read"
      }
    }
    return Self.wanted.map { wanted in
      let found = ratios.first { $0.peer == wanted.peer && $0.suite == wanted.suite && $0.n == wanted.n }
      var bar = Bar(
        "\(wanted.suite), N = \(NumberText.grouped(wanted.n)), over \(wanted.peer)", found?.ratio, limit: wanted.limit,
        note: found == nil ? fault : "of \(path)")
      if let lower = found?.lower, let upper = found?.upper { bar.interval = Interval(lower, upper) }
      bar.isLeftOut = isShort
      return bar
    }
  }
}

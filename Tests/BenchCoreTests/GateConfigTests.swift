import BenchCore
import Foundation
import Testing

@Suite("The file of a gate")
struct GateConfigTests {
  private static let whole = """
    budget = "90s"
    size = "640x360"
    scale = 2
    seed = 7
    report = false

    [[scene]]
    file = "scenes/card.json"
    multiply = "card"
    move = "needle"
    n = [64, 1]

    [[scene]]
    name = "wall"
    file = "/elsewhere/w.json"
    multiply = "brick"

    [exact]
    baseline = "base/counters.txt"
    suites = ["nesting"]
    growth = 2.5
    max-age = 90
    advisory = ["layers_visited"]
    strict-improvement = true
    [[exact.limit]]
    cell = "card/*"
    counter = "passes"
    most = 6

    [instructions]
    baseline = "base/instructions.json"
    n = [8, 16]
    tolerance = 0.25

    [time]
    gate = "advisory"
    base = "old/porthole-bench"
    n = [64, 256]
    control = false
    margin = 2
    tolerance = 8
    [[time.pair]]
    name = "portals against copies"
    a = "n=64,strategy=duplicate"
    b = "n=64"
    at-most = 0.5
    scene = "card"
    seconds = 4

    [gpu]
    gate = "required"

    [history]
    file = "history.ndjson"
    """

  private static func read(_ text: String, name: String = "g.toml") throws(BenchError) -> GateConfig {
    try GateConfig([UInt8](text.utf8), name: name, folder: "repository")
  }

  @Test("every key means what it says, and paths are the file's own")
  func whole() throws {
    let config = try Self.read(Self.whole)
    #expect(config.budgetSeconds == 90 && config.seed == 7 && !config.hasReport)
    #expect(config.shape == OutputShape(width: 640, height: 360, scale: 2))
    #expect(config.scenes.map(\.name) == ["card", "wall"])
    #expect(
      config.scenes[0].user == .init(path: "repository/scenes/card.json", layer: "card", mover: "needle")
        && config.scenes[0].counts == [1, 64])
    #expect(config.scenes[1].user.path == "/elsewhere/w.json" && config.scenes[1].counts == [1, 16, 64])
    #expect(config.exact.gate == .blocking && config.exact.baseline == "repository/base/counters.txt")
    #expect(config.exact.suites == [.nesting] && config.exact.growth == 0.025 && config.exact.maximumAge == 90)
    #expect(config.exact.advisory == ["layers_visited"] && config.exact.isStrictAboutImprovement)
    #expect(config.exact.limits == [.init(cell: "card/*", counter: "passes", most: 6, place: "g.toml:25")])
    #expect(config.instructions.gate == .blocking && config.instructions.counts == [8, 16])
    #expect(config.instructions.tolerance == 0.0025)
    #expect(config.time.gate == .advisory && config.time.base == "repository/old/porthole-bench")
    #expect(config.time.counts == [64, 256] && !config.time.hasControl)
    #expect(config.time.margin == 0.02 && config.time.tolerance == 0.08)
    let pair = try #require(config.time.pairs.first)
    #expect(pair.a == .cell(CellKey(suite: .portalGrid, strategy: .duplicate, n: 64)))
    #expect(pair.atMost == 0.5 && pair.scene == "card" && pair.seconds == 4)
    #expect(config.gpu == .required && config.history == "repository/history.ndjson")
  }

  @Test("without a word, all suites are counted, times block where they are asked for, and 120 s are the budget")
  func defaults() throws {
    let config = try Self.read("[exact]\nbaseline = \"b\"\n")
    #expect(config.exact.suites == FeatureSuite.allCases && config.budgetSeconds == 120 && config.hasReport)
    #expect(config.instructions.gate == .off && config.time.gate == .blocking && config.gpu == .blocking)
    #expect(config.exact.growth == 0 && config.exact.maximumAge == nil)
    let own = try Self.read("[[scene]]\nfile=\"a/card.v2.json\"\nmultiply=\"x\"\n")
    #expect(own.exact.suites.isEmpty && own.scenes[0].name == "card")
  }

  @Test("JSON says the same, and its errors name the place")
  func json() throws {
    let text =
      #"{"budget": 90, "scene": [{"file": "c.json", "multiply": "x"}], "exact": {"baseline": "b", "growth": 1}}"#
    let toml = "budget = 90\n[[scene]]\nfile = \"c.json\"\nmultiply = \"x\"\n[exact]\nbaseline = \"b\"\ngrowth = 1\n"
    #expect(try Self.read(text, name: "g.json") == Self.read(toml))
    do throws(BenchError) {
      _ = try Self.read(#"{"exact": {"baseline": "b", "max-age": 1.5}}"#, name: "g.json")
      Issue.record("it was read")
    } catch {
      #expect(error.code == .usage && error.description.hasPrefix("g.json: exact.max-age: expected a whole number"))
    }
  }

  @Test(
    "what makes no sense is a usage error with file and line",
    arguments: [
      ("budgett = 3", "g.toml:1: there is no “budgett” here; there are budget, size"),
      ("budget = 1", "g.toml:1: expected seconds from 5"),
      ("size = \"10x10\"", "g.toml:1: expected points"),
      ("[exact]\n", "g.toml:1: exact takes a baseline or [[exact.limit]]"),
      ("[exact]\nbaseline = \"b\"\ngate = \"maybe\"", "g.toml:3: expected one of blocking, advisory, off, got “maybe”"),
      ("[exact]\nbaseline = \"b\"\nsuites = [\"moon\"]", "g.toml:3: expected one of area"),
      ("[exact]\n[[exact.limit]]\ncell = \"a\"\nmost = 1", "g.toml:2: a limit takes cell, counter and most"),
      ("[exact]\n[[exact.limit]]\ncell = \"a\"\ncounter = \"b\"\nmost = -1", "g.toml:5: expected a whole number"),
      ("[[scene]]\nfile = \"a.json\"", "g.toml:1: a scene takes file, and multiply"),
      ("[[scene]]\nfile = \"nesting.json\"\nmultiply = \"x\"", "g.toml:1: “nesting” can't be a scene's name"),
      (
        "[[scene]]\nfile=\"a.json\"\nmultiply=\"x\"\n[[scene]]\nfile=\"b/a.json\"\nmultiply=\"x\"", "g.toml: two scenes"
      ),
      ("[instructions]\n", "g.toml:1: instructions take a baseline"),
      ("[time]\nmargin = 9", "g.toml:1: tolerance must not be smaller"),
      ("[time]\n[[time.pair]]\na = \"n=1\"\nb = \"n=2\"", "g.toml:2: a pair takes a, b and at-most"),
      ("[time]\n[[time.pair]]\na = \"n=x\"\nb = \"n=2\"\nat-most = 1", "g.toml:2: a takes n="),
      ("[time]\n[[time.pair]]\na=\"n=1\"\nb=\"n=2\"\nat-most=1\nscene=\"no\"", "g.toml:2: there is no [[scene]] named"),
      ("[gpu]\ngate = \"on\"", "g.toml:2: expected one of blocking, advisory, off, required"),
      ("exact = 3", "g.toml:1: expected a table, got 3"),
    ])
  func refused(text: String, expected: String) {
    do throws(BenchError) {
      _ = try Self.read(text)
      Issue.record("it was read")
    } catch {
      #expect(error.code == .usage)
      #expect(error.description.hasPrefix(expected), "\(error.description)")
    }
  }

  @Test("the file of this repository is one")
  func own() throws {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: top.appending(path: "porthole-bench.toml"))
    let config = try GateConfig([UInt8](data), name: "porthole-bench.toml", folder: top.path(percentEncoded: false))
    #expect(config.exact.gate == .blocking && config.exact.suites == FeatureSuite.allCases)
    #expect(FileManager.default.isReadableFile(atPath: config.exact.baseline ?? ""))
  }
}

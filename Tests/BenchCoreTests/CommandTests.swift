import BenchCore
import Geometry
import JSON
import Testing

@Suite("the command line")
struct CommandTests {
  private func options(_ arguments: [String]) throws -> ScaleOptions {
    guard case .scale(let options) = try Command.parse(["scale"] + arguments) else {
      throw BenchError(.usage, "no scale")
    }
    return options
  }

  @Test("without a word, the answer comes in half a minute; --full, or a list of N, is the whole sweep")
  func defaults() throws {
    let short = try options([])
    #expect(short == .automatic && short.isAdaptive && short.budgetSeconds <= 27)
    #expect(short.suites == [.portalGrid] && short.strategies == [.portal, .floor])
    #expect(try options(["--n", "auto"]) == short && options(["--n=auto"]) == short)
    #expect(try options(["--suite", "all"]).suites == Suite.allCases)
    let full = try options(["--full"])
    #expect(full.counts == [1, 4, 16, 64, 256, 1024, 4096] && !full.isAdaptive && full.budgetSeconds == 150)
    #expect(full.suites == Suite.allCases && full.strategies == Strategy.allCases)
    let listed = try options(["--n", "1,2"])
    #expect(listed.strategies == Strategy.allCases && listed.budgetSeconds == 150 && !listed.isAdaptive)
  }

  @Test("run takes one N, of portals alone, or a suite")
  func single() throws {
    guard case .scale(let options) = try Command.parse(["run", "--n", "64", "--seconds", "5"]) else {
      Issue.record("no run")
      return
    }
    #expect(options.counts == [64] && options.strategies == [.portal] && options.budgetSeconds == 5)
    #expect(throws: BenchError.self) { try Command.parse(["run", "--n", "1,2"]) }
    #expect(throws: BenchError.self) { try Command.parse(["run", "--n", "auto"]) }
    guard case .run = try Command.parse(["run", "nesting"]) else {
      Issue.record("no suite")
      return
    }
  }

  @Test("a scene of one's own needs a layer, and a layer a scene")
  func ownScene() throws {
    let options = try options(["--move", "needle", "--scene", "my.json", "--multiply=card"])
    #expect(options.scene == ScaleOptions.UserScene(path: "my.json", layer: "card", mover: "needle"))
    for wrong in [["--scene", "my.json"], ["--multiply", "card"], ["--move", "x"], ["--scene", ""], ["--multiply"]] {
      #expect(throws: BenchError.self) { try Command.parse(["scale"] + wrong) }
    }
  }

  @Test("options are taken with a space or an equals sign")
  func values() throws {
    let options = try options([
      "--n", "16,4,16", "--suite=portal-window", "--strategies", "floor,portal", "--rounds=9", "--seconds", "20",
      "--seed", "7", "--size", "640x480", "--scale", "2", "--out", "x", "--json", "--quiet", "--no-color",
    ])
    #expect(options.counts == [4, 16])
    #expect(options.suites == [.portalWindow])
    #expect(options.strategies == [.portal, .floor])
    #expect(options.rounds == 9 && options.budgetSeconds == 20 && options.seed == 7)
    #expect(options.shape == OutputShape(width: 640, height: 480, scale: 2))
    #expect(options.outputFolder == "x" && options.printsJSON && options.isQuiet && !options.hasColor)
  }

  @Test(
    "what makes no sense is a usage error that names the option",
    arguments: [
      ["--n", "0"], ["--n", "1,,2"], ["--n", "99999999"], ["--n"], ["--suite", "grid"], ["--strategies", "portal,"],
      ["--rounds", "0"], ["--budget", "nan"], ["--budget", "inf"], ["--seed", "-1"], ["--size", "10x10"],
      ["--size", "640"], ["--size", "640x480x2"], ["--scale", "0"], ["--scale", "nan"], ["--out", ""], ["--json=1"],
      ["--nonsense"], ["stray"],
    ])
  func refused(arguments: [String]) {
    do {
      _ = try Command.parse(["scale"] + arguments)
      Issue.record("accepted: \(arguments)")
    } catch {
      #expect(error.code == .usage)
      let name = arguments[0].split(separator: "=")[0]
      #expect(error.description.contains(name))
    }
  }

  @Test("help, version and list are commands of their own, and exit codes tell usage errors apart")
  func commands() throws {
    #expect(try Command.parse([]) == .help(nil))
    #expect(try Command.parse(["--help"]) == .help(nil))
    #expect(try Command.parse(["scale", "--help"]) == .help("scale"))
    #expect(try Command.parse(["help", "scale"]) == .help("scale"))
    #expect(try Command.parse(["--version"]) == .version)
    #expect(try Command.parse(["list"]) == .list(isJSON: false))
    #expect(try Command.parse(["list", "--json"]) == .list(isJSON: true))
    #expect(BenchTool(arguments: ["dance"]).run() == 64)
    #expect(BenchTool(arguments: ["list"]).run() == 0)
    #expect(BenchTool(arguments: ["scale", "--scenes", "/nowhere", "--out", "/dev/null/x"]).run() == 1)
    #expect(Catalogue.text.contains("portal-window") && Catalogue.json.text.contains("portal-window"))
  }

  @Test("a render server draws where it is the target, but for the floor, and the word scale may be left out")
  func target() throws {
    let words = ["--target", "server", "--n", "1,4"]
    guard case .scale(let short) = try Command.parse(words),
      case .scale(let long) = try Command.parse(["scale"] + words)
    else {
      Issue.record("no scale")
      return
    }
    #expect(short == long && short.server == ScaleOptions.Server() && short.counts == [1, 4])
    #expect(short.strategies == [.portal, .duplicate, .snapshot])
    #expect(try ScaleOptions(["--target=embedded"]).server == nil)
    #expect(try ScaleOptions(["--target", "server", "--server", "/x"]).server?.program == "/x")
    #expect(throws: BenchError.self) { try ScaleOptions(["--target", "moon"]) }
    #expect(throws: BenchError.self) { try ScaleOptions(["--target", "server", "--strategies", "portal,floor"]) }
  }
}

@Suite("where the copies lie")
struct SuiteLayoutTests {
  private static let size = Size(width: 1280, height: 720)

  @Test(
    "a grid of N has the columns that hold it, cells within the output and none on another",
    arguments: [1, 2, 5, 16, 4096])
  func grid(n: Int) {
    let layout = SuiteLayout(.portalGrid, n: n, output: Self.size, source: Self.size)
    #expect(layout.places.count == n)
    let columns = Double(n).squareRoot().rounded(.up)
    #expect((layout.scale - 1 / columns).magnitude < 1e-12)
    let all = Rect(size: Self.size).insetBy(dx: -1e-9, dy: -1e-9)
    #expect(layout.places.allSatisfy { all.contains($0.target) && $0.part == Rect(size: Self.size) })
    #expect(Set(layout.places.map { "\($0.target.x),\($0.target.y)" }).count == n)
  }

  @Test("holes are 64 points wide, on whole points, and show what lies behind them", arguments: [1, 16, 1000, 4096])
  func holes(n: Int) {
    let layout = SuiteLayout(.portalWindow, n: n, output: Self.size, source: Self.size)
    #expect(layout.places.count == n)
    for place in layout.places {
      #expect(place.target == place.part)
      #expect(place.target.x == place.target.x.rounded() && place.target.y == place.target.y.rounded())
    }
    if n <= 16 { #expect(layout.places.allSatisfy { $0.target.width == 64 && $0.target.height == 64 }) }
  }

  @Test("copies between pixels are told from those on whole pixels")
  func pixels() {
    let grid = { (n: Int) in SuiteLayout(.portalGrid, n: n, output: Self.size, source: Self.size) }
    #expect(grid(16).liesOnPixels(scale: 1))
    #expect(!grid(1024).liesOnPixels(scale: 1))
    #expect(grid(1024).liesOnPixels(scale: 2))
    #expect(!grid(16).liesOnPixels(scale: 1.01))
  }

  @Test("counts below one are one")
  func none() {
    #expect(SuiteLayout(.portalGrid, n: 0, output: Self.size, source: Self.size).places.count == 1)
    #expect(SuiteLayout(.portalWindow, n: -5, output: Self.size, source: Self.size).places.count == 1)
  }
}

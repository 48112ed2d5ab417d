import BenchCore
import Geometry
import Testing

@Suite("the command line")
struct CommandTests {
  private func options(_ arguments: [String]) throws -> ScaleOptions {
    guard case .scale(let options) = try Command.parse(["scale"] + arguments) else {
      throw BenchError(.usage, "no scale")
    }
    return options
  }

  @Test("the defaults are the whole sweep")
  func defaults() throws {
    let options = try options([])
    #expect(options.counts == [1, 4, 16, 64, 256, 1024, 4096])
    #expect(options.suites == Suite.allCases && options.strategies == Strategy.allCases)
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
    #expect(try Command.parse([]) == .help)
    #expect(try Command.parse(["scale", "--help"]) == .help)
    #expect(try Command.parse(["--version"]) == .version)
    #expect(try Command.parse(["list"]) == .list)
    #expect(BenchTool(arguments: ["dance"]).run() == 64)
    #expect(BenchTool(arguments: ["list"]).run() == 0)
    #expect(BenchTool(arguments: ["scale", "--scenes", "/nowhere", "--out", "/dev/null/x"]).run() == 1)
    #expect(HelpText.list.contains("portal-window"))
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

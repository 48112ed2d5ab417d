import Commit
import Diagnostics
import GLES
import Geometry
import Porthole

/// `porthole-bench bars`: every bar of the performance page, measured here and now.
struct BarRun {
  let options: BarOptions
  let scene: BenchScene
  let device: Device
  let clock: any BenchClock
  let console: Console
  let allocations: (any AllocationCount)?
  private let shape = OutputShape()

  init(
    options: BarOptions, scene: BenchScene, device: Device, clock: any BenchClock, console: Console,
    allocations: (any AllocationCount)?
  ) {
    (self.options, self.scene, self.device) = (options, scene, device)
    (self.clock, self.console, self.allocations) = (clock, console, allocations)
  }

  func run() throws(BenchError) -> [Bar] {
    var bars: [Bar] = []
    func add(_ more: [Bar]) {
      for bar in more { console.result(bar.line) }
      bars += more
    }
    if options.only.map("stages".contains) ?? true {
      console.progress("bars: stages")
      add(try StageBars(isShort: options.isShort, allocations: allocations).bars())
    }
    if options.only.map("counters".contains) ?? true {
      console.progress("bars: counters")
      add(try CounterBars(scene: scene, shape: shape).bars())
      add(try steady())
    }
    var random = SplitMix64(seed: options.seed)
    let rounds = options.rounds ?? (options.isShort ? 7 : 15)
    let run = PairRun(clock: clock, console: console, rounds: rounds)
    // Group by group, so that no more layers and textures live at a time than one needs.
    for group in Group.allCases {
      let pairs = try pairs(of: group).filter { pair in options.only.map(pair.name.contains) ?? true }
      add(try run.bars(pairs, random: &random))
    }
    if options.only == nil { add(peers()) }
    return bars
  }

  private enum Group: CaseIterable { case grid, gridOnPixels, window, oneToOne, strategies, features }

  private func pairs(of group: Group) throws(BenchError) -> [ContenderPair] {
    let counts = options.isShort ? [16, 256, 4096] : [1, 4, 16, 64, 256, 1024, 4096]
    switch group {
    case .grid:
      return try overFloor("portal-grid between pixels", .gridBetweenPixels, counts, limit: 1.1)
    case .gridOnPixels:
      return try overFloor(
        "portal-grid on pixels", .gridOnPixels, options.isShort ? [256] : [64, 256, 1024], limit: 0.5)
    case .window:
      return try overFloor("portal-window, magnified", .window, counts, limit: 1.1)
    case .oneToOne:
      return [
        try stillPair("256 one-to-one holes of a still source", radius: 0, limit: 0.15),
        try stillPair("the same with corner radius 12", radius: 12, limit: 0.5),
      ]
    case .strategies:
      var pairs: [ContenderPair] = []
      for suite in Suite.allCases {
        pairs.append(try strategies(suite, .duplicate, n: 256, limit: 0.2))
        pairs.append(try strategies(suite, .snapshot, n: 16, limit: 0.5))
      }
      return pairs
    case .features:
      return [
        ContenderPair(
          name: "1 % of the source changes, 1,024 portals, over all of it", limit: 0.1,
          first: try SceneContender(FeatureScene.damage(percent: 1, portals: 1024, scene, shape.size), shape: shape),
          second: try SceneContender(
            FeatureScene.damage(percent: 100, portals: 1024, scene, shape.size), shape: shape)),
        ContenderPair(
          name: "20 opaque portals one above the other, over 1", limit: 1.3,
          first: try SceneContender(try FeatureScene.overlap(20, scene, shape.size), shape: shape),
          second: try SceneContender(try FeatureScene.overlap(1, scene, shape.size), shape: shape)),
      ]
    }
  }

  private func overFloor(
    _ name: String, _ kind: BarLayout.Kind, _ counts: [Int], limit: Double
  ) throws(BenchError) -> [ContenderPair] {
    var pairs: [ContenderPair] = []
    for n in counts {
      let layout = BarLayout(kind, n: n, output: shape.size, source: scene.size)
      pairs.append(
        ContenderPair(
          name: "\(name), N = \(NumberText.grouped(n)), over floor", limit: limit,
          first: try SceneContender(try FeatureScene.bar(layout, scene, shape.size), shape: shape),
          second: try FloorContender(
            layout.places, scale: layout.scale, scene: scene, shape: shape, device: device,
            shift: layout.shift)))
    }
    return pairs
  }

  private func stillPair(_ name: String, radius: Double, limit: Double) throws(BenchError) -> ContenderPair {
    let layout = BarLayout(.oneToOne(radius: radius), n: 256, output: shape.size, source: scene.size)
    return ContenderPair(
      name: "\(name), over floor", limit: limit,
      first: try RedrawnContender(try FeatureScene.bar(layout, scene, shape.size), shape: shape),
      second: try FloorContender(
        layout.places, scale: layout.scale, scene: scene, shape: shape, device: device, redrawsSource: false))
  }

  private func strategies(
    _ suite: Suite, _ other: Strategy, n: Int, limit: Double
  ) throws(BenchError) -> ContenderPair {
    let portal = try PortalContender(
      CellKey(suite: suite, strategy: .portal, n: n), scene: scene, shape: shape, stopwatch: nil)
    let key = CellKey(suite: suite, strategy: other, n: n)
    let second: any Contender =
      other == .duplicate
      ? try DuplicateContender(key, scene: scene, shape: shape, stopwatch: nil)
      : try SnapshotContender(key, scene: scene, shape: shape, stopwatch: nil)
    return ContenderPair(
      name: "\(suite.rawValue), N = \(n), over \(other.rawValue)", limit: limit, first: portal, second: second)
  }

  /// A frame in which nothing changes: how long it keeps its thread.
  private func steady() throws(BenchError) -> [Bar] {
    let layout = BarLayout(.gridBetweenPixels, n: 1024, output: shape.size, source: scene.size)
    let still = try SceneContender(try FeatureScene.bar(layout, scene, shape.size), shape: shape)
    _ = try still.draw(frame: 0)
    var times: [Double] = []
    var drawn = 0
    for _ in 0..<200 {
      let begin = clock.monotonicNanoseconds
      let report: FrameReport
      do { report = try still.canvas.renderer.update(still.scene.root) } catch {
        throw BenchError(.renderer, "\(error)")
      }
      times.append(Double(clock.monotonicNanoseconds - begin) / 1000)
      if report.result != .unchanged { drawn += 1 }
    }
    return [
      Bar("nothing changes, 1,024 portals: frames given to GL", Double(drawn), limit: 0, unit: "of 200"),
      Bar(
        "nothing changes, 1,024 portals: a frame", Quantile.median(times), limit: 10, unit: "µs", note: "wall time"),
    ]
  }

  private func peers() -> [Bar] {
    let path = options.peersFile ?? options.outputFolder + "/peers.json"
    return PeerBars(path: path, isShort: options.isShort).bars()
  }
}

import Commit
import FramePlan
import Geometry
import RenderTree

/// A tree of portals without a renderer: what the CPU's stages take, by themselves.
struct StageRig {
  private(set) var tree = RenderTree()
  private var planner = FramePlanner()
  let count: Int
  private let columns: Int
  private var frame = 0

  private static let root = LayerID(rawValue: 1)
  private static let source = LayerID(rawValue: 2)
  private static let size = PixelSize(width: 1280, height: 720)

  /// Nanoseconds of the thread's time.
  struct Times {
    var apply = 0.0
    var animate = 0.0
    var resolve = 0.0
    var plan = 0.0
    var sum: Double { apply + animate + resolve + plan }
    var counters = FrameCounters()
  }

  /// `count` portals, scaled to cells of a grid and between pixels, of a source of twenty layers.
  init(portals count: Int) throws(BenchError) {
    self.count = count
    columns = max(1, Int(Double(count).squareRoot().rounded(.up)))
    var changes: [Change] = [.create(Self.root, .layer), .create(Self.source, .layer)]
    let window = Rect(x: 0, y: 0, width: 1280, height: 720)
    for layer in [Self.root, Self.source] {
      changes.append(.set(layer, .bounds(window)))
      changes.append(.set(layer, .position(window.center)))
    }
    changes.append(.set(Self.source, .backgroundColor(.white)))
    changes.append(.insert(Self.source, into: Self.root, at: 0))
    for index in 0..<20 {
      let tile = LayerID(rawValue: UInt64(10 + index))
      changes.append(.create(tile, .layer))
      changes.append(.set(tile, .bounds(Rect(x: 0, y: 0, width: 200, height: 100))))
      changes.append(.set(tile, .position(Point(Double(100 + index % 5 * 220), Double(100 + index / 5 * 150)))))
      changes.append(.set(tile, .cornerRadius(10)))
      changes.append(.set(tile, .backgroundColor(FeatureScene.shade(index, of: 20))))
      changes.append(.insert(tile, into: Self.source, at: index))
    }
    let scale = 1 / Double(columns)
    for index in 0..<count {
      let portal = Self.portal(index)
      changes.append(.create(portal, .portal))
      changes.append(.set(portal, .sourceLayer(Self.source)))
      changes.append(.set(portal, .hidesSourceLayer(true)))
      changes.append(.set(portal, .bounds(window)))
      changes.append(.set(portal, .transform(.scale(x: scale, y: scale))))
      changes.append(.set(portal, .position(place(of: index, at: 0))))
      changes.append(.insert(portal, into: Self.root, at: index + 1))
    }
    do {
      try tree.apply(Commit(changes))
    } catch {
      throw BenchError(.scene, "the rig's layers were refused: \(error)")
    }
  }

  private static func portal(_ index: Int) -> LayerID { LayerID(rawValue: UInt64(100 + index)) }

  private func place(of index: Int, at frame: Int) -> Point {
    let (column, row) = (Double(index % columns) + 0.5, Double(index / columns) + 0.5)
    return Point(
      column * 1280 / Double(columns) + 0.17 + 0.3 * Double(frame % 7), row * 720 / Double(columns) + 0.13)
  }

  /// The commit of the next frame, in which so many portals move.
  mutating func nextCommit(moving: Int) -> Commit {
    frame += 1
    var changes: [Change] = []
    changes.reserveCapacity(moving)
    let first = moving < count ? count / 2 : 0
    for offset in 0..<moving {
      let index = (first + offset) % count
      changes.append(.set(Self.portal(index), .position(place(of: index, at: frame))))
    }
    return Commit(changes)
  }

  /// All stages of a frame but GL.
  mutating func draw(_ commit: Commit, clock: () -> UInt64) throws(BenchError) -> Times {
    var times = Times()
    var last = clock()
    func lap() -> Double {
      let now = clock()
      defer { last = now }
      return Double(now &- last)
    }
    do { try tree.apply(commit) } catch { throw BenchError(.scene, "the rig's commit was refused: \(error)") }
    times.apply = lap()
    tree.advance(to: Double(frame) / 60)
    times.animate = lap()
    let snapshot = tree.snapshot(root: Self.root)
    times.resolve = lap()
    let plan = planner.plan(snapshot, size: Self.size, scale: 1, background: .clear)
    times.counters = plan.counters
    times.plan = lap()
    return times
  }
}

import Commit
import Geometry
import Porthole

/// What the frames of all suites do, counted: exact, so that a change of it is a change of the engine and not of the machine.
public struct CounterLedger {
  private let scene: BenchScene
  private let shape = OutputShape()

  /// Opens the scenes of a folder.
  public init(scenes folder: String) throws(BenchError) { scene = try BenchScene(folder: folder) }

  /// A line for each counter of each point: the fourth frame of a scene that moves, in the order of the text.
  public func lines(of suites: [FeatureSuite] = FeatureSuite.allCases) throws(BenchError) -> [String] {
    var lines: [String] = []
    for key in suites.flatMap(\.keys) { lines += try self.lines(of: key) }
    return lines.sorted()
  }

  /// As `lines(of:)`, of one point.
  func lines(of key: FeatureKey) throws(BenchError) -> [String] {
    let contender = try SceneContender(try FeatureScene.make(key, scene: scene, size: shape.size), shape: shape)
    var count = FrameCount(passes: 0, batches: 0, quads: 0, layersVisited: 0, shadedPixels: 0)
    for frame in 0..<4 { count = try contender.draw(frame: frame).count }
    return count.named.map { "\(key.id) \($0) \($1)" }
  }

  /// In what two ledgers differ, a line each; empty where they don't.
  public static func differences(_ lines: [String], from baseline: [String]) -> [String] {
    func table(_ lines: [String]) -> [String: String] {
      var table: [String: String] = [:]
      for line in lines where !line.isEmpty && !line.hasPrefix("#") {
        let parts = line.split(separator: " ")
        guard parts.count == 3 else { continue }
        table["\(parts[0]) \(parts[1])"] = String(parts[2])
      }
      return table
    }
    let (new, old) = (table(lines), table(baseline))
    return Set(new.keys).union(old.keys).sorted().compactMap { name in
      guard new[name] != old[name] else { return nil }
      return "\(name): \(old[name] ?? "not there") in the baseline, \(new[name] ?? "not there") now"
    }
  }
}

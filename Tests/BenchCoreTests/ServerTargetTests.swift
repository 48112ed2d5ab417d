import BenchCore
import Foundation
import Geometry
import Porthole
import Testing

@Suite("the scaling benchmark on a render server")
struct ServerTargetTests {
  private static let scenes = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "bench/scenes").path

  @Test(
    "a client sends the same for a frame whatever the number of portals, and the pictures are those of this process")
  func sent() throws {
    let portholed = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
      .appending(path: "portholed").path
    let shape = OutputShape(width: 320, height: 180)
    let served = try LibraryStage(scenes: Self.scenes, shape: shape, server: ScaleOptions.Server(program: portholed))
    defer { served.close() }
    let embedded = try LibraryStage(scenes: Self.scenes, shape: shape)
    defer { embedded.close() }
    var costs: [[UInt64]] = []
    for n in [1, 64, 1024] {
      let key = CellKey(suite: .portalGrid, strategy: .portal, n: n)
      let there = try #require(try served.contender(key) as? PortalContender)
      let here = try embedded.contender(key)
      for frame in 0..<3 { _ = try there.draw(frame: frame) }
      let before = try #require(there.sent)
      for frame in 3..<13 { _ = try there.draw(frame: frame) }
      let after = try #require(there.sent)
      costs.append([
        after.commits - before.commits, after.records - before.records, after.requests - before.requests,
        after.bytesOfPictures - before.bytesOfPictures,
      ])
      #expect(try there.picture(frame: 20).pixels == here.picture(frame: 20).pixels)
      #expect(try there.draw(frame: 21).count.quads >= n)
    }
    // Ten frames: ten commits of a position and a transform.
    #expect(costs == [[UInt64]](repeating: [10, 20, 10, 0], count: 3))
  }
}

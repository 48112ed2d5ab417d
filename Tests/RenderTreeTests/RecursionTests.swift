import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Portals that would show themselves")
struct RecursionTests {
  /// How many levels a portal shows when it is followed into its own source again and again.
  private func levels(_ recursion: PortalRecursion) throws -> Int {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 50, 50, [], [.portal(3, of: 2, x: 5, y: 5, 40, 40, [.recursion(recursion)])])
        ]))
    let snapshot = tree.snapshot(root: 1)
    let index = try #require(snapshot.node(3)).portal
    var context = RecursionContext.outside
    for level in 0..<1000 {
      guard case .content(let next) = snapshot.entry(of: index, in: context) else { return level }
      context = next
    }
    return 1000
  }

  @Test("none shows one level, depth(n) shows n, and no number asks for more than is bounded")
  func depth() throws {
    #expect(try levels(.none) == 1)
    #expect(try levels(.depth(1)) == 1)
    #expect(try levels(.depth(5)) == 5)
    #expect(try levels(.depth(1_000_000_000)) == 64)
  }

  @Test("the second level of previousFrame is the frame before")
  func previousFrame() throws {
    var tree = try RenderTree(
      .box(2, x: 0, y: 0, 50, 50, [], [.portal(3, of: 2, x: 5, y: 5, 40, 40, [.recursion(.previousFrame)])]))
    let snapshot = tree.snapshot(root: 2)
    let index = try #require(snapshot.node(3)).portal
    guard case .content(let inner) = snapshot.entry(of: index, in: .outside) else {
      Issue.record("the first level is content")
      return
    }
    #expect(snapshot.entry(of: index, in: inner) == .previousFrame)
  }

  @Test("one that is no loop is never in one, however it nests")
  func chain() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 9, 9), .box(3, x: 0, y: 0, 9, 9, [], [.portal(4, of: 2, x: 0, y: 0, 9, 9)]),
          .portal(5, of: 3, x: 0, y: 0, 9, 9), .portal(6, of: 5, x: 0, y: 0, 9, 9),
        ]))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.portals.allSatisfy { !$0.isRecursive })
    #expect(snapshot.diagnostics.isEmpty)
  }

  @Test("itself, an ancestor, a mutual pair and an empty source end, with one diagnostic a loop")
  func loopsOfEveryKind() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .portal(2, of: 2, x: 0, y: 0, 9, 9), .portal(3, of: 1, x: 0, y: 0, 9, 9),
          .box(4, x: 0, y: 0, 9, 9, [], [.portal(5, of: 6, x: 0, y: 0, 9, 9)]),
          .box(6, x: 0, y: 0, 9, 9, [], [.portal(7, of: 4, x: 0, y: 0, 9, 9)]),
          .box(8, x: 0, y: 0, 0, 0), .portal(9, of: 8, x: 0, y: 0, 9, 9),
        ]))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.diagnostics.count == 3)
    #expect(snapshot.portal(9)?.isRecursive == false)
    // A walk from the root through every portal that goes on comes to an end.
    var visited = 0
    func walk(_ node: Int32, _ context: RecursionContext) {
      visited += 1
      guard visited < 10_000 else { return }
      for index in snapshot.portalRange(within: node) {
        if case .content(let inner) = snapshot.entry(of: Int32(index), in: context) {
          walk(snapshot.portals[index].source, inner)
        }
      }
    }
    walk(0, .outside)
    #expect(visited < 1000)
  }

  @Test("a thousand portals of their own ancestor are bounded in copies and memory")
  func manyPortalsOfTheRoot() throws {
    let portals = (0..<1000).map {
      TestLayer.portal(UInt64(10 + $0), of: 1, x: 0, y: 0, 9, 9, [.recursion(.depth(50))])
    }
    var tree = try RenderTree(.box(1, x: 0, y: 0, 100, 100, [], portals))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.diagnostics.contains { $0.contains("copies") })
  }

  @Test("loops that share portals with what is outside them begin anew there")
  func loopBehindALoop() throws {
    // 2 shows itself and also 4, which shows itself.
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 9, 9, [], [.portal(3, of: 2, x: 0, y: 0, 9, 9), .portal(6, of: 4, x: 0, y: 0, 9, 9)]),
          .box(4, x: 0, y: 0, 9, 9, [], [.portal(5, of: 4, x: 0, y: 0, 9, 9)]),
        ]))
    let snapshot = tree.snapshot(root: 1)
    let outer = try #require(snapshot.node(3)).portal
    let inner = try #require(snapshot.node(6)).portal
    guard case .content(let first) = snapshot.entry(of: outer, in: .outside) else {
      Issue.record("the first level shows")
      return
    }
    #expect(snapshot.entry(of: outer, in: first) == .nothing)
    #expect(snapshot.entry(of: inner, in: first) != .nothing)
  }
}

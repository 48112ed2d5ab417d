import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("When a source's content changes")
struct ContentVersionTests {
  private func version(
    _ layer: UInt64, after change: (inout RenderTree) throws -> Void
  ) throws -> (before: UInt64, after: UInt64) {
    var tree = try RenderTree(roots: [
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 50, 50, [], [.box(3, x: 0, y: 0, 9, 9, [], [.box(4, x: 0, y: 0, 5, 5)])]),
          .box(5, x: 0, y: 0, 50, 50, [], [.portal(6, of: 2, x: 0, y: 0, 9, 9)]),
        ])
    ])
    let before = try #require(tree.contentVersion(of: LayerID(rawValue: layer)))
    try change(&tree)
    return (before, try #require(tree.contentVersion(of: LayerID(rawValue: layer))))
  }

  @Test("a grandchild's transform changes it")
  func grandchild() throws {
    let (before, after) = try version(2) { try $0.set(4, .transform(.scale(x: 2, y: 2))) }
    #expect(after > before)
  }

  @Test("the source's own place and opacity do not")
  func ownPlace() throws {
    let (before, after) = try version(2) { try $0.set(2, .position(Point(70, 70)), .opacity(0.5)) }
    #expect(after == before)
  }

  @Test("what a portal in it shows changes it")
  func throughAPortal() throws {
    let (before, after) = try version(5) { try $0.set(4, .backgroundColor(.white)) }
    #expect(after > before)
  }

  @Test("a change elsewhere does not")
  func elsewhere() throws {
    let (before, after) = try version(2) { try $0.set(5, .backgroundColor(.white)) }
    #expect(after == before)
  }
}

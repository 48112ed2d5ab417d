import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Layers in which something reads what lies behind are marked, up to the group that it reads")
struct ReaderTests {
  /// The marked layers of a chain 1 ⊃ 2 ⊃ 3 ⊃ 4 with these properties of 3, where 4 reads.
  private func marked(_ reader: TestLayer, _ properties: [PropertyChange] = []) throws -> Set<UInt64> {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 90, 90, [], [.box(3, x: 0, y: 0, 80, 80, properties, [reader])]),
          .box(9, x: 0, y: 0, 9, 9),
        ]))
    return Self.marked(tree.snapshot(root: 1))
  }

  private static func marked(_ snapshot: Snapshot) -> Set<UInt64> {
    Set(snapshot.nodes.filter { $0.flags.contains(.readsBehind) }.map(\.layer.rawValue))
  }

  private let blending = TestLayer.box(4, x: 0, y: 0, 10, 10, [.blendMode(.multiply)])
  private var backdrop: TestLayer { TestLayer(4, .backdrop, [.bounds(Rect(x: 0, y: 0, width: 10, height: 10))]) }

  @Test("plain layers and clips are read through, and nothing is marked where nothing reads")
  func plain() throws {
    for reader in [blending, backdrop] {
      #expect(try marked(reader) == [1, 2, 3, 4])
      #expect(try marked(reader, [.masksToBounds(true), .cornerRadius(9)]) == [1, 2, 3, 4])
      #expect(try marked(reader, [.opacity(0.5), .allowsGroupOpacity(false)]) == [1, 2, 3, 4])
    }
    #expect(try marked(.box(4, x: 0, y: 0, 10, 10, [.opacity(0.5), .filters([.invert(1)])])).isEmpty)
    #expect(try marked(.box(4, x: 0, y: 0, 10, 10, [.blendMode(.normal), .backdropFilters([.invert(1)])])).isEmpty)
  }

  @Test("a group is the last that is marked")
  func groups() throws {
    for reader in [blending, backdrop] {
      for property in [
        PropertyChange.opacity(0.5), .filters([.invert(1)]), .shadow(Shadow()), .blendMode(.screen),
        .lens(Lens(subject: .content)),
      ] {
        let wanted: Set<UInt64> = if case .blendMode = property { [1, 2, 3, 4] } else { [3, 4] }
        #expect(try marked(reader, [property]) == wanted, "\(property)")
      }
      // Its own group does not hide what lies behind it.
      var grouped = reader
      grouped.properties.append(.opacity(0.5))
      #expect(try marked(grouped) == [1, 2, 3, 4])
    }
  }

  @Test("a portal is read through only where it is open to what lies behind it")
  func portals() throws {
    let source = TestLayer.box(5, x: 0, y: 0, 50, 50, [], [blending])
    for isOpen in [false, true] {
      var tree = try RenderTree(
        .box(
          1, x: 0, y: 0, 100, 100, [],
          [.box(2, x: 0, y: 0, 90, 90, [], [.portal(3, of: 5, x: 0, y: 0, 50, 50, [.allowsBackdropGroups(isOpen)])])]),
        source)
      #expect(Self.marked(tree.snapshot(root: 1)) == (isOpen ? [1, 2, 3, 4, 5] : [4, 5]))
    }
  }

  @Test("backdrops know their group by a number, in every tree of a frame the same")
  func numbers() throws {
    func backdrop(_ id: UInt64, _ group: String?) -> TestLayer {
      TestLayer(id, .backdrop, [.bounds(Rect(x: 0, y: 0, width: 10, height: 10)), .backdropGroup(group)])
    }
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [backdrop(2, "a"), backdrop(3, nil), backdrop(4, "b"), .portal(5, of: 6, x: 0, y: 0, 50, 50)]),
      .box(6, x: 0, y: 0, 50, 50, [], [backdrop(7, "a")]))
    let snapshot = tree.snapshot(root: 1)
    func number(_ layer: UInt64) -> Int32? {
      snapshot.node(layer).flatMap { $0.backdrop >= 0 ? snapshot.backdrops[Int($0.backdrop)].group : nil }
    }
    #expect(number(3) == -1 && number(2) == number(7) && number(2) != number(4))
    #expect((number(2) ?? -1) >= 0 && (number(4) ?? -1) >= 0)
  }
}

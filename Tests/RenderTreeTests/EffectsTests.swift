import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Effects of a layer")
struct EffectsTests {
  @Test(
    "bad filters are refused with the layer and the property",
    arguments: [
      (Filter.gaussianBlur(radius: -1), CommitError.Code.outOfRange), (.gaussianBlur(radius: .nan), .notFinite),
      (.invert(-0.1), .outOfRange), (.saturate(.infinity), .notFinite), (.hueRotate(degrees: .nan), .notFinite),
      (.brightness(1e300), .notFinite),
      (
        .colorMatrix(ColorMatrix(red: .zero, green: .zero, blue: .zero, alpha: SIMD4(repeating: .nan))), .notFinite
      ),
    ])
  func refused(_ filter: Filter, _ code: CommitError.Code) throws {
    var tree = try RenderTree(TestLayer(1))
    let error = #expect(throws: CommitError.self) { try tree.set(1, .filters([.sepia(1), filter])) }
    #expect(error?.code == code && error?.layer == LayerID(rawValue: 1) && error?.property == "filters")
    #expect(tree.snapshot(root: 1).nodes[0].effects == -1)
  }

  @Test("filters that change nothing are none")
  func identities() throws {
    var tree = try RenderTree(TestLayer(1))
    try tree.set(
      1,
      .filters([
        .gaussianBlur(radius: 0), .brightness(1), .contrast(1), .saturate(1), .grayscale(0), .invert(0), .sepia(0),
        .hueRotate(degrees: 0), .opacity(1), .opacity(2), .colorMatrix(.identity),
      ]))
    #expect(tree.snapshot(root: 1).nodes[0].effects == -1)
    try tree.set(1, .filters([.brightness(1), .invert(1)]))
    #expect(tree.snapshot(root: 1).effects.map(\.filters) == [[.invert(1)]])
    try tree.set(1, .filters([]))
    #expect(tree.snapshot(root: 1).effects.isEmpty)
  }

  @Test("a released layer takes its effects with it")
  func released() throws {
    var tree = try RenderTree(TestLayer(1, .layer, [], [TestLayer(2, .layer, [.filters([.invert(1)])])]))
    try tree.apply(Commit([.release(LayerID(rawValue: 2)), .create(LayerID(rawValue: 3), .layer)]))
    #expect(tree.snapshot(root: 3).effects.isEmpty && tree.invariantViolations() == [])
  }

  @Test("a filter is part of what a portal of the layer shows, so it changes the content's version")
  func version() throws {
    var tree = try RenderTree(TestLayer(1))
    let before = tree.contentVersion(of: LayerID(rawValue: 1))
    try tree.set(1, .filters([.invert(1)]))
    #expect(tree.contentVersion(of: LayerID(rawValue: 1)) != before)
  }
}

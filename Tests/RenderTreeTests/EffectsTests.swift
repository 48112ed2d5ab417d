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

  @Test("bad shadows are refused, and those that don't show are none")
  func shadows() throws {
    var tree = try RenderTree(TestLayer(1))
    for (shadow, code) in [
      (Shadow(radius: -1), CommitError.Code.outOfRange), (Shadow(opacity: .nan), .notFinite),
      (Shadow(offset: Point(.infinity, 0)), .notFinite),
      (Shadow(path: .init(rect: Rect(x: 0, y: 0, width: 1, height: 1), radius: -1)), .outOfRange),
    ] {
      let error = #expect(throws: CommitError.self) { try tree.set(1, .shadow(shadow)) }
      #expect(error?.code == code && error?.property == "shadow")
    }
    try tree.set(1, .shadow(Shadow(opacity: 0)))
    #expect(tree.snapshot(root: 1).effects.isEmpty)
    try tree.set(1, .shadow(Shadow()))
    #expect(tree.snapshot(root: 1).effects.map(\.shadow) == [Shadow()])
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

  @Test("a mask leaves where it was, and a layer can't mask itself, what holds it, or what masks it")
  func masks() throws {
    var tree = try RenderTree(roots: [
      TestLayer(1, .layer, [], [TestLayer(2, .layer, [], [TestLayer(3)])]), TestLayer(4, .layer, [], [TestLayer(5)]),
    ])
    func set(_ layer: UInt64, _ mask: UInt64?) throws { try tree.set(layer, .mask(mask.map { LayerID(rawValue: $0) })) }
    try set(3, 4)
    #expect(tree.snapshot(root: 1).nodes.map(\.layer.rawValue) == [1, 2, 3, 4, 5])
    for (layer, mask) in [(UInt64(3), UInt64(3)), (3, 1), (5, 4), (5, 1), (4, 2)] {
      let error = #expect(throws: CommitError.self) { try set(layer, mask) }
      #expect(error?.code == .cycle && error?.layer == LayerID(rawValue: layer) && error?.property == "mask")
    }
    let error = #expect(throws: CommitError.self) { try set(3, 99) }
    #expect(error?.code == .unknownLayer)
    // Into the mask of what it holds.
    #expect(throws: CommitError.self) {
      try tree.apply(Commit([.insert(LayerID(rawValue: 1), into: LayerID(rawValue: 5), at: 0)]))
    }
    #expect(tree.snapshot(root: 1).effects.map(\.mask) == [3])
    // Another layer's mask, then a sublayer: it is at one place.
    try set(2, 4)
    #expect(tree.snapshot(root: 1).effects.map(\.node) == [1])
    try tree.apply(Commit([.insert(LayerID(rawValue: 4), into: LayerID(rawValue: 3), at: 0)]))
    #expect(tree.snapshot(root: 1).effects.isEmpty && tree.invariantViolations() == [])
    try set(2, 3)
    try tree.apply(Commit([.release(LayerID(rawValue: 3))]))
    #expect(tree.snapshot(root: 1).effects.isEmpty && tree.invariantViolations() == [])
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

import Commit
import Geometry
import ReferenceRenderer
import RenderTree
import Testing

@Suite("What is deep, huge or empty")
struct LimitTests {
  @Test("ten thousand nested layers are drawn, whatever groups and clips they make")
  func deep() throws {
    let kinds: [[PropertyChange]] = [
      [], [.masksToBounds(true), .cornerRadius(0.5)], [.opacity(0.99999), .backgroundColor(.blue)],
    ]
    var stage = try Stage(8, 6)
    var changes: [Change] = []
    var parent = Stage.root
    for number in 2...10_001 {
      let id = LayerID(rawValue: UInt64(number))
      changes += [.create(id, .layer), .set(id, .anchorPoint(.zero)), .set(id, .bounds(Rect(0, 0, 8, 6)))]
      changes += kinds[number % 3].map { .set(id, $0) }
      changes.append(.insert(id, into: parent, at: 0))
      parent = id
    }
    changes.append(.set(parent, .backgroundColor(.red)))
    try stage.tree.apply(Commit(changes))
    #expect(stage.draw()[4, 3][0] > 200)
  }

  @Test("portals that double with each level come to an end")
  func doubling() throws {
    var stage = try Stage(8, 8)
    var source = try stage.add(to: nil, frame: Rect(0, 0, 1, 1))
    for _ in 0..<40 {
      let next = try stage.add(to: nil, frame: Rect(0, 0, 1, 1))
      for _ in 0..<2 { try stage.add(.portal, to: next, frame: Rect(0, 0, 1, 1), .sourceLayer(source)) }
      source = next
    }
    try stage.add(.portal, frame: Rect(0, 0, 1, 1), .sourceLayer(source))
    try stage.add(frame: Rect(0, 0, 8, 8), .backgroundColor(.red))
    #expect(stage.draw().bytes.count == 256)
  }

  @Test("a layer 10⁹ points wide draws what is visible of it")
  func huge() throws {
    var stage = try Stage(20, 20)
    let layer = try stage.add(
      frame: Rect(-5e8, -5e8, 1e9, 5e8 + 10), .backgroundColor(.red), .masksToBounds(true), .cornerRadius(1e8))
    try stage.add(to: layer, frame: Rect(0, 0, 1e9, 1e9), .backgroundColor(.blue))
    let got = stage.draw()
    #expect(got.area == 200)
    #expect(got[3, 9] == [0, 0, 255, 255])
  }

  @Test("nothing is drawn without a root, without a size or at no scale")
  func nothing() throws {
    var stage = try Stage(4, 4)
    try stage.add(frame: Rect(0, 0, 4, 4), .backgroundColor(.red))
    let white = PremultipliedColor(red: 1, green: 1, blue: 1, alpha: 1)
    var renderer = ReferenceRenderer()
    let size = PixelSize(width: 2, height: 1)
    let blank = [UInt8](repeating: 255, count: 8)
    let snapshot = stage.tree.snapshot(root: Stage.root)
    #expect(renderer.draw(stage.tree.snapshot(root: nil), size: size, scale: 1, background: white) == blank)
    #expect(renderer.draw(snapshot, size: size, scale: .nan, background: white) == blank)
    #expect(renderer.draw(snapshot, size: size, scale: 0, background: white) == blank)
    #expect(renderer.draw(snapshot, size: PixelSize(width: 0, height: 5), scale: 1, background: white).isEmpty)
    #expect(renderer.draw(snapshot, size: PixelSize(width: .max, height: 2), scale: 1, background: white).isEmpty)
    #expect(renderer.draw(snapshot, size: size, scale: 1, background: white) == [255, 0, 0, 255, 255, 0, 0, 255])
  }

  @Test("layers of no size, and planes seen edge on, draw nothing")
  func collapsed() throws {
    var stage = try Stage(20, 20)
    try stage.add(frame: Rect(3, 3, 0, 5), .backgroundColor(.red), .borderWidth(2))
    try stage.add(frame: Rect(3, 3, 5, 5), .backgroundColor(.red), .transform(.scale(x: 0, y: 1)))
    try stage.add(
      frame: Rect(3, 3, 5, 5), .backgroundColor(.red), .transform(.rotation(angle: .pi / 2, x: 0, y: 1, z: 0)))
    #expect(stage.draw().area == 0)
    let empty = try stage.add(frame: Rect(3, 3, 0, 0), .masksToBounds(true))
    let child = try stage.add(to: empty, frame: Rect(0, 0, 5, 5), .backgroundColor(.red))
    #expect(stage.draw().area == 0)
    try stage.set(empty, .masksToBounds(false))
    #expect(stage.draw().area == 25)
    #expect(stage.draw(only: child).area == 25)
  }
}

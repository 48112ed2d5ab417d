import Commit
import Geometry
import Porthole
import Testing

@Suite("What a frame commits")
struct CommitTests {
  @Test("one changed property among a thousand layers is one change, and none is none")
  func oneChange() throws {
    let rig = try Rig()
    let layers = (0..<1000).map { _ in rig.add(0, 0, 1, 1) }
    // Three creations' worth each: the layer, its place, and the properties that differ from the defaults.
    #expect(try rig.frame().changesCommitted > 3000)
    #expect(try rig.frame().changesCommitted == 0)
    layers[500].opacity = 0.5
    #expect(try rig.frame().changesCommitted == 1)
    #expect(try rig.frame().changesCommitted == 0)
  }

  @Test("a property set many times in a frame is one change, and set to what it was is none")
  func coalescing() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 1, 1)
    try rig.frame()
    for step in 0..<100 { layer.position = Point(Double(step), 0) }
    #expect(try rig.frame().changesCommitted == 1)
    layer.position = Point(99, 0)
    layer.isHidden = false
    #expect(try rig.frame().changesCommitted == 0)
  }

  @Test("a moved layer is one change")
  func move() throws {
    let rig = try Rig()
    let (a, b) = (rig.add(0, 0, 1, 1), rig.add(0, 0, 1, 1))
    try rig.frame()
    rig.root.insertSublayer(b, at: 0)
    #expect(try rig.frame().changesCommitted == 1)
    a.removeFromSuperlayer()
    #expect(try rig.frame().changesCommitted == 1)
    rig.root.addSublayer(a)
    #expect(try rig.frame().changesCommitted == 1)
  }

  @Test("a frame without a change is not drawn again, and gives the very same image")
  func unchanged() throws {
    let rig = try Rig()
    _ = rig.add(1, 1, 2, 2)
    let first = try rig.renderer.render(rig.root)
    #expect(try rig.frame().result == .unchanged)
    #expect(try rig.renderer.render(rig.root) === first)
    rig.renderer.scale = 2
    #expect(try rig.renderer.render(rig.root).width == 16)
  }

  @Test("the order of siblings is kept when a whole tree comes in at once")
  func order() throws {
    let rig = try Rig(width: 1, height: 1)
    let group = Layer()
    group.frame = Rect(x: 0, y: 0, width: 1, height: 1)
    for color in [Color(red: 1, green: 0, blue: 0), Color(red: 0, green: 1, blue: 0), Color(red: 0, green: 0, blue: 1)]
    {
      let layer = Layer()
      layer.frame = group.bounds
      layer.backgroundColor = color
      group.addSublayer(layer)
    }
    rig.root.addSublayer(group)
    #expect(try rig.renderer.render(rig.root)[0, 0] == [0, 0, 255, 255])
    group.sublayers[2].removeFromSuperlayer()
    #expect(try rig.renderer.render(rig.root)[0, 0] == [0, 255, 0, 255])
  }

  @Test("a refused frame changes nothing, says which layer, and is made good by the next")
  func refusal() throws {
    let rig = try Rig(width: 1, height: 1)
    let layer = rig.add(0, 0, 1, 1, .black)
    layer.name = "culprit"
    let before = try rig.renderer.render(rig.root)
    layer.position.x = .nan
    layer.backgroundColor = .white
    let error = try #require(throws: OffscreenError.self) { try rig.frame() }
    #expect(error.code == .invalidLayer)
    #expect(error.description.contains("culprit") && error.description.contains("position"))
    #expect(before[0, 0] == [0, 0, 0, 255])
    layer.position.x = 0.5
    #expect(try rig.frame().changesCommitted == 2)
    #expect(try rig.renderer.render(rig.root)[0, 0] == [255, 255, 255, 255])
  }

  @Test("two renderers show one tree, each told of every change once")
  func twoRenderers() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 8, 8, .black)
    let other = try OffscreenRenderer(size: Size(width: 8, height: 8), backend: .reference)
    try rig.frame()
    try other.update(rig.root)
    layer.backgroundColor = .white
    #expect(try rig.frame().changesCommitted == 1)
    #expect(try rig.frame().changesCommitted == 0)
    #expect(try other.update(rig.root).changesCommitted == 1)
    #expect(try other.render(rig.root).pixels == rig.renderer.render(rig.root).pixels)
    other.close()
    layer.backgroundColor = .black
    #expect(try rig.frame().changesCommitted == 1)
    #expect(throws: OffscreenError.self) { try other.update(rig.root) }
  }
}

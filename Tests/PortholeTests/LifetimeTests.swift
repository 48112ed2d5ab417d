import Commit
import Geometry
import Porthole
import Testing

@Suite("How long layers live")
struct LifetimeTests {
  @Test("10,000 portals created and destroyed leave the render tree's count where it was")
  func portalsAreReleased() throws {
    let rig = try Rig()
    let source = rig.add(0, 0, 2, 2)
    try rig.frame()
    let count = rig.renderer.layerCount
    for round in 0..<10 {
      var portals = (0..<1000).map { _ in rig.portal(of: source, 4, 4, 2, 2) }
      if round == 0 {
        try rig.frame()
        #expect(rig.renderer.layerCount == count + 1000)
      }
      for portal in portals { portal.removeFromSuperlayer() }
      portals = []
    }
    try rig.frame()
    #expect(rig.renderer.layerCount == count)
  }

  @Test("a freed layer takes its sublayers along, but not those that someone else holds")
  func subtrees() throws {
    let rig = try Rig()
    let kept = Layer()
    do {
      let group = rig.add(0, 0, 4, 4)
      for _ in 0..<5 { group.addSublayer(Layer()) }
      group.addSublayer(kept)
      try rig.frame()
      #expect(rig.renderer.layerCount == 8)
      group.removeFromSuperlayer()
    }
    #expect(kept.superlayer == nil)
    try rig.frame()
    #expect(rig.renderer.layerCount == 2)
    rig.root.addSublayer(kept)
    #expect(try rig.frame().changesCommitted == 1)
  }

  @Test("a source that stands in no tree comes in through its portal")
  func looseSource() throws {
    let rig = try Rig()
    let source = Layer()
    source.bounds = Rect(x: 0, y: 0, width: 8, height: 8)
    source.backgroundColor = .white
    let portal = rig.portal(of: source, 0, 0, 8, 8)
    #expect(try rig.renderer.render(rig.root)[4, 4] == [255, 255, 255, 255])
    #expect(rig.renderer.layerCount == 3)
    source.backgroundColor = .black
    #expect(try rig.frame().changesCommitted == 1)
    #expect(try rig.renderer.render(rig.root)[4, 4] == [0, 0, 0, 255])
    let other = Layer()
    other.bounds = source.bounds
    other.backgroundColor = Color(red: 1, green: 0, blue: 0)
    portal.sourceLayer = other
    #expect(try rig.renderer.render(rig.root)[4, 4] == [255, 0, 0, 255])
  }

  @Test("a weak source that is freed leaves its portal empty from the next frame")
  func weakSource() throws {
    let rig = try Rig()
    let portal = rig.portal(of: nil, 0, 0, 8, 8)
    do {
      let source = Layer()
      source.bounds = Rect(x: 0, y: 0, width: 8, height: 8)
      source.backgroundColor = .white
      portal.sourceLayer = source
      #expect(try rig.renderer.render(rig.root)[4, 4] == [255, 255, 255, 255])
    }
    #expect(portal.sourceLayer == nil)
    #expect(try rig.renderer.render(rig.root)[4, 4] == [0, 0, 0, 0])
    #expect(rig.renderer.layerCount == 2)
  }

  @Test("a retained source lives as long as its portal retains it")
  func retainedSource() throws {
    let rig = try Rig()
    let portal = rig.portal(of: nil, 0, 0, 8, 8)
    portal.sourceLifetime = .retained
    do {
      let source = Layer()
      source.bounds = Rect(x: 0, y: 0, width: 8, height: 8)
      source.backgroundColor = .white
      portal.sourceLayer = source
    }
    #expect(try rig.renderer.render(rig.root)[4, 4] == [255, 255, 255, 255])
    #expect(rig.renderer.layerCount == 3)
    portal.sourceLifetime = .weak
    #expect(portal.sourceLayer == nil)
    #expect(try rig.renderer.render(rig.root)[4, 4] == [0, 0, 0, 0])
    #expect(rig.renderer.layerCount == 2)
  }

  @Test("trees and chains of retained portals 20,000 deep are freed without running out of stack")
  func deepTrees() throws {
    let rig = try Rig()
    do {
      var top = Layer()
      let chain = PortalLayer()
      var portal = chain
      for _ in 0..<20_000 {
        let parent = Layer()
        parent.addSublayer(top)
        top = parent
        let next = PortalLayer()
        portal.sourceLifetime = .retained
        portal.sourceLayer = next
        portal = next
      }
      _ = try rig.renderer.hitTest(.zero, in: top)
      _ = try rig.renderer.hitTest(.zero, in: chain)
      #expect(rig.renderer.layerCount == 40_002)
    }
    try rig.frame()
    #expect(rig.renderer.layerCount == 1)
  }

  @Test("a renderer lets go of its layers, and layers of a closed renderer")
  func closing() throws {
    let rig = try Rig()
    weak var watched: Layer?
    do {
      let layer = rig.add(0, 0, 1, 1)
      watched = layer
      try rig.frame()
      layer.removeFromSuperlayer()
    }
    #expect(watched == nil)
    rig.renderer.close()
    rig.renderer.close()
    rig.root.opacity = 0.5
    let error = try #require(throws: OffscreenError.self) { try rig.renderer.render(rig.root) }
    #expect(error.code == .closed)
  }
}

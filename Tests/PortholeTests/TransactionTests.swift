import Commit
import Geometry
import Porthole
import Testing

@Suite("Transactions")
struct TransactionTests {
  @Test("outside of a transaction a property is at once what it is set to")
  func outside() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    try rig.frame()
    layer.position = Point(5, 5)
    try rig.frame()
    #expect(rig.renderer.presentation(of: layer)?.position == Point(5, 5))
    #expect(layer.animationKeys.isEmpty && rig.renderer.nextWake == nil)
  }

  @Test("inside, it moves there from what is shown, in a quarter of a second")
  func implicit() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    try rig.frame()
    try Transaction.animate(function: .linear) {
      layer.position = Point(5, 1)
      #expect(layer.animationKeys == ["position"])
      try rig.renderer.update(rig.root, at: 10)
    }
    func shown(at time: Double) throws -> Point? {
      try rig.renderer.update(rig.root, at: time)
      return rig.renderer.presentation(of: layer)?.position
    }
    #expect(try shown(at: 10) == Point(1, 1))
    #expect(try shown(at: 10.125) == Point(3, 1))
    #expect(rig.renderer.nextWake == 10.125)
    #expect(layer.position == Point(5, 1))
    #expect(try shown(at: 10.25) == Point(5, 1))
    #expect(layer.animationKeys.isEmpty && rig.renderer.nextWake == nil)
  }

  @Test("what is set back on the way turns around where it is")
  func retarget() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    try rig.frame()
    Transaction.animate(duration: 1, function: .linear) { layer.position = Point(5, 1) }
    try rig.renderer.update(rig.root, at: 0)
    try rig.renderer.update(rig.root, at: 0.25)
    Transaction.animate(duration: 1, function: .linear) { layer.position = Point(0, 1) }
    try rig.renderer.update(rig.root, at: 0.25)
    #expect(rig.renderer.presentation(of: layer)?.position == Point(2, 1))
    try rig.renderer.update(rig.root, at: 0.75)
    #expect(rig.renderer.presentation(of: layer)?.position == Point(1, 1))
  }

  @Test("settings are inherited by what is inside, and end with it")
  func nesting() {
    #expect(Transaction.disablesActions)
    Transaction.begin()
    #expect(Transaction.animationDuration == 0.25 && !Transaction.disablesActions)
    Transaction.animationDuration = 2
    Transaction.withoutActions {
      #expect(Transaction.animationDuration == 2 && Transaction.disablesActions)
      Transaction.animate(duration: 3) { #expect(Transaction.animationDuration == 3 && !Transaction.disablesActions) }
      Transaction.timingFunction = .easeIn
    }
    #expect(!Transaction.disablesActions && Transaction.timingFunction == .default)
    Transaction.commit()
    #expect(Transaction.disablesActions)
    // One too many does nothing.
    Transaction.commit()
    Transaction.animationDuration = 9
    #expect(Transaction.animationDuration == 0.25)
  }

  @Test("actions can be disabled, and layers that nobody shows have none")
  func disabled() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    let loose = Layer()
    try rig.frame()
    Transaction.animate {
      Transaction.withoutActions { layer.position = Point(5, 5) }
      loose.position = Point(5, 5)
    }
    #expect(layer.animationKeys.isEmpty && loose.animationKeys.isEmpty)
  }

  @Test("its completion comes once, when the last animation has ended, and at once where there is none")
  func completion() throws {
    let rig = try Rig()
    let (a, b) = (rig.add(0, 0, 2, 2), rig.add(0, 0, 2, 2))
    try rig.frame()
    var calls: [String] = []
    Transaction.animate(completion: { calls.append("none") }, {})
    #expect(calls == ["none"])
    let (outer, inner) = ({ calls.append("outer") }, { calls.append("inner") })
    Transaction.animate(completion: outer) {
      Transaction.animate(duration: 1, completion: inner) { a.opacity = 0 }
      Transaction.animate(duration: 2) { b.opacity = 0 }
    }
    #expect(calls == ["none"])
    try rig.renderer.update(rig.root, at: 0)
    try rig.renderer.update(rig.root, at: 1)
    #expect(calls == ["none", "inner"])
    try rig.renderer.update(rig.root, at: 1.5)
    b.removeAllAnimations()
    #expect(calls == ["none", "inner", "outer"])
    try rig.renderer.update(rig.root, at: 5)
    #expect(calls.count == 3)
  }

  @Test("a spring moves what is set, and shadows and gradients as wholes")
  func springs() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    try rig.frame()
    let spring = Spring(stiffness: 200, damping: 20)
    Transaction.animate(spring: spring) {
      layer.position = Point(5, 1)
      layer.shadow = Shadow(radius: 4, offset: Point(0, 2))
    }
    try rig.renderer.update(rig.root, at: 0)
    try rig.renderer.update(rig.root, at: 0.1)
    let left = spring.response(at: 0.1).distance
    let shown = try #require(rig.renderer.presentation(of: layer))
    #expect(abs(shown.position.x - (5 - 4 * left)) < 1e-12)
    #expect(abs((shown.shadow?.offset.y ?? 0) - 2 * (1 - left)) < 1e-9)
    try rig.renderer.update(rig.root, at: 20)
    #expect(rig.renderer.presentation(of: layer)?.shadow == layer.shadow && rig.renderer.nextWake == nil)
  }

  @Test("filters move where they are still what they were, and change at once where not")
  func filters() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    let backdrop = BackdropLayer()
    rig.root.addSublayer(backdrop)
    layer.filters = [.gaussianBlur(radius: 0), .brightness(1)]
    backdrop.backdropFilters = [.saturate(1)]
    try rig.frame()
    func shown(at time: Double) throws -> [Filter]? {
      try rig.renderer.update(rig.root, at: time)
      return rig.renderer.presentation(of: layer)?.filters
    }
    Transaction.animate(duration: 1, function: .linear) {
      layer.filters = [.gaussianBlur(radius: 8), .brightness(3)]
      backdrop.backdropFilters = [.saturate(2)]
    }
    #expect(try shown(at: 0) == [.gaussianBlur(radius: 0), .brightness(1)])
    #expect(try shown(at: 0.5) == [.gaussianBlur(radius: 4), .brightness(2)])
    #expect(try shown(at: 1) == [.gaussianBlur(radius: 8), .brightness(3)] && layer.animationKeys.isEmpty)
    #expect(backdrop.animationKeys.isEmpty)
    Transaction.animate(duration: 1) { layer.filters = [.brightness(1), .gaussianBlur(radius: 0)] }
    #expect(try shown(at: 1) == [.brightness(1), .gaussianBlur(radius: 0)] && layer.animationKeys.isEmpty)
    // What was there for no frame is no place to come from.
    layer.filters = [.sepia(0)]
    Transaction.animate(duration: 1) { layer.filters = [.sepia(1)] }
    #expect(try shown(at: 3) != nil)
    #expect(try shown(at: 4) == [.sepia(1)])
  }
}

import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Going somewhere else on the way")
struct RetargetTests {
  private func tree() throws -> RenderTree { try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.position(.zero)])) }

  /// What it moves with, by three frames of the past.
  private func velocity(_ tree: RenderTree, before time: Double) throws -> Point {
    var tree = tree
    let h = 1e-4
    let points = try [0, 1, 2].map { step -> Point in
      tree.advance(to: time - Double(step) * h)
      return try tree.position(of: 1)
    }
    func slope(_ a: Double, _ b: Double, _ c: Double) -> Double { (3 * a - 4 * b + c) / (2 * h) }
    return Point(slope(points[0].x, points[1].x, points[2].x), slope(points[0].y, points[1].y, points[2].y))
  }

  @Test("an animation without a beginning begins at what is shown, in the same frame")
  func position() throws {
    var tree = try tree()
    try tree.add(1, "position", .points(.zero, Point(100, 40)))
    tree.advance(to: 0.3)
    try tree.apply(
      Commit([
        .set(tree.id(1), .position(Point(-50, 7))),
        .addAnimation(
          tree.id(1), key: "position",
          Animation(
            PropertyAnimation(AnimationKeyPath(whole: .position), .points(nil, nil)),
            timing: AnimationTiming(duration: 1))),
      ]))
    #expect(try tree.position(of: 1) == Point(30, 12))
    tree.advance(to: 0.8)
    #expect(try tree.position(of: 1) == Point(-10, 9.5))
    tree.advance(to: 1.3)
    #expect(tree.snapshot(root: 1).nodes[0].local == .translation(x: -55, y: 2))
  }

  @Test("a spring also goes on with the speed that it finds", arguments: 0..<20)
  func velocity(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    var tree = try tree()
    let spring = Spring(mass: 1, stiffness: random.real(50...400), damping: random.real(5...40))
    func start(to goal: Point, _ timing: AnimationTiming = AnimationTiming(duration: 0)) throws {
      try tree.add(1, "position", .spring(.init(to: .point(goal)), spring), timing)
    }
    if seed % 2 == 0 {
      try tree.add(
        1, "position", .points(.zero, Point(300, 100)), AnimationTiming(duration: 1, function: .easeInEaseOut))
    } else {
      try start(to: Point(300, 100))
    }
    var time = 0.0
    // Interrupted again and again: neither its place nor its speed jumps.
    for _ in 0..<5 {
      time += random.real(0.05...0.2)
      tree.advance(to: time)
      let place = try tree.position(of: 1)
      let before = try velocity(tree, before: time)
      try start(to: Point(random.whole(-300...300), random.whole(-300...300)))
      #expect(try tree.position(of: 1) == place)
      let h = 1e-4
      var ahead = tree
      let points = try [0, 1, 2].map { step -> Point in
        ahead.advance(to: time + Double(step) * h)
        return try ahead.position(of: 1)
      }
      let after = Point(
        (-3 * points[0].x + 4 * points[1].x - points[2].x) / (2 * h),
        (-3 * points[0].y + 4 * points[1].y - points[2].y) / (2 * h))
      // By finite differences of 0.1 ms, of speeds of some thousand points a second.
      #expect(abs(after.x - before.x) < 0.05 && abs(after.y - before.y) < 0.05, "seed \(seed): \(before) \(after)")
    }
    // Until it settles.
    tree.advance(to: time + 100)
    #expect(tree.nextWake == nil)
  }

  @Test("a spring that is sent where it already is swings by its speed alone, as the closed form says")
  func impulse() throws {
    var tree = try tree()
    let spring = Spring(mass: 1, stiffness: 200, damping: 16)
    try tree.add(1, "position", .points(.zero, Point(100, 0)))
    tree.advance(to: 0.5)
    try tree.add(1, "position", .spring(.init(to: .point(Point(50, 0))), spring), AnimationTiming(duration: 0))
    for step in 1..<20 {
      let time = Double(step) / 50
      tree.advance(to: 0.5 + time)
      // A hundred points a second.
      #expect(abs(try tree.position(of: 1).x - 50 - 100 * spring.response(at: time).velocity) < 1e-6)
    }
  }

  @Test("a turning layer goes on turning")
  func turning() throws {
    var tree = try tree()
    try tree.add(
      1, "transform",
      .basic(.init(from: .transform(.identity), to: .transform(.rotation(angle: 2) * .translation(x: 10, y: 0)))))
    tree.advance(to: 0.5)
    let spring = Spring(mass: 1, stiffness: 100, damping: 20)
    try tree.add(
      1, "transform", .spring(.init(to: .transform(.rotation(angle: 1) * .translation(x: 5, y: 0))), spring),
      AnimationTiming(duration: 0))
    tree.advance(to: 0.6)
    for case .transform(let shown) in tree.presentation(of: tree.id(1)) ?? [] {
      let thrown = spring.response(at: 0.1).velocity
      let wanted = Transform3D.rotation(angle: 1 + 2 * thrown) * .translation(x: 5 + 10 * thrown, y: 0)
      #expect(zip(shown.elements, wanted.elements).allSatisfy { abs($0 - $1) < 1e-6 })
    }
  }

  @Test("additive ones make a new way out of the old one, with no jump")
  func additive() throws {
    var tree = try tree()
    func go(from old: Point, to new: Point, key: String) throws {
      try tree.apply(
        Commit([
          .set(tree.id(1), .position(new)),
          .addAnimation(
            tree.id(1), key: key,
            Animation(
              PropertyAnimation(AnimationKeyPath(whole: .position), .points(old - new, .zero), isAdditive: true),
              timing: AnimationTiming(duration: 1, function: .easeInEaseOut))),
        ]))
    }
    try go(from: .zero, to: Point(100, 0), key: "1")
    tree.advance(to: 0.4)
    let place = try tree.position(of: 1)
    try go(from: Point(100, 0), to: Point(0, 60), key: "2")
    let after = try tree.position(of: 1)
    #expect(abs(after.x - place.x) < 1e-12 && abs(after.y - place.y) < 1e-12)
    tree.advance(to: 2)
    #expect(tree.snapshot(root: 1).nodes[0].local == .translation(x: -5, y: 55))
  }

  @Test("by is a distance, from what is shown too")
  func by() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.zPosition(8)]))
    try tree.add(1, "zPosition", .basic(.init(by: .number(4))))
    tree.advance(to: 0.5)
    func z() -> Double? {
      for case .zPosition(let z) in tree.presentation(of: tree.id(1)) ?? [] { return z }
      return nil
    }
    #expect(z() == 10)
    try tree.add(1, "zPosition", .basic(.init(to: .number(20), by: .number(10))))
    #expect(z() == 10)
    try tree.add(1, "zPosition", .basic(.init(from: .number(1), by: .number(2))))
    tree.advance(to: 1)
    #expect(z() == 2)
  }
}

import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

/// What docs/semantics.md says of time where Core Animation's documents say nothing.
@Suite("Readings of time")
struct TimeReadingTests {
  private func number(_ tree: RenderTree) -> Double? {
    for case .zPosition(let z) in tree.presentation(of: tree.id(1)) ?? [] { return z }
    return nil
  }

  @Test("one that replaces by key comes last")
  func replacing() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10))
    try tree.add(1, "zPosition", .numbers(10, 10), key: "a")
    try tree.add(1, "zPosition", .numbers(20, 20), key: "b")
    #expect(number(tree) == 20)
    try tree.add(1, "zPosition", .numbers(30, 30), key: "a")
    #expect(number(tree) == 30)
    try tree.apply(Commit([.removeAnimation(tree.id(1), key: "a")]))
    #expect(number(tree) == 20)
  }

  @Test("without an end it goes to the layer's own value, whatever that is by then")
  func movingEnd() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.zPosition(100)]))
    try tree.add(1, "zPosition", .numbers(0, nil))
    tree.advance(to: 0.5)
    #expect(number(tree) == 50)
    try tree.apply(Commit([.set(tree.id(1), .zPosition(300))]))
    #expect(number(tree) == 150)
    tree.advance(to: 0.75)
    #expect(number(tree) == 225)
  }

  @Test("what a value cannot be is shown as the nearest that it can be")
  func clamped() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10))
    try tree.add(1, "opacity", .numbers(-1, 3))
    try tree.add(1, "cornerRadius", .numbers(-8, 8))
    try tree.add(1, "borderWidth", .numbers(-8, 8))
    try tree.add(1, "bounds.size.width", .numbers(-20, 20))
    func shown(_ time: Double) throws -> [Double] {
      tree.advance(to: time)
      var values: [Double] = [.nan, .nan, .nan, .nan]
      for change in try #require(tree.presentation(of: tree.id(1))) {
        switch change {
        case .opacity(let value): values[0] = Double(value)
        case .cornerRadius(let value): values[1] = value
        case .borderWidth(let value): values[2] = value
        case .bounds(let value): values[3] = value.width
        default: break
        }
      }
      return values
    }
    #expect(try shown(0.125) == [0, 0, 0, 0])
    #expect(try shown(0.5) == [1, 0, 0, 0])
    #expect(try shown(0.75) == [1, 4, 4, 10])
  }

  @Test("true and false change over at the half")
  func flags() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [], [.box(2, x: 0, y: 0, 5, 5)]))
    try tree.add(2, "isHidden", .basic(.init(from: .flag(true), to: .flag(false))))
    for (time, isShown) in [(0.0, false), (0.499, false), (0.501, true), (0.99, true)] {
      tree.advance(to: time)
      #expect(tree.snapshot(root: 1).nodes.first { $0.layer == tree.id(2) }?.isHidden == !isShown, "at \(time)")
    }
  }

  @Test("at its end an animation shows its last value, not its first again, there and back too")
  func lastValue() throws {
    for (timing, last) in [
      (AnimationTiming(duration: 1, repeatCount: 3), 8.0), (AnimationTiming(duration: 1, repeatCount: 2.5), 4),
      (AnimationTiming(duration: 1, repeatCount: 1, autoreverses: true), 0),
      (AnimationTiming(duration: 1, speed: -1, repeatCount: 2), 0),
    ] {
      var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.zPosition(99)]))
      var timing = timing
      (timing.fillMode, timing.isRemovedOnCompletion) = (.forwards, false)
      try tree.add(1, "zPosition", .numbers(0, 8), timing)
      tree.advance(to: 7)
      #expect(number(tree) == last, "\(timing)")
    }
  }

  @Test("on a smooth curve of transforms, what is moved bends and what is turned goes straight")
  func turnsOnACurve() throws {
    func frame(_ turn: Double, _ x: Double) -> AnimationValue {
      .transform(.rotation(angle: turn) * .translation(x: x, y: 0))
    }
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10))
    try tree.add(
      1, "transform",
      .keyframes(Keyframes([frame(0, 0), frame(1, 10), frame(0, 0)], calculationMode: .cubic)))
    tree.advance(to: 0.25)
    for case .transform(let shown) in tree.presentation(of: tree.id(1)) ?? [] {
      let wanted = Transform3D.rotation(angle: 0.5) * .translation(x: 5.625, y: 0)
      #expect(zip(shown.elements, wanted.elements).allSatisfy { abs($0 - $1) < 1e-12 }, "\(shown)")
    }
    #expect(tree.presentation(of: tree.id(1))?.isEmpty == false)
  }
}

import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("When animations run")
struct AnimationTimingTests {
  /// The x that a layer at 100 shows at each time, of an animation of `zPosition`-like numbers from 0 to 10.
  private func show(_ timing: AnimationTiming, at times: [Double]) throws -> [Double] {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.zPosition(100)]))
    try tree.add(1, "zPosition", .numbers(0, 10), timing)
    return times.map { time in
      tree.advance(to: time)
      let changes = tree.presentation(of: tree.id(1)) ?? []
      for case .zPosition(let z) in changes { return z }
      return 100
    }
  }

  @Test("from its beginning to its end, and then it is gone")
  func span() throws {
    let timing = AnimationTiming(beginTime: 2, duration: 4)
    #expect(try show(timing, at: [0, 1.9, 2, 3, 5, 5.5, 6, 9]) == [100, 100, 0, 2.5, 7.5, 8.75, 100, 100])
  }

  @Test("what fills shows its ends before and after")
  func fill() throws {
    var timing = AnimationTiming(beginTime: 2, duration: 4, fillMode: .both, isRemovedOnCompletion: false)
    #expect(try show(timing, at: [0, 3, 6, 99]) == [0, 2.5, 10, 10])
    timing.fillMode = .backwards
    #expect(try show(timing, at: [0, 3, 6, 99]) == [0, 2.5, 100, 100])
    timing.fillMode = .forwards
    #expect(try show(timing, at: [0, 3, 6, 99]) == [100, 2.5, 10, 10])
    timing.isRemovedOnCompletion = true
    #expect(try show(timing, at: [0, 3, 6, 99]) == [100, 2.5, 100, 100])
  }

  @Test("it is repeated, by parts of a run too, and for ever")
  func repetition() throws {
    var timing = AnimationTiming(
      duration: 2, repeatCount: 2.5, fillMode: .forwards, isRemovedOnCompletion: false)
    #expect(try show(timing, at: [1, 2, 3, 4, 4.5, 5, 7]) == [5, 0, 5, 0, 2.5, 5, 5])
    timing.repeatCount = 2
    #expect(try show(timing, at: [3, 4, 5]) == [5, 10, 10])
    timing.repeatCount = .infinity
    #expect(try show(timing, at: [3, 1001, 100_000.5]) == [5, 5, 2.5])
    timing.repeatDuration = 3
    #expect(try show(timing, at: [2.5, 3, 9]) == [2.5, 5, 5])
  }

  @Test("there and back")
  func autoreverses() throws {
    var timing = AnimationTiming(
      duration: 2, autoreverses: true, fillMode: .forwards, isRemovedOnCompletion: false)
    #expect(try show(timing, at: [1, 2, 3, 3.5, 4, 5]) == [5, 10, 5, 2.5, 0, 0])
    timing.repeatCount = 1.5
    #expect(try show(timing, at: [3, 4, 5, 6, 7]) == [5, 0, 5, 10, 10])
  }

  @Test("faster, slower, backwards, and not at all")
  func speed() throws {
    #expect(try show(AnimationTiming(duration: 2, speed: 2), at: [0.25, 0.5, 1]) == [2.5, 5, 100])
    #expect(try show(AnimationTiming(duration: 2, speed: 0.5), at: [1, 2, 3.9, 4]) == [2.5, 5, 9.75, 100])
    #expect(try show(AnimationTiming(duration: 2, speed: -1), at: [0, 0.5, 1.5, 2]) == [10, 7.5, 2.5, 100])
    #expect(try show(AnimationTiming(duration: 2, speed: 0, timeOffset: 0.5), at: [0, 9]) == [2.5, 2.5])
  }

  @Test("what a time offset leaves out comes at the end")
  func timeOffset() throws {
    #expect(try show(AnimationTiming(duration: 4, timeOffset: 1), at: [0, 2, 3, 3.5, 4]) == [2.5, 7.5, 0, 1.25, 100])
  }

  @Test("a duration of nothing is over at once")
  func instant() throws {
    #expect(try show(AnimationTiming(duration: 0), at: [0, 1]) == [100, 100])
    let filled = AnimationTiming(duration: 0, fillMode: .forwards, isRemovedOnCompletion: false)
    #expect(try show(filled, at: [0, 1]) == [10, 10])
  }

  @Test("a group's time is that of what is in it, and cuts it off")
  func groups() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.zPosition(100)]))
    let inner = Animation(
      PropertyAnimation(AnimationKeyPath(whole: .zPosition), .numbers(0, 10)),
      timing: AnimationTiming(beginTime: 1, duration: 4))
    let group = Animation(timing: AnimationTiming(beginTime: 10, duration: 3, speed: 2), content: .group([inner]))
    try tree.apply(Commit([.addAnimation(tree.id(1), key: "all", group)]))
    let shown = [10, 10.5, 11, 11.5].map { time -> Double in
      tree.advance(to: time)
      for case .zPosition(let z) in tree.presentation(of: tree.id(1)) ?? [] { return z }
      return 100
    }
    // A second of the tree's is two of the group's, of which the first passes before the inner one begins.
    #expect(shown == [100, 0, 2.5, 100])
  }

  @Test("it says when the next frame is due, and nothing when there is none")
  func wake() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10))
    #expect(tree.nextWake == nil && !tree.isAnimating)
    try tree.add(1, "zPosition", .numbers(0, 1), AnimationTiming(beginTime: 5, duration: 2))
    #expect(tree.nextWake == 5 && !tree.isAnimating)
    tree.advance(to: 4)
    #expect(tree.nextWake == 5 && !tree.isAnimating)
    tree.advance(to: 5.5)
    #expect(tree.nextWake == 5.5 && tree.isAnimating)
    tree.advance(to: 7)
    #expect(tree.nextWake == nil && !tree.isAnimating)
    // One that stands still, and one that stays at its end, need no frames.
    try tree.add(1, "opacity", .numbers(0, 1), AnimationTiming(duration: 1, speed: 0))
    try tree.add(
      1, "cornerRadius", .numbers(0, 1),
      AnimationTiming(duration: 1, fillMode: .forwards, isRemovedOnCompletion: false))
    tree.advance(to: 9)
    #expect(tree.nextWake == nil)
  }
}

import Commit
import Geometry
import Porthole
import Testing

@Suite("Transitions")
struct TransitionTests {
  private func stage() throws -> (rig: Rig, old: Layer, new: Layer) {
    let rig = try Rig()
    let old = rig.add(0, 0, 8, 8, Color(red: 1, green: 0, blue: 0))
    let new = Layer()
    new.frame = old.frame
    new.backgroundColor = Color(red: 0, green: 0, blue: 1)
    try rig.frame()
    return (rig, old, new)
  }

  private let red: [UInt8] = [255, 0, 0, 255]
  private let blue: [UInt8] = [0, 0, 255, 255]

  @Test("a fade has at each time so much of each, and the new layer alone at its end")
  func fade() throws {
    let (rig, old, new) = try stage()
    var ends = 0
    let isDone = rig.root.replaceSublayer(
      old, with: new, transition: Transition(.fade, duration: 1, function: .linear)
    ) { ends += 1 }
    #expect(isDone)
    for (time, share) in [(0.0, 0.0), (0.25, 0.25), (0.5, 0.5), (0.75, 0.75)] {
      let pixel = try rig.renderer.render(rig.root, at: time)[4, 4]
      #expect(abs(Double(pixel[2]) - share * 255) <= 1 && abs(Double(pixel[0]) - (1 - share) * 255) <= 1, "\(pixel)")
      #expect(pixel[3] >= 254, "nothing shows through")
    }
    #expect(try rig.renderer.render(rig.root, at: 1)[4, 4] == blue && ends == 1)
    #expect(rig.root.sublayers.count == 1 && new.superlayer === rig.root && old.superlayer == nil)
    #expect(new.blendMode == .normal && new.animationKeys.isEmpty && old.animationKeys.isEmpty)
    #expect(try rig.renderer.render(rig.root, at: 2)[4, 4] == blue && rig.renderer.nextWake == nil)
  }

  @Test(
    "what slides lies at each time where it should, from every side",
    arguments: [Transition.Kind.moveIn, .push, .reveal], Transition.Edge.allCases)
  func slides(kind: Transition.Kind, edge: Transition.Edge) throws {
    let (rig, old, new) = try stage()
    // Each has its own mark in the corner that tells where it lies.
    for layer in [old, new] {
      let mark = Layer()
      mark.frame = Rect(x: 0, y: 0, width: 1, height: 1)
      mark.backgroundColor = .white
      layer.addSublayer(mark)
    }
    rig.root.replaceSublayer(old, with: new, transition: Transition(kind, from: edge, duration: 1, function: .linear))
    for step in 0..<4 {
      let image = try rig.renderer.render(rig.root, at: Double(step) / 4)
      let moved = step * 2
      for y in 0..<8 {
        for x in 0..<8 {
          // So far from the side that it comes from.
          let depth = [Transition.Edge.left: x, .right: 7 - x, .top: y, .bottom: 7 - y][edge] ?? 0
          let isNew = depth < moved
          let pixel = image[x, y]
          if pixel == [255, 255, 255, 255] { continue }
          #expect(pixel == (isNew ? blue : red), "\(kind) from \(edge) at \(step): (\(x), \(y))")
        }
      }
      guard step > 0 else { continue }
      // The corners with their marks, where they lie by now; nil: outside, or covered.
      let (comes, leaves) = (8 - moved, moved)
      let sign = edge == .left || edge == .top ? 1 : -1
      let newAt: Int? = kind == .reveal ? 0 : -sign * comes
      let oldAt: Int? = kind == .moveIn ? 0 : sign * leaves
      for (at, isNew) in [(newAt, true), (oldAt, false)] {
        guard let at, at >= 0, at < 8 else { continue }
        let (x, y) = edge == .left || edge == .right ? (at, 0) : (0, at)
        let depth = [Transition.Edge.left: x, .right: 7 - x, .top: y, .bottom: 7 - y][edge] ?? 0
        guard (depth < moved) == isNew else { continue }
        #expect(image[x, y] == [255, 255, 255, 255], "\(kind) from \(edge) at \(step): a corner at (\(x), \(y))")
      }
    }
    #expect(try rig.renderer.render(rig.root, at: 1)[4, 4] == blue && rig.root.sublayers.count == 1)
  }

  @Test("one that begins on the way goes on from what is shown")
  func interrupted() throws {
    let (rig, old, new) = try stage()
    let third = Layer()
    third.frame = old.frame
    third.backgroundColor = Color(red: 0, green: 1, blue: 0)
    let fade = Transition(.fade, duration: 1, function: .linear)
    rig.root.replaceSublayer(old, with: new, transition: fade)
    try rig.renderer.update(rig.root, at: 0)
    let before = try rig.renderer.render(rig.root, at: 0.5)[4, 4]
    rig.root.replaceSublayer(new, with: third, transition: fade)
    let after = try rig.renderer.render(rig.root, at: 0.5)[4, 4]
    #expect(zip(before, after).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(before) \(after)")
    var last = after
    for step in 1...60 {
      let pixel = try rig.renderer.render(rig.root, at: 0.5 + Double(step) / 40)[4, 4]
      #expect(zip(last, pixel).allSatisfy { abs(Int($0) - Int($1)) <= 16 }, "step \(step): \(last) \(pixel)")
      last = pixel
    }
    #expect(last == [0, 255, 0, 255] && rig.root.sublayers.count == 1 && third.superlayer === rig.root)
    #expect(new.superlayer == nil && new.blendMode == .normal && old.superlayer == nil)
  }

  @Test("for whom motion is too much, all of them fade", arguments: Transition.Kind.allCases)
  func reduced(kind: Transition.Kind) throws {
    let (rig, old, new) = try stage()
    var transition = Transition(kind, duration: 1, function: .linear)
    transition.motion = .reduced
    rig.root.replaceSublayer(old, with: new, transition: transition)
    try rig.renderer.update(rig.root, at: 0)
    let image = try rig.renderer.render(rig.root, at: 0.5)
    #expect(image[1, 1] == image[6, 6] && image[1, 1][0] > 120 && image[1, 1][2] > 120)
  }

  @Test("what is no sublayer, or would hold itself, is left alone, and a thousand transitions leave nothing behind")
  func misuse() throws {
    let (rig, old, new) = try stage()
    #expect(!rig.root.replaceSublayer(new, with: old, transition: Transition()))
    #expect(!rig.root.replaceSublayer(old, with: rig.root, transition: Transition()))
    #expect(!rig.root.replaceSublayer(old, with: old, transition: Transition()))
    var (shown, hidden) = (old, new)
    for number in 0..<1000 {
      let kind = Transition.Kind.allCases[number % 4]
      #expect(rig.root.replaceSublayer(shown, with: hidden, transition: Transition(kind)))
      try rig.renderer.update(rig.root, at: Double(number))
      try rig.renderer.update(rig.root, at: Double(number) + 0.5)
      swap(&shown, &hidden)
      #expect(rig.root.sublayers.count == 1 && rig.root.sublayers[0] === shown)
    }
    #expect(rig.renderer.layerCount <= 4 && rig.renderer.nextWake == nil)
  }
}

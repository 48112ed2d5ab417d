import Commit
import Geometry
import RenderServer
import RenderTree
import Testing

@Suite("Animations in the tree of all clients")
struct ClientAnimationTests {
  private let second: UInt64 = 1_000_000_000

  private func move(_ duration: Double, token: UInt64 = 0) -> Animation {
    Animation(
      PropertyAnimation(
        AnimationKeyPath(whole: .zPosition), .basic(.init(from: .number(0), to: .number(100)))),
      timing: AnimationTiming(duration: duration), token: token)
  }

  private func z(_ tree: ClientTree, _ layer: LayerID) -> Double? {
    for case .zPosition(let z) in tree.tree.presentation(of: layer) ?? [] { return z }
    return nil
  }

  private func commit(_ tree: ClientTree, _ client: TreeClient, at time: UInt64) throws -> CommitRefusal? {
    var losses = Losses()
    return try tree.commit(client, atNanoseconds: time, losses: &losses)
  }

  @Test("an animation begins with its commit, and moves with no further one")
  func begin() throws {
    let tree = ClientTree()
    let client = tree.join()
    let layer = try tree.createLayer(client, .layer)
    try client.addAnimation(layer, key: "move", move(4))
    #expect(try commit(tree, client, at: 100 * second) == nil)
    #expect(z(tree, layer) == 0)
    tree.advance(toNanoseconds: 101 * second)
    #expect(z(tree, layer) == 25)
    // A frame's time may lie before that of a commit that came since.
    tree.advance(toNanoseconds: 100 * second)
    #expect(z(tree, layer) == 25)
  }

  @Test("what moves is a change of the frames that show it, and of no others")
  func frames() throws {
    let tree = ClientTree()
    let (mover, other) = (tree.join(), tree.join())
    let layer = try tree.createLayer(mover, .layer)
    let still = try tree.createLayer(other, .layer)
    try mover.addAnimation(layer, key: "move", move(1))
    _ = try commit(tree, mover, at: second)
    let (moving, standing) = (tree.snapshot(root: layer), tree.snapshot(root: still))
    tree.advance(toNanoseconds: second + second / 2)
    #expect(tree.hasChanged(moving) && !tree.hasChanged(standing))
    #expect(tree.nextWake(of: moving) == 0 && tree.nextWake(of: standing) == nil)
    tree.advance(toNanoseconds: 3 * second)
    let end = tree.snapshot(root: layer)
    tree.advance(toNanoseconds: 4 * second)
    #expect(!tree.hasChanged(end) && tree.nextWake(of: end) == nil)
  }

  @Test("one that begins later has frames from then on")
  func later() throws {
    let tree = ClientTree()
    let client = tree.join()
    let layer = try tree.createLayer(client, .layer)
    var animation = move(1, token: 5)
    animation.timing.beginTime = 7
    try client.addAnimation(layer, key: "move", animation)
    _ = try commit(tree, client, at: 2 * second)
    let wake = try #require(tree.nextWake(of: tree.snapshot(root: layer)))
    #expect(wake >= 7 * second && wake <= 7 * second + 2)
    let end = try #require(tree.nextEnd)
    #expect(end >= 8 * second && end <= 8 * second + 2)
    tree.advance(toNanoseconds: end)
    #expect(tree.nextEnd == nil)
  }

  @Test("a refused animation is dropped with its commit")
  func refused() throws {
    let tree = ClientTree()
    let client = tree.join()
    let layer = try tree.createLayer(client, .layer)
    try client.addAnimation(layer, key: "move", move(.nan))
    let refusal = try #require(try commit(tree, client, at: second))
    #expect(refusal.code == .notFinite && refusal.property == "zPosition")
    #expect(try commit(tree, client, at: second) == nil)
    #expect(tree.tree.animationKeys(of: layer).isEmpty)
  }

  @Test("a layer has 64 animations at most, so a client can't fill the server with them")
  func limit() throws {
    let tree = ClientTree()
    let client = tree.join()
    let layer = try tree.createLayer(client, .layer)
    for key in 0..<64 { try client.addAnimation(layer, key: "\(key)", move(1)) }
    #expect(try commit(tree, client, at: second) == nil)
    try client.addAnimation(layer, key: "7", move(1))
    #expect(try commit(tree, client, at: second) == nil)
    try client.addAnimation(layer, key: "one more", move(1))
    #expect(try commit(tree, client, at: second)?.description.contains("more than 64 animations") == true)
  }

  @Test("a client that leaves takes its animations with it")
  func leave() throws {
    let tree = ClientTree()
    let client = tree.join()
    let layer = try tree.createLayer(client, .layer)
    try client.addAnimation(layer, key: "move", move(1, token: 1))
    _ = try commit(tree, client, at: second)
    tree.leave(client)
    #expect(tree.nextEnd == nil && !tree.tree.isAnimating)
    #expect(tree.tree.invariantViolations().isEmpty && tree.misapplied.isEmpty)
  }
}

import Commit
import Geometry
import RenderServer
import RenderTree
import Testing

@Suite("The tree of all clients")
struct ClientTreeTests {
  private let tree = ClientTree()

  private func commit(_ client: TreeClient) throws -> CommitRefusal? {
    var losses = Losses()
    return try tree.commit(client, atNanoseconds: 0, losses: &losses)
  }

  private func sound() {
    #expect(tree.misapplied == [])
    #expect(tree.tree.invariantViolations() == [])
  }

  @Test("a refused commit drops its changes and keeps what was released")
  func refused() throws {
    let client = tree.join()
    let (a, b) = (try tree.createLayer(client, .layer), try tree.createLayer(client, .layer))
    client.release(b)
    try client.set(a, .cornerRadius(-1))
    let refusal = try #require(try commit(client))
    #expect(refusal.code == .outOfRange && refusal.layer == a && refusal.property == "cornerRadius")
    #expect(tree.tree.layerCount == 2)
    #expect(client.pendingCount == 1)
    #expect(try commit(client) == nil)
    #expect(tree.tree.layerCount == 1)
    sound()
  }

  @Test("nesting counts what is pending, forgets what was refused, and passes by what would be a ring")
  func nesting() throws {
    var limits = ClientLimits()
    limits[.nesting] = 3
    let client = tree.join(limits: limits)
    let layers = try (0..<5).map { _ in try tree.createLayer(client, .layer) }
    try client.insert(layers[1], into: layers[0], at: 0)
    try client.insert(layers[2], into: layers[1], at: 0)
    try client.insert(layers[0], into: layers[2], at: 0)
    #expect(try commit(client)?.code == .cycle)
    // Nothing nests now.
    try client.insert(layers[3], into: layers[2], at: 0)
    try client.insert(layers[2], into: layers[1], at: 0)
    #expect(try commit(client) == nil)
    #expect(throws: LimitViolation(kind: .nesting, limit: 3)) { try client.insert(layers[1], into: layers[0], at: 0) }
    sound()
  }

  @Test("portals that retain each other in a ring go with their client, and count as layers until then")
  func retainedRing() throws {
    let client = tree.join()
    let (a, b) = (try tree.createLayer(client, .portal), try tree.createLayer(client, .portal))
    let source = try tree.createLayer(client, .layer)
    for (portal, shown) in [(a, b), (b, a)] {
      try client.set(portal, .sourceLayer(shown))
      try client.set(portal, .sourceLifetime(.retained))
    }
    let keeper = try tree.createLayer(client, .portal)
    try client.set(keeper, .sourceLayer(source))
    try client.set(keeper, .sourceLifetime(.retained))
    #expect(try commit(client) == nil)
    client.release(a)
    client.release(b)
    client.release(source)
    #expect(try commit(client) == nil)
    // The ring is gone; what the portal that lives keeps is not.
    #expect(tree.tree.layerCount == 2)
    #expect(client.account[.layers] == 2)
    client.release(keeper)
    #expect(try commit(client) == nil)
    #expect(tree.tree.layerCount == 0 && client.account[.layers] == 0 && client.account[.portals] == 0)
    tree.leave(client)
    sound()
  }

  @Test("another client's layer is never retained, and what was wanted counts again for the next own source")
  func foreignLifetime() throws {
    let (owner, viewer) = (tree.join(), tree.join())
    let source = try tree.createLayer(owner, .layer)
    let export = try tree.export(source, of: owner, isSingleUse: false)
    _ = try #require(try tree.redeem(export.handle, by: viewer))
    let portal = try tree.createLayer(viewer, .portal)
    let own = try tree.createLayer(viewer, .layer)
    try viewer.set(portal, .sourceLifetime(.retained))
    try viewer.set(portal, .sourceLayer(own))
    #expect(try commit(viewer) == nil)
    viewer.release(own)
    #expect(try commit(viewer) == nil)
    #expect(tree.tree.layerCount == 3)
    tree.leave(viewer)
    tree.leave(owner)
    #expect(tree.tree.layerCount == 0 && tree.registry.exportCount == 0)
    sound()
  }

  @Test("only what a picture shows makes it change, whoever owns it")
  func changes() throws {
    let (one, other) = (tree.join(), tree.join())
    let (layer, aside) = (try tree.createLayer(one, .layer), try tree.createLayer(one, .layer))
    let snapshot = tree.snapshot(root: layer)
    try one.set(layer, .opacity(0.5))
    #expect(!tree.hasChanged(snapshot))
    #expect(try commit(one) == nil)
    #expect(tree.hasChanged(snapshot))
    let next = tree.snapshot(root: layer)
    try one.set(aside, .opacity(0.5))
    #expect(try commit(one) == nil)
    #expect(try commit(other) == nil)
    #expect(!tree.hasChanged(next))
    tree.leave(other)
    #expect(!tree.hasChanged(next))
    tree.leave(one)
    #expect(tree.hasChanged(next))
  }
}

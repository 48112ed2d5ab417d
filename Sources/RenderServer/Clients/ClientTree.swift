import Commit
import Geometry
import RenderTree

/// Why a commit was not applied, for its client.
public struct CommitRefusal: Error, Sendable, CustomStringConvertible {
  public var code: CommitError.Code
  public var layer: LayerID
  public var property: String?
  public var description: String
}

/// What ends a client at its commit.
public enum CommitFailure: Error, Sendable {
  case limit(LimitViolation)
  case contents(ContentsError)
}

/// What the end of a layer or an export does to others.
public struct Losses {
  /// Imports that have nothing to show from now on.
  public var imports: [ImportID] = []

  public init(imports: [ImportID] = []) { self.imports = imports }
}

/// The layers of all clients in one render tree. Each client's changes are gathered until its commit and then applied as
/// one or, with a reason, not at all; no client can name another's layer but by an export.
///
/// It knows nothing of sockets and GL, and reads no clock.
public final class ClientTree {
  public private(set) var tree = RenderTree()
  public private(set) var registry = ExportRegistry()
  public private(set) var clients: [ClientNumber: TreeClient] = [:]
  /// Called for what was applied.
  var whenApplied: (([Change]) -> Void)?
  /// Pictures that layers show from a time on.
  var waiting = WaitingContents()
  private var portalsByExport: [ExportID: Set<LayerID>] = [:]
  private var nextClient: UInt32 = 1

  public init() {}

  // MARK: Clients

  public func join(limits: ClientLimits = ClientLimits()) -> TreeClient {
    let client = TreeClient(number: ClientNumber(rawValue: nextClient), limits: limits)
    nextClient &+= 1
    clients[client.number] = client
    return client
  }

  /// Lets go of everything that the client has. Portals of its layers are empty in the next snapshot.
  @discardableResult
  public func leave(_ client: TreeClient) -> Losses {
    guard clients.removeValue(forKey: client.number) != nil else { return Losses() }
    // What was pending holds buffers, and these their client.
    client.pending = PendingChanges()
    waiting.remove(of: client.number)
    var losses = Losses()
    for export in registry.list where export.owner == client.number { losses.imports += take(back: export.export) }
    for (portal, link) in client.links {
      if let export = link.export { portalsByExport[export]?.remove(portal) }
    }
    // First nothing is retained any more, so that what only portals keep goes too.
    var changes: [Change] = []
    for (portal, link) in client.links where link.wantsRetained && link.export == nil {
      changes.append(.set(portal, .sourceLifetime(.weak)))
    }
    changes += client.allLayers.map { .release($0) }
    applyOwn(changes)
    return losses
  }

  // MARK: Layers

  /// Makes a layer, at once.
  public func createLayer(_ client: TreeClient, _ kind: LayerKind) throws(LimitViolation) -> LayerID {
    let layer = try client.newLayer(kind)
    applyOwn([.create(layer, kind)])
    return layer
  }

  /// Applies what the client has said since its last commit.
  /// - Parameter isCounted: against the limit of commits a second.
  /// - Returns: nil, or why it was not applied.
  /// - Throws: what the client has to be ended for. The tree is as it was, or the client's part of it is of no use.
  public func commit(
    _ client: TreeClient, atNanoseconds now: UInt64, losses: inout Losses, isCounted: Bool = true
  ) throws(CommitFailure) -> CommitRefusal? {
    do { try client.account.addCommit(at: now, isCounted: isCounted) } catch { throw .limit(error) }
    // What animations start from is what is shown now.
    if client.pending.concernsAnimations { advance(toNanoseconds: now) }
    let pictures = try readContents(of: client)
    let queued = try readQueued(of: client, after: pictures)
    let pictured = client.pending.picturedLayers
    var changes: [Change] = []
    swap(&changes, &client.pending.changes)
    for (portal, overrides) in client.pending.overrides { changes.append(.set(portal, .overrides(overrides))) }
    for (place, picture) in pictures {
      if case .set(let layer, _) = changes[place] { changes[place] = .set(layer, .contents(picture)) }
    }
    var links: [LayerID: PortalLink] = [:]
    if client.pending.concernsPortals { changes = resolvePortals(changes, of: client, links: &links) }
    do {
      try tree.apply(Commit(changes))
    } catch {
      client.doubt(pictured)
      client.nesting.refuse()
      client.pending.refuse()
      client.account.commitsRefused += 1
      return CommitRefusal(
        code: error.code, layer: error.layer, property: error.property, description: error.description)
    }
    whenApplied?(changes)
    client.nesting.accept()
    client.account.changesApplied += UInt64(changes.count)
    adopt(links, of: client)
    if client.pending.concernsContents { followPictures(changes, of: client) }
    if !client.pending.queue.isEmpty || waiting.next != nil { queue(queued, of: client) }
    for layer in client.pending.releases {
      for export in registry.exports(of: layer) { losses.imports += take(back: export) }
    }
    if !client.pending.releases.isEmpty || !client.kept.isEmpty {
      client.settle(released: client.pending.releases) { [tree] in tree.contains($0) }
    }
    client.pending.clear()
    // The storage of a large commit serves the next.
    changes.removeAll(keepingCapacity: true)
    swap(&changes, &client.pending.changes)
    do { try client.checkTextures() } catch { throw .limit(error) }
    return nil
  }

  // MARK: Exports

  /// Makes a handle for a layer.
  public func export(
    _ layer: LayerID, of client: TreeClient, isSingleUse: Bool
  ) throws(LimitViolation) -> (id: ExportID, handle: ExportHandle) {
    try client.account.add(.exports)
    let handle = ExportHandle.random()
    return (registry.export(layer, owner: client.number, handle: handle, isSingleUse: isSingleUse), handle)
  }

  /// Takes an export back: portals of other clients show nothing by it from the next snapshot on.
  public func revoke(_ export: ExportID, of client: TreeClient) -> Losses {
    client.account.remove(.exports)
    return Losses(imports: take(back: export))
  }

  /// Redeems a handle; nil for any that is not good.
  public func redeem(
    _ handle: ExportHandle?, by client: TreeClient
  ) throws(LimitViolation) -> (id: ImportID, export: ExportID)? {
    try client.account.add(.exports)
    return handle.flatMap { registry.redeem($0) }
  }

  /// The operator's way to a source: any layer that is exported.
  public func redeem(
    exportOf layer: LayerID, by client: TreeClient
  ) throws(LimitViolation) -> (id: ImportID, export: ExportID)? {
    try client.account.add(.exports)
    return registry.redeem(exportOf: layer)
  }

  /// The client lets go of an import, good or not.
  public func drop(_ id: ImportID?, of client: TreeClient) {
    client.account.remove(.exports)
    if let id { registry.drop(id) }
  }

  private func take(back export: ExportID) -> [ImportID] {
    let lost = registry.revoke(export)
    guard let portals = portalsByExport.removeValue(forKey: export) else { return lost }
    var changes: [Change] = []
    for portal in portals {
      guard let client = clients[portal.client], var link = client.links[portal], link.export == export else {
        continue
      }
      link.export = nil
      link.source = nil
      client.links[portal] = link
      changes.append(.set(portal, .sourceLayer(nil)))
      if link.wantsRetained { changes.append(.set(portal, .sourceLifetime(.retained))) }
    }
    applyOwn(changes)
    return lost
  }

  // MARK: Steps of a commit

  /// Puts layers in the place of exports, and keeps a layer of another client from being retained.
  private func resolvePortals(
    _ changes: [Change], of client: TreeClient, links: inout [LayerID: PortalLink]
  ) -> [Change] {
    var imports = client.pending.imports[...]
    var resolved: [Change] = []
    resolved.reserveCapacity(changes.count + 8)
    for (place, change) in changes.enumerated() {
      switch change {
      case .set(let portal, .sourceLayer(let own)):
        var link = links[portal] ?? client.links[portal] ?? PortalLink()
        let wasForeign = link.export != nil
        (link.source, link.export) = (own, nil)
        if imports.first?.place == place, let entry = imports.popFirst(), let layer = registry.layer(of: entry.export) {
          (link.source, link.export) = (layer, entry.export)
        }
        links[portal] = link
        if link.wantsRetained, link.export != nil { resolved.append(.set(portal, .sourceLifetime(.weak))) }
        resolved.append(.set(portal, .sourceLayer(link.source)))
        if link.wantsRetained, link.export == nil, wasForeign {
          resolved.append(.set(portal, .sourceLifetime(.retained)))
        }
      case .set(let portal, .sourceLifetime(let lifetime)):
        var link = links[portal] ?? client.links[portal] ?? PortalLink()
        link.wantsRetained = lifetime == .retained
        links[portal] = link
        if link.export == nil { resolved.append(change) }
      case .release(let layer):
        // A portal that only other portals keep must not go on showing what was revoked, nor keep portals in a ring.
        if let link = links[layer] ?? client.links[layer],
          link.export != nil || link.source.map(client.isPortal) == true
        {
          resolved.append(.set(layer, .sourceLayer(nil)))
        }
        links[layer] = PortalLink()
        resolved.append(change)
      default: resolved.append(change)
      }
    }
    return resolved
  }

  private func adopt(_ links: [LayerID: PortalLink], of client: TreeClient) {
    for (portal, link) in links {
      if let old = client.links[portal]?.export, old != link.export { portalsByExport[old]?.remove(portal) }
      if let export = link.export { portalsByExport[export, default: []].insert(portal) }
      client.links[portal] = link
    }
  }

  private func followPictures(_ changes: [Change], of client: TreeClient) {
    for case .set(let layer, .contents(let image)) in changes { client.setPicture(of: layer, image) }
  }

  /// Changes of the server's own making, which can't be refused.
  func applyOwn(_ changes: [Change]) {
    do {
      try tree.apply(Commit(changes))
      whenApplied?(changes)
    } catch {
      misapplied.append(error.description)
    }
  }

  /// What should never be: changes of the server's own that were refused. For the log and for tests.
  public private(set) var misapplied: [String] = []

  // MARK: Frames

  /// Makes the tree show what it does at this time of the monotonic clock; a time that is past counts as the present.
  public func advance(toNanoseconds now: UInt64) {
    tree.advance(to: max(tree.time, Double(now) / 1e9))
  }

  /// The ends of animations since it was last asked.
  func takeAnimationEvents() -> [AnimationEvent] { tree.takeAnimationEvents() }

  /// What a frame of this root shows, with secure layers or with placeholders for them.
  public func snapshot(root: LayerID?, showsSecure: Bool = false) -> Snapshot {
    tree.snapshot(root: root, showsSecure: showsSecure)
  }

  /// Whether anything that a snapshot shows has changed since it was made.
  public func hasChanged(_ snapshot: Snapshot) -> Bool { tree.lastChange(of: snapshot) > snapshot.version }
}

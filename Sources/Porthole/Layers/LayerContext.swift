import Commit
import RenderTree
import WaylandClient

/// A renderer that shows a layer, and the properties that it has yet to be told.
struct ContextLink {
  let context: LayerContext
  var dirty = LayerPropertySet()
}

/// What one renderer, or one connection to a render server, knows of the layers: its render tree, and the changes since
/// the last frame.
///
/// Every layer of a tree is attached, or none. A tree is attached when its root is rendered, when it is joined with an
/// attached one, or when an attached portal shows one of its layers. A layer stays attached for as long as it lives, so
/// the render tree never holds more layers than the application does, and one that comes back keeps its identity.
final class LayerContext {
  /// Empty where a server has the tree.
  private(set) var tree = RenderTree()
  /// Sends commits to a server, where one draws; and what it has not answered.
  private var remote: RemoteTree?
  private var ledger = CommitLedger()
  private(set) var isClosed = false
  /// Creations, moves and releases, in the order in which they happened.
  private var structure: [Change] = []
  /// The layers whose link holds dirty properties.
  private var dirty: [LayerID] = []
  /// Unretained: a layer that is freed leaves it, in `forget`.
  private var layers: [LayerID: Unmanaged<Layer>] = [:]
  private var failure: CommitError?
  private var drawn = DrawnLayers()
  /// Of attached portals; only where some layer makes its own contents. Nil: not gathered since layers came or went.
  private var portals: [LayerID]?
  private var animations = PendingAnimations()
  /// Those of the layers that are fed with buffers.
  private var surfaces: Set<LayerID> = []
  /// What is left of animations that are added from now on.
  var motion = MotionPolicy.full
  /// Ends that a server has told of, and nobody was told of yet.
  private var ends: [AnimationEvent] = []
  /// Tokens of animations that a server runs.
  private var remoteAnimations: Set<UInt64> = []
  /// Counts what a server's animations may have changed besides.
  private(set) var animationStamp: UInt64 = 0

  /// Changes of structure are handed to the tree when there are so many, so that an application that changes layers and
  /// never draws them holds no more than that.
  private static let structureLimit = 1 << 16

  /// How many changes of structure there are at most; more when they could not be handed over.
  private var structureLimit = LayerContext.structureLimit

  init(remote: RemoteTree? = nil) { self.remote = remote }

  func layer(_ id: LayerID) -> Layer? { layers[id]?.takeUnretainedValue() }

  /// For a person: the layer's name, or the words for its number.
  func label(_ id: LayerID) -> String { layer(id)?.name ?? id.description }

  /// Makes the renderer know the whole tree that `layer` stands in, and every tree that its portals show.
  /// - Complexity: O(1) where it does already, else O(layers of those trees).
  func attach(_ layer: Layer) {
    guard !isClosed, !layer.isAttached(to: self) else { return }
    var roots = [layer.topLayer]
    var order: [Layer] = []
    while let root = roots.popLast() {
      guard !root.isAttached(to: self) else { continue }
      order.removeAll(keepingCapacity: true)
      var stack = [root]
      while let next = stack.popLast() {
        order.append(next)
        register(next)
        stack.append(contentsOf: next.sublayers.reversed())
        if let mask = next.mask { stack.append(mask) }
        if let source = (next as? PortalLayer)?.sourceLayer { roots.append(source.topLayer) }
      }
      // From the leaves up, each before its elder siblings: so every insertion is at the front of a tree's top, and
      // costs the same at any depth.
      for child in order.reversed() {
        guard let parent = child.superlayer, child !== root else { continue }
        record(.insert(child.id, into: parent.id, at: 0))
      }
    }
  }

  private func register(_ layer: Layer) {
    layers[layer.id] = .passUnretained(layer)
    layer.links.append(ContextLink(context: self, dirty: layer.modified))
    record(.create(layer.id, layer.kind))
    if layer.drawing != nil { drawn.insert(layer.id) }
    portals = nil
    if !layer.modified.isEmpty { dirty.append(layer.id) }
    if layer is SurfaceLayer { surfaces.insert(layer.id) }
    guard let running = layer.animations else { return }
    for entry in running.entries {
      record(animation: .addAnimation(layer.id, key: entry.key, entry.animation))
    }
    running.attached()
  }

  /// The layer is being freed.
  func forget(_ layer: Layer) {
    guard !isClosed, layers.removeValue(forKey: layer.id) != nil else { return }
    drawn.forget(layer.id)
    portals = nil
    surfaces.remove(layer.id)
    record(.release(layer.id))
  }

  func noteDirty(_ layer: LayerID) { dirty.append(layer) }

  func record(_ change: Change) {
    guard !isClosed else { return }
    structure.append(change)
    guard structure.count >= structureLimit else { return }
    if let remote {
      structureLimit = structure.count * 2
      remote.whenFull?()
    } else {
      applyStructure()
    }
  }

  /// Adds or removes an animation with the next commit.
  func record(animation change: Change) {
    guard !isClosed else { return }
    if case .addAnimation(let layer, let key, let animation) = change {
      animations.append(.addAnimation(layer, key: key, animation.under(motion)))
    } else {
      animations.append(change)
    }
  }

  private func applyStructure() {
    do { try tree.apply(Commit(structure)) } catch { failure = error }
    structure.removeAll(keepingCapacity: true)
  }

  /// Hands the tree everything noted since the last frame, as one commit.
  ///
  /// A refused commit leaves the tree as it was, and everything noted: when the value that was refused is set right, the
  /// next frame shows all of it.
  /// - Parameter serial: what a server will answer by.
  /// - Returns: How many changes the commit held.
  func flush(as serial: UInt32 = 0) throws(CommitError) -> Int {
    if let failure { throw failure }
    let updates = drawn.isEmpty ? [] : draw()
    guard
      !structure.isEmpty || !dirty.isEmpty || !updates.isEmpty || !animations.isEmpty || ledger.needsRepair
    else { return 0 }
    if ledger.needsRepair { mendStructure() }
    var commit = Commit(structure)
    commit.changes.reserveCapacity(structure.count + dirty.count)
    var told: [CommitLedger.Told] = []
    if remote != nil { told.reserveCapacity(dirty.count) }
    for id in dirty {
      guard let layer = layer(id), let link = layer.links.first(where: { $0.context === self }) else { continue }
      if remote != nil { told.append(CommitLedger.Told(layer: id, properties: link.dirty)) }
      for property in link.dirty where layer.drawing == nil || !property.isDrawn {
        if let change = layer.change(property) { commit.changes.append(.set(id, change)) }
      }
    }
    for update in updates {
      for change in update.changes { commit.changes.append(.set(update.layer, change)) }
      guard remote != nil else { continue }
      var properties = LayerPropertySet()
      for property in LayerProperty.allCases where property.isDrawn { properties.insert(property) }
      told.append(CommitLedger.Told(layer: update.layer, properties: properties))
    }
    if !animations.isEmpty {
      animations.tidy { layers[$0] != nil }
      commit.changes += animations.changes
    }
    if let remote {
      let more = try remote.send(checked: commit)
      ledger.sent(
        serial, upTo: serial &+ more, told: told, structure: structure, animations: animations.changes)
      for case .addAnimation(_, _, let animation) in animations.changes { remoteAnimations.insert(animation.token) }
    } else {
      try tree.apply(commit)
    }
    drawn.accepted(updates)
    for id in dirty {
      guard let layer = layer(id), let index = layer.links.firstIndex(where: { $0.context === self }) else { continue }
      layer.links[index].dirty.removeAll()
    }
    animations.removeAll()
    structure.removeAll(keepingCapacity: true)
    structureLimit = Self.structureLimit
    dirty.removeAll(keepingCapacity: true)
    return commit.changes.count
  }

  // MARK: Layers that make their own contents

  /// Notes what a renderer shows, and with how many pixels per point; nil: nothing any more.
  func show(_ showing: Showing?, for viewer: AnyObject) { drawn.show(showing, for: ObjectIdentifier(viewer)) }

  /// The layer began to make its own contents, or left off.
  func drawsItself(_ layer: Layer, _ isDrawn: Bool) {
    if isDrawn { drawn.insert(layer.id) } else { drawn.remove(layer.id) }
  }

  private func draw() -> [DrawnLayers.Update] {
    for id in dirty {
      guard let layer = layer(id), layer.drawing != nil, let link = layer.links.first(where: { $0.context === self })
      else { continue }
      if LayerProperty.allCases.contains(where: { $0.isDrawn && link.dirty.contains($0) }) { drawn.doubt(id) }
    }
    let known = portals ?? layers.values.compactMap { ($0.takeUnretainedValue() as? PortalLayer)?.id }
    portals = known
    return drawn.update(
      !structure.isEmpty || !dirty.isEmpty || !animations.isEmpty, known.compactMap { layer($0) as? PortalLayer },
      { self.layer($0) })
  }

  // MARK: A server's answers

  /// The server has answered a commit. What was in a refused one is dirty again, with whatever values it has by now.
  func answered(_ serial: UInt32, isAccepted: Bool) {
    guard !isAccepted else { return ledger.accepted(serial) }
    let refused = ledger.refused(serial)
    animations.prepend(refused.animations)
    for told in refused.told {
      guard let layer = layer(told.layer), let index = layer.links.firstIndex(where: { $0.context === self }) else {
        continue
      }
      if layer.links[index].dirty.isEmpty { dirty.append(told.layer) }
      for property in told.properties { layer.links[index].dirty.insert(property) }
    }
  }

  /// Takes the model's present structure in the place of moves that build on some which the server refused.
  private func mendStructure() {
    ledger.note(structure)
    var created: [Change] = []
    var released: [Change] = []
    for change in structure {
      switch change {
      case .create: created.append(change)
      case .release: released.append(change)
      case .insert, .removeFromParent, .set, .addAnimation, .removeAnimation: break
      }
    }
    structure = created + ledger.takeRepair { self.layer($0) } + released
  }

  // MARK: Time

  /// Has every surface show the buffer whose turn it is.
  func showSurfaces(at time: Double) {
    for id in surfaces { (layer(id) as? SurfaceLayer)?.show(at: time) }
  }

  /// Gives a server what surfaces are to show later, where it is the only one that shows them.
  /// - Returns: whether there was anything.
  func sendAhead(to server: RemoteTree) throws(WireError) -> Bool {
    var hasSent = false
    for id in surfaces {
      guard let surface = layer(id) as? SurfaceLayer, surface.links.count == 1 else { continue }
      let ahead = surface.takeAhead()
      if ahead.isCleared || !ahead.pictures.isEmpty { hasSent = true }
      try server.queue(ahead.pictures, isCleared: ahead.isCleared, on: id)
    }
    return hasSent
  }

  /// When the next buffer's time comes; nil for none.
  func nextBuffer(after time: Double) -> Double? {
    surfaces.compactMap { (layer($0) as? SurfaceLayer)?.nextWake(after: time) }.min()
  }

  /// Makes the tree show what it does at a time; what is committed after it begins there.
  func advance(to time: Double) { tree.advance(to: time) }

  /// A server has told of an end. Its layer hears of it by `tellEnds`.
  func ended(_ layer: LayerID, token: UInt64, isFinished: Bool) {
    remoteAnimations.remove(token)
    animationStamp += 1
    ends.append(AnimationEvent(layer: layer, key: "", token: token, isFinished: isFinished))
  }

  /// A server's picture changes without a commit.
  var isServerAnimating: Bool { !remoteAnimations.isEmpty }

  /// Tells layers which of their animations have ended.
  func tellEnds() {
    var events = tree.takeAnimationEvents()
    events += ends
    ends.removeAll()
    for event in events { layer(event.layer)?.animations?.ended(event.token, isFinished: event.isFinished) }
  }

  func snapshot(root: LayerID?, showsSecure: Bool) -> Snapshot {
    tree.snapshot(root: root, showsSecure: showsSecure)
  }

  /// Lets go of everything; layers drop their links when they next change.
  func close() {
    isClosed = true
    tree = RenderTree()
    // Layers may hold on to this for as long as they don't change; the connection goes now.
    remote = nil
    structure = []
    dirty = []
    let animated = layers.values.map { $0.takeUnretainedValue() }.filter { $0.animations != nil }
    layers = [:]
    drawn.removeAll()
    portals = nil
    for layer in animated { layer.animations?.detached() }
  }
}

extension Layer {
  final func isAttached(to context: LayerContext) -> Bool { links.contains { $0.context === context } }

  /// Notes that `property` changed, for every renderer that shows the layer.
  final func note(_ property: LayerProperty) {
    modified.insert(property)
    guard !links.isEmpty else { return }
    dropClosedLinks()
    for index in links.indices {
      if links[index].dirty.isEmpty { links[index].context.noteDirty(id) }
      links[index].dirty.insert(property)
    }
    act(on: property)
  }

  final func dropClosedLinks() {
    if links.contains(where: { $0.context.isClosed }) { links.removeAll { $0.context.isClosed } }
  }
}

import Commit
import Geometry

/// The retained tree that frames are made from: layers by slot in flat arrays, changed by commits alone.
///
/// A commit is checked whole before any of it is applied, so a refused one leaves the tree as it was.
public struct RenderTree: Sendable {
  var records: [LayerRecord] = []
  /// Pictures and gradients by slot, of the layers that have any, apart so that records stay plain values.
  var contents: [Int: Image] = [:]
  var gradients: [Int: Gradient] = [:]
  /// By slot, of the layers that have any.
  var effects: [Int32: LayerEffects] = [:]
  /// By slot, of the few layers that have any.
  var rare = RareProperties()
  var portals: [PortalRecord] = []
  var slots: [LayerID: Int32] = [:]
  var freeSlots: [Int32] = []
  var freePortals: [Int32] = []
  /// Counts the commits applied, and the times at which animations made something look different.
  public internal(set) var version: UInt64 = 0
  /// Of the frame that is shown, in seconds of the caller's clock: what `advance` was last called with.
  public internal(set) var time = 0.0
  var animations = AnimationTable()
  var lastSnapshot: (root: LayerID?, snapshot: Snapshot)?
  var scratch = SnapshotScratch()
  var pending = PendingChanges()

  public init() {}

  /// How many layers are alive, those included that only a portal keeps.
  public var layerCount: Int { slots.count }

  public func contains(_ layer: LayerID) -> Bool { slots[layer] != nil }

  /// Applies all of `commit` or, with an error that names layer and property, none of it. Animations begin at the tree's
  /// time, from what it shows then: who applies a commit that starts some calls `advance` first.
  /// - Complexity: O(changes), plus for each change of content the depth of its layer.
  public mutating func apply(_ commit: Commit) throws(CommitError) {
    guard !commit.isEmpty else { return }
    let concernsAnimations = try check(commit)
    let captured = concernsAnimations ? capture(for: commit) : [:]
    version += 1
    for change in commit.changes {
      switch change {
      case .create(let id, let kind): create(id, kind)
      case .release(let id): release(id)
      case .set(let id, let property): set(id, property)
      case .insert(let child, let parent, let index): insert(child, into: parent, at: index)
      case .removeFromParent(let id):
        if let slot = slots[id] { unlink(slot) }
      case .addAnimation, .removeAnimation: break
      }
    }
    if concernsAnimations { changeAnimations(commit, captured: captured) }
    dressAnimated()
  }

  // MARK: Life of a layer

  private mutating func create(_ id: LayerID, _ kind: LayerKind) {
    pending.isStructural = true
    var record = LayerRecord(id: id, kind: kind)
    record.contentVersion = version
    record.contentTime = time
    let slot: Int32
    if let free = freeSlots.popLast() {
      slot = free
    } else {
      slot = Int32(records.count)
      // By a quarter at a time and not to twice as many: records are large.
      if records.count == records.capacity { records.reserveCapacity(records.count + max(16, records.count / 4)) }
      records.append(record)
    }
    if kind == .portal {
      let portal = PortalRecord(slot: slot)
      if let free = freePortals.popLast() {
        record.portal = free
        portals[Int(free)] = portal
      } else {
        record.portal = Int32(portals.count)
        portals.append(portal)
      }
    }
    records[Int(slot)] = record
    slots[id] = slot
  }

  private mutating func release(_ id: LayerID) {
    guard let slot = slots[id] else { return }
    unlink(slot)
    if records[Int(slot)].retainCount > 0 {
      records[Int(slot)].isReleased = true
    } else {
      free(slot)
    }
  }

  private mutating func free(_ slot: Int32) {
    pending.isStructural = true
    // A portal that goes may be the last to keep its source, and so on: a list instead of a recursion.
    var doomed = [slot]
    while let slot = doomed.popLast() {
      let record = records[Int(slot)]
      unlink(slot)
      var child = record.firstChild
      while child >= 0 {
        let next = records[Int(child)].nextSibling
        unlink(child)
        child = next
      }
      if record.portal >= 0 {
        let portal = portals[Int(record.portal)]
        if let freed = dropRetain(portal) { doomed.append(freed) }
        portals[Int(record.portal)].slot = -1
        freePortals.append(record.portal)
      }
      setMask(-1, of: slot)
      forgetAnimations(of: slot)
      slots[record.id] = nil
      contents[Int(slot)] = nil
      gradients[Int(slot)] = nil
      effects[slot] = nil
      if records[Int(slot)].isSecure { rare.secureCount -= 1 }
      rare.forget(slot)
      records[Int(slot)] = LayerRecord(id: LayerID(rawValue: 0), kind: .layer)
      freeSlots.append(slot)
    }
  }

  /// Gives up what `portal` retains; the slot to free, where that was all that kept it.
  private mutating func dropRetain(_ portal: PortalRecord) -> Int32? {
    guard portal.sourceLifetime == .retained, let source = portal.source, let slot = slots[source] else { return nil }
    records[Int(slot)].retainCount -= 1
    return records[Int(slot)].isReleased && records[Int(slot)].retainCount == 0 ? slot : nil
  }

  private mutating func updatePortal(_ index: Int32, _ change: (inout PortalRecord) -> Void) {
    let old = portals[Int(index)]
    change(&portals[Int(index)])
    let new = portals[Int(index)]
    guard old.source != new.source || old.sourceLifetime != new.sourceLifetime else { return }
    if new.sourceLifetime == .retained, let source = new.source, let slot = slots[source] {
      records[Int(slot)].retainCount += 1
    }
    if let freed = dropRetain(old) { free(freed) }
  }

  // MARK: Links

  private mutating func insert(_ child: LayerID, into parent: LayerID, at index: Int) {
    guard let childSlot = slots[child], let parentSlot = slots[parent] else { return }
    pending.isStructural = true
    unlink(childSlot)
    let (c, p) = (Int(childSlot), Int(parentSlot))
    records[c].parent = parentSlot
    records[c].placementVersion = version
    records[p].childCount += 1
    var before: Int32 = -1
    if index < Int(records[p].childCount) - 1 {
      before = records[p].firstChild
      var remaining = max(0, index)
      while remaining > 0, before >= 0 {
        before = records[Int(before)].nextSibling
        remaining -= 1
      }
    }
    let after = before >= 0 ? records[Int(before)].previousSibling : records[p].lastChild
    records[c].nextSibling = before
    records[c].previousSibling = after
    if after >= 0 { records[Int(after)].nextSibling = childSlot } else { records[p].firstChild = childSlot }
    if before >= 0 { records[Int(before)].previousSibling = childSlot } else { records[p].lastChild = childSlot }
    noteContentChange(from: parentSlot)
    noteLags()
  }

  mutating func unlink(_ slot: Int32) {
    pending.isStructural = true
    let record = records[Int(slot)]
    guard record.parent >= 0 else { return unlinkMask(slot) }
    let p = Int(record.parent)
    noteContentChange(from: record.parent)
    if record.previousSibling >= 0 {
      records[Int(record.previousSibling)].nextSibling = record.nextSibling
    } else {
      records[p].firstChild = record.nextSibling
    }
    if record.nextSibling >= 0 {
      records[Int(record.nextSibling)].previousSibling = record.previousSibling
    } else {
      records[p].lastChild = record.previousSibling
    }
    records[p].childCount -= 1
    records[Int(slot)].parent = -1
    records[Int(slot)].placementVersion = version
    records[Int(slot)].previousSibling = -1
    records[Int(slot)].nextSibling = -1
  }

  /// Marks `slot` and what it stands in as drawing something else from this commit on.
  mutating func noteContentChange(from slot: Int32) {
    var slot = slot
    while slot >= 0, records[Int(slot)].contentVersion != version {
      records[Int(slot)].contentVersion = version
      records[Int(slot)].contentTime = time
      slot = records[Int(slot)].container
    }
  }

  // MARK: Properties

  private mutating func set(_ id: LayerID, _ property: PropertyChange) {
    guard let slot = slots[id] else { return }
    if records[Int(slot)].animations >= 0 { undressAnimated(slot) }
    // Where a layer lies, and its own opacity, are no part of what it shows in a portal.
    if property.isPlacement {
      records[Int(slot)].placementVersion = version
      records[Int(slot)].placementTime = time
      noteContentChange(from: records[Int(slot)].container)
    } else {
      noteContentChange(from: slot)
    }
    put(property, into: slot)
  }

  /// Sets the property, and notes nothing of it.
  mutating func put(_ property: PropertyChange, into slot: Int32) {
    pending.note(property, of: slot)
    let s = Int(slot)
    switch property {
    case .name(let value): rare.names[slot] = value
    case .bounds(let value): records[s].bounds = value.standardized
    case .position(let value): records[s].position = value
    case .zPosition(let value): records[s].zPosition = value
    case .anchorPoint(let value): records[s].anchorPoint = value
    case .anchorPointZ(let value): records[s].anchorPointZ = value
    case .transform(let value): records[s].transform = value
    case .sublayerTransform(let value):
      records[s].sublayerTransform = value
      records[s].hasSublayerTransform = !value.isIdentity
    case .isDoubleSided(let value): records[s].isDoubleSided = value
    case .isHidden(let value): records[s].isHidden = value
    case .opacity(let value): records[s].opacity = min(1, max(0, value))
    case .allowsGroupOpacity(let value): records[s].allowsGroupOpacity = value
    case .masksToBounds(let value): records[s].masksToBounds = value
    case .snapsToPixels(let value): records[s].snapsToPixels = value
    case .allowsEdgeAntialiasing(let value): records[s].allowsEdgeAntialiasing = value
    case .edgeAntialiasingMask(let value): records[s].edgeAntialiasingMask = value
    case .isSecure(let value): setSecure(value, of: slot)
    case .backgroundColor(let value): records[s].backgroundColor = value.premultiplied
    case .cornerRadius(let value): records[s].cornerRadius = value
    case .maskedCorners(let value): records[s].maskedCorners = value
    case .borderWidth(let value): records[s].borderWidth = value
    case .borderColor(let value): records[s].borderColor = value.premultiplied
    case .contents(let value):
      contents[s] = value
      records[s].hasContents = value != nil
    case .contentsRect(let value): records[s].contentsRect = value
    case .contentsGravity(let value): records[s].contentsGravity = value
    case .contentsCenter(let value):
      let isWhole = value.standardized == Rect(x: 0, y: 0, width: 1, height: 1)
      rare.contentsCenters[slot] = isWhole ? nil : value.standardized
      records[s].hasContentsCenter = !isWhole
    case .contentsScale(let value): records[s].contentsScale = value
    case .magnificationFilter(let value): records[s].magnificationFilter = value
    case .minificationFilter(let value): records[s].minificationFilter = value
    case .contentsFrame(let value):
      rare.contentsFrames[slot] = value?.standardized
      records[s].hasContentsFrame = value != nil
    case .gradient(var value):
      value?.settleLocations()
      gradients[s] = value
      records[s].hasGradient = value != nil
    case .mask(let value): setMask(value.flatMap { slots[$0] } ?? -1, of: slot)
    case .shadow(let value):
      setEffects(of: slot) { $0.shadow = value }
    case .filters(let value): setEffects(of: slot) { $0.filters = value }
    case .blendMode(let value): setEffects(of: slot) { $0.blendMode = value }
    case .lens(let value): setEffects(of: slot) { $0.lens = value }
    case .sortsSublayersByDepth(let value): records[s].sortsSublayersByDepth = value
    case .backdropFilters(let value): setEffects(of: slot) { $0.backdropFilters = value }
    case .backdropGroup(let value): setEffects(of: slot) { $0.backdropGroup = value == "" ? nil : value }
    case .replication(let value): setReplication(value, of: slot)
    case .allowsHitTesting(let value): records[s].allowsHitTesting = value
    default: setPortal(records[s].portal, property)
    }
  }

  private mutating func setPortal(_ index: Int32, _ property: PropertyChange) {
    guard index >= 0 else { return }
    switch property {
    case .sourceLayer(let value): updatePortal(index) { $0.source = value }
    case .sourceLifetime(let value): updatePortal(index) { $0.sourceLifetime = value }
    case .hidesSourceLayer(let value): portals[Int(index)].hidesSourceLayer = value
    case .hidesSourceLayerInOtherPortals(let value): portals[Int(index)].hidesSourceLayerInOtherPortals = value
    case .matchesPosition(let value): portals[Int(index)].matchesPosition = value
    case .matchesTransform(let value): portals[Int(index)].matchesTransform = value
    case .matchesOpacity(let value): portals[Int(index)].matchesOpacity = value
    case .sourceLayerOpacityScale(let value): portals[Int(index)].sourceLayerOpacityScale = value
    case .sourceRect(let value): portals[Int(index)].sourceRect = value?.standardized
    case .recursion(let value): portals[Int(index)].recursion = value
    case .sampling(let value): portals[Int(index)].sampling = value
    case .forwardsHitTestingToSource(let value): portals[Int(index)].forwardsHitTestingToSource = value
    case .allowsBackdropGroups(let value): portals[Int(index)].allowsBackdropGroups = value
    case .overrides(let value): rare.overrides[portals[Int(index)].slot] = value.isEmpty ? nil : value
    default: break
    }
  }
}

extension PropertyChange {
  /// Whether it says where a layer lies in its parent, rather than what it shows in its own space.
  var isPlacement: Bool {
    switch self {
    case .position, .zPosition, .transform, .opacity, .anchorPoint, .anchorPointZ: true
    default: false
    }
  }
}

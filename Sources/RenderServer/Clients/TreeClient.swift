import Commit
import Geometry

/// What a portal shows, as its client wants it.
struct PortalLink {
  var source: LayerID?
  /// Set for a layer that the portal shows by an export: it is never retained.
  var export: ExportID?
  var wantsRetained = false
}

/// One client's part of the tree: what it owns, and what it has said since its last commit.
public final class TreeClient {
  public let number: ClientNumber
  public internal(set) var account: ClientAccount
  var pending = PendingChanges()
  /// Layers in the tree that were not released.
  private(set) var alive: Set<LayerID> = []
  /// Layers of kind portal, alive or kept by others.
  private(set) var portals: Set<LayerID> = []
  /// Layers that were released and that a portal keeps.
  var kept: Set<LayerID> = []
  var links: [LayerID: PortalLink] = [:]
  var nesting = NestingTree()
  /// Layers that a refused commit had pictures for: what their clients say of the next one's damage may be wrong.
  private var doubtful: Set<LayerID> = []
  /// How many overrides each portal has, and all of them.
  private var overrideCounts: [LayerID: Int] = [:]
  private var overrideCount = 0
  private var pictures: [LayerID: UInt64] = [:]
  private var pictureUses: [UInt64: (bytes: UInt64, size: PixelSize, count: Int)] = [:]
  private var pictureBytes: UInt64 = 0
  /// Pictures that no layer shows any more, by identity, since somebody took them; for clients that are to be told.
  var isToldOfUnused = false
  private var unusedPictures: [UInt64] = []
  private var outputs: [OutputNumber: UInt64] = [:]
  private var outputBytes: UInt64 = 0
  private var nextLayer: UInt32 = 1

  init(number: ClientNumber, limits: ClientLimits) {
    self.number = number
    account = ClientAccount(limits: limits)
  }

  public var layerCount: Int { alive.count }
  public var pendingCount: Int { pending.changes.count }

  // MARK: What it says

  func newLayer(_ kind: LayerKind) throws(LimitViolation) -> LayerID {
    guard nextLayer < .max else { throw LimitViolation(kind: .layers, limit: UInt64(UInt32.max)) }
    try account.add(.layers)
    if kind == .portal {
      do throws(LimitViolation) { try account.add(.portals) } catch {
        account.remove(.layers)
        throw error
      }
    }
    let layer = number.layer(nextLayer)
    nextLayer += 1
    alive.insert(layer)
    if kind == .portal { portals.insert(layer) }
    return layer
  }

  /// Sets one property with the next commit.
  public func set(_ layer: LayerID, _ property: PropertyChange) throws(LimitViolation) {
    switch property {
    case .sourceLayer, .sourceLifetime: pending.concernsPortals = true
    default: break
    }
    try append(.set(layer, property))
  }

  /// Has a layer show a picture from a time on, or forgets those that wait.
  func queue(_ step: QueueStep) throws(LimitViolation) {
    let limit = account.limits[.changes]
    guard UInt64(pending.changes.count + pending.queue.count) < limit else {
      throw LimitViolation(kind: .changes, limit: limit)
    }
    pending.queue.append(step)
  }

  func setContents(
    _ layer: LayerID, _ source: (any PixelSource)?, damage: [PixelRect]? = nil
  ) throws(LimitViolation) {
    pending.concernsContents = true
    if let source {
      pending.contents.append(PendingPicture(place: pending.changes.count, source: source, damage: damage))
    }
    try append(.set(layer, .contents(nil)))
  }

  /// Overrides all told are as many as changes may be: they are as large.
  func setOverrides(_ overrides: [PortalOverride], of portal: LayerID) throws(LimitViolation) {
    overrideCount += overrides.count - (overrideCounts[portal] ?? 0)
    overrideCounts[portal] = overrides.isEmpty ? nil : overrides.count
    guard UInt64(overrideCount) <= account.limits[.changes] else {
      throw LimitViolation(kind: .changes, limit: account.limits[.changes])
    }
    pending.overrides[portal] = overrides
  }

  /// What the export stands for, or nothing, is worked out at the commit.
  func setSource(_ portal: LayerID, export: ExportID?) throws(LimitViolation) {
    if let export { pending.imports.append((pending.changes.count, export)) }
    try set(portal, .sourceLayer(nil))
  }

  /// A mask counts as a level, as a sublayer does; one that another has taken the place of, until it stands elsewhere.
  public func setMask(_ mask: LayerID?, of layer: LayerID) throws(LimitViolation) {
    let limit = account.limits[.nesting]
    if let mask, let depth = nesting.insert(mask, into: layer, limit: min(Int(clamping: limit), .max - 1)),
      UInt64(depth) > limit
    {
      throw LimitViolation(kind: .nesting, limit: limit)
    }
    try set(layer, .mask(mask))
  }

  public func insert(_ child: LayerID, into parent: LayerID, at index: Int) throws(LimitViolation) {
    let limit = Int(clamping: account.limits[.nesting])
    if let depth = nesting.insert(child, into: parent, limit: min(limit, .max - 1)) {
      if UInt64(depth) > account.limits[.nesting] {
        throw LimitViolation(kind: .nesting, limit: account.limits[.nesting])
      }
    }
    try append(.insert(child, into: parent, at: index))
  }

  public func removeFromParent(_ layer: LayerID) throws(LimitViolation) {
    nesting.remove(layer)
    try append(.removeFromParent(layer))
  }

  /// The client's object is gone: the layer leaves with the next commit that is accepted. Never too much: there are no
  /// more of these than layers.
  public func release(_ layer: LayerID) {
    nesting.release(layer)
    if portals.contains(layer) { pending.concernsPortals = true }
    pending.overrides[layer] = nil
    if let count = overrideCounts.removeValue(forKey: layer) { overrideCount -= count }
    pending.releases.append(layer)
    pending.changes.append(.release(layer))
  }

  func append(_ change: Change) throws(LimitViolation) {
    guard UInt64(pending.changes.count) < account.limits[.changes] else {
      throw LimitViolation(kind: .changes, limit: account.limits[.changes])
    }
    pending.changes.append(change)
  }

  // MARK: What has become of it

  /// Counts what a commit has released.
  func settle(released: [LayerID], in tree: (LayerID) -> Bool) {
    for layer in released {
      alive.remove(layer)
      doubtful.remove(layer)
      links[layer] = nil
      kept.insert(layer)
    }
    guard !kept.isEmpty else { return }
    for layer in kept where !tree(layer) {
      kept.remove(layer)
      setPicture(of: layer, nil)
      account.remove(.layers)
      if portals.remove(layer) != nil { account.remove(.portals) }
    }
  }

  func doubt(_ layers: [LayerID]) { doubtful.formUnion(layers) }

  /// Whether the layer's client may believe that it shows what a refused commit would have had it show; asked once.
  func takeDoubt(about layer: LayerID) -> Bool { doubtful.remove(layer) != nil }

  /// Follows what layers show; the bytes are held against the limit by `checkPictures`.
  func setPicture(of layer: LayerID, _ image: Image?) {
    let old = pictures[layer]
    pictures[layer] = image?.identity
    if let image { keep(image) }
    if let old { drop(old) }
  }

  /// Counts one more who shows a picture, or is to.
  func keep(_ image: Image) {
    var use = pictureUses[image.identity] ?? (UInt64(clamping: image.size.area) * 4, image.size, 0)
    if use.count == 0 { pictureBytes += use.bytes }
    use.count += 1
    pictureUses[image.identity] = use
  }

  /// Counts one less.
  func drop(_ identity: UInt64) {
    guard var use = pictureUses[identity] else { return }
    use.count -= 1
    pictureUses[identity] = use.count > 0 ? use : nil
    guard use.count == 0 else { return }
    pictureBytes -= min(pictureBytes, use.bytes)
    if isToldOfUnused { unusedPictures.append(identity) }
  }

  /// Whether some layer shows the picture of this identity, or is to.
  func shows(picture identity: UInt64) -> Bool { pictureUses[identity] != nil }

  func takeUnusedPictures() -> [UInt64] {
    defer { unusedPictures.removeAll(keepingCapacity: true) }
    return unusedPictures
  }

  /// The picture that a layer shows: what it takes and how many of the client's layers show it.
  func picture(of layer: LayerID) -> (bytes: UInt64, size: PixelSize, uses: Int)? {
    pictures[layer].flatMap { pictureUses[$0] }.map { ($0.bytes, $0.size, $0.count) }
  }

  /// Notes what an output takes of the GPU's memory; 0 for one that is gone.
  func setTexture(of output: OutputNumber, bytes: UInt64) {
    let old = outputs.removeValue(forKey: output) ?? 0
    if bytes > 0 { outputs[output] = bytes }
    outputBytes = outputBytes - old &+ bytes
    // Less is told at once; more is held against the limit first.
    if bytes < old { account.remove(.textureBytes, old - bytes) }
  }

  /// Holds pictures and outputs against the limit.
  func checkTextures() throws(LimitViolation) { try account.set(.textureBytes, to: pictureBytes &+ outputBytes) }

  var allLayers: [LayerID] { alive.sorted { $0.rawValue < $1.rawValue } }
  func isPortal(_ layer: LayerID) -> Bool { portals.contains(layer) }
}

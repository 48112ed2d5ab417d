import Commit
import CommitCoding
import Diagnostics
import Geometry
import LinuxIO
import RenderTree
import WaylandClient
import WaylandProtocol

/// The layers of a connection as the server's objects: turns commits into requests, without waiting for anything but a
/// socket that is full.
final class RemoteTree {
  let wire: WireConnection
  let global: Proxy<PortholeV1>
  let buffers: SharedBuffers
  let dmaBuffers: RemoteDmaBuffers
  private(set) var layers: [LayerID: Proxy<PortholeLayerV1>] = [:]
  /// Layers that stand for those of other clients; they are objects of another interface.
  private(set) var imports: [LayerID: Proxy<PortholeImportV1>] = [:]
  private(set) var counters = ConnectionCounters()
  /// Why something was not sent.
  private(set) var wireFailure: WireError?
  /// Called when an application changes so much without drawing that it is best sent now.
  var whenFull: (() -> Void)?
  /// How many changes the server takes at once, and what sends them; more go out as several commits.
  var changesPerCommit = Int.max
  var whenCommitIsFull: (() throws(WireError) -> Void)?
  /// Called for the end of an animation.
  var whenEnded: (LayerID, _ token: UInt64, _ isFinished: Bool) -> Void = { _, _, _ in }

  private var records = PropertyRecords()
  /// Whose records they are.
  private var recordOwner: Proxy<PortholeLayerV1>?
  /// Of the commit in the making, by the image's identity.
  private var uploads: [UInt64: SharedBuffer] = [:]
  private var sent = SentPictures()

  /// No longer than an array in a message of 4096 bytes.
  private static let longestArray = 4080
  private static let longestSide = 16_384

  /// On the wire, what an object is for us.
  final class Tag: PortholeLayerV1.EventHandler {
    let id: LayerID
    private weak var tree: RemoteTree?

    init(_ id: LayerID, _ tree: RemoteTree) {
      self.id = id
      self.tree = tree
    }

    func animationEnded(_ proxy: Proxy<PortholeLayerV1>, tokenHi: UInt32, tokenLo: UInt32, finished: UInt32) {
      tree?.whenEnded(id, UInt64(tokenHi) << 32 | UInt64(tokenLo), finished == 1)
    }
  }

  init(_ wire: WireConnection, _ global: Proxy<PortholeV1>) {
    self.wire = wire
    self.global = global
    buffers = SharedBuffers(wire, global: global)
    dmaBuffers = RemoteDmaBuffers(wire, global)
  }

  /// Lets go of every object.
  func close() {
    layers = [:]
    imports = [:]
    uploads = [:]
    recordOwner = nil
    buffers.close()
    dmaBuffers.close()
  }

  /// The layer that an object stands for.
  static func layer(of proxy: Proxy<PortholeLayerV1>?) -> LayerID? { (proxy?.handler as? Tag)?.id }

  func adopt(_ proxy: Proxy<PortholeImportV1>, as layer: LayerID) { imports[layer] = proxy }

  func count(_ body: (inout ConnectionCounters) -> Void) { body(&counters) }

  /// Refuses what has no form on the wire, with nothing sent.
  func check(_ commit: Commit) throws(CommitError) {
    for change in commit.changes {
      if case .addAnimation(let id, let key, let animation) = change { try check(animation, key, of: id) }
      guard case .set(let id, let property) = change else { continue }
      switch property {
      case .gradient(let gradient?) where gradient.stops.count > PropertyRecords.maxStops:
        throw CommitError(
          .outOfRange, layer: id, property: "gradient",
          "its gradient has \(gradient.stops.count) colours; the server takes \(PropertyRecords.maxStops)")
      case .filters(let filters) where filters.count > PropertyRecords.maxFilterNumbers / 21,
        .backdropFilters(let filters) where filters.count > PropertyRecords.maxFilterNumbers / 21:
        // Few enough in any mixture; more than that is counted by encoding them.
        var trial = PropertyRecords()
        if (try? trial.append(property)) == nil {
          throw CommitError(
            .outOfRange, layer: id, property: property.name,
            "it has \(filters.count) \(property.name), more than the server takes")
        }
      case .backdropGroup(let name?) where name.utf8.count > PropertyRecords.maxNameBytes:
        throw CommitError(
          .outOfRange, layer: id, property: property.name,
          "the name of its backdrop group has \(name.utf8.count) bytes; at most \(PropertyRecords.maxNameBytes) are taken"
        )
      case .lens(let lens?) where lens.shapes.count > Lens.maxShapes:
        throw CommitError(
          .outOfRange, layer: id, property: property.name,
          "its lens has \(lens.shapes.count) shapes; at most \(Lens.maxShapes) are taken")
      case .overrides(let overrides):
        for override in overrides {
          var trial = PropertyRecords()
          let isShort = (try? trial.append(override.property)) ?? true
          guard isShort, trial.byteCount + override.wirePath.utf8.count <= Self.longestArray - 64 else {
            throw CommitError(
              .outOfRange, layer: id, property: "overrides",
              "its override of \(override.property.name) is longer than the server takes")
          }
        }
      case .contents(let image?) where max(image.width, image.height) > Self.longestSide:
        throw CommitError(
          .outOfRange, layer: id, property: "contents",
          "a picture of \(image.width) × \(image.height) pixels; the server takes sides of \(Self.longestSide)")
      case .contents(let image?) where image.foreign != nil: try dmaBuffers.check(image, of: id)
      default: break
      }
    }
  }

  private func check(_ animation: Animation, _ key: String, of id: LayerID) throws(CommitError) {
    guard key.utf8.count <= 255 else {
      throw CommitError(.outOfRange, layer: id, property: "animations", "an animation's key is longer than 255 bytes")
    }
    do throws(AnimationRecordError) { _ = try AnimationRecord.encode(animation) } catch {
      throw CommitError(
        .outOfRange, layer: id, property: "animations", "animation \"\(key)\" is longer than the server takes: \(error)"
      )
    }
  }

  /// Checks and sends. What ends the connection is kept for `wireFailure`: the layers can't do anything about it.
  /// - Returns: how many commits were sent on the way, since there are more changes than the server takes at once.
  func send(checked commit: Commit) throws(CommitError) -> UInt32 {
    try check(commit)
    var commits: UInt32 = 0
    do throws(WireError) { try send(commit, &commits) } catch { wireFailure = wireFailure ?? error }
    return commits
  }

  /// Sends the changes as requests, without the commit that has them take effect.
  private func send(_ commit: Commit, _ commits: inout UInt32) throws(WireError) {
    uploads.removeAll(keepingCapacity: true)
    var count = 0
    for change in commit.changes {
      if count == changesPerCommit {
        try sendRecords()
        try whenCommitIsFull?()
        (count, commits) = (0, commits + 1)
      }
      count += 1
      if case .set(let id, let property) = change {
        guard let proxy = layers[id] else { continue }
        if recordOwner !== proxy {
          try sendRecords()
          recordOwner = proxy
        }
        try set(property, of: proxy, id)
      } else {
        try sendRecords()
        try move(change)
      }
    }
    try sendRecords()
    recordOwner = nil
    uploads.removeAll(keepingCapacity: true)
  }

  private func set(
    _ property: PropertyChange, of proxy: Proxy<PortholeLayerV1>, _ id: LayerID
  ) throws(WireError) {
    let before = records.byteCount
    switch property {
    case .contents(let image):
      var buffer: Proxy<PortholeBufferV1>?
      if let image {
        buffer = try dmaBuffers.lend(image)
        if buffer == nil { buffer = try upload(image).proxy }
      }
      try tell(sent.show(image, on: id, atNanoseconds: ProcessClock.monotonicNanoseconds), of: proxy)
      try wire.makeRoom()
      proxy.setContents(buffer: buffer)
      counters.requests += 1
      return
    case .name(let name):
      let name = (name ?? "").cut(to: PropertyRecords.longestName)
      try wire.makeRoom(name.utf8.count + 32)
      proxy.setName(name: name)
      counters.requests += 1
      return
    case .overrides(let overrides):
      try setOverrides(overrides, of: proxy)
      return
    case .mask(let mask):
      try wire.makeRoom()
      proxy.setMask(mask: mask.flatMap { layers[$0] })
      counters.requests += 1
      return
    case .sourceLayer(let source):
      try wire.makeRoom()
      if let imported = source.flatMap({ imports[$0] }) {
        proxy.setSourceImport(source: imported)
      } else {
        proxy.setSourceLayer(source: source.flatMap { layers[$0] })
      }
      counters.requests += 1
      return
    default:
      // What is too long was refused before.
      guard (try? records.append(property)) == true else { return }
    }
    counters.records += 1
    if records.byteCount > Self.longestArray {
      try sendRecords(upTo: before)
    }
  }

  /// Sends what is gathered for one layer, or its first bytes.
  private func sendRecords(upTo end: Int? = nil) throws(WireError) {
    guard !records.isEmpty, let owner = recordOwner else { return }
    let count = end ?? records.byteCount
    try wire.makeRoom(count + 12)
    records.withBytes { bytes in owner.set(records: bytes.extracting(first: count)) }
    counters.requests += 1
    if count == records.byteCount { records.removeAll() } else { records.removeFirst(byteCount: count) }
  }

  private func move(_ change: Change) throws(WireError) {
    switch change {
    case .create(let id, let kind):
      guard layers[id] == nil, imports[id] == nil else { return }
      try wire.makeRoom()
      let proxy = global.createLayer(kind: PortholeLayerV1.Kind(kind))
      proxy.handler = Tag(id, self)
      layers[id] = proxy
    case .release(let id):
      try wire.makeRoom()
      layers.removeValue(forKey: id)?.destroy()
      sent.forget(id)
      imports.removeValue(forKey: id)?.destroy()
    case .insert(let id, let parent, let index):
      guard let child = layers[id], let parent = layers[parent] else { return }
      try wire.makeRoom()
      parent.insertSublayer(child: child, index: UInt32(clamping: index))
    case .removeFromParent(let id):
      guard let child = layers[id] else { return }
      try wire.makeRoom()
      child.removeFromParent()
    case .addAnimation(let id, let key, let animation):
      // What is too long was refused before.
      guard let layer = layers[id], let numbers = try? AnimationRecord.encode(animation) else { return }
      try wire.makeRoom(numbers.count * 8 + key.utf8.count + 64)
      layer.addAnimation(
        key: key, tokenHi: UInt32(truncatingIfNeeded: animation.token >> 32),
        tokenLo: UInt32(truncatingIfNeeded: animation.token), animation: numbers.span.bytes)
    case .removeAnimation(let id, let key):
      guard let layer = layers[id] else { return }
      try wire.makeRoom(320)
      layer.removeAnimation(key: key)
    case .set: return
    }
    counters.requests += 1
  }

  private func setOverrides(_ overrides: [PortalOverride], of proxy: Proxy<PortholeLayerV1>) throws(WireError) {
    try wire.makeRoom()
    proxy.clearOverrides()
    counters.requests += 1
    for override in overrides {
      var values = PropertyRecords()
      // What is too long, or can't be overridden, was refused before.
      guard (try? values.append(override.property)) == true else { continue }
      let path = override.wirePath
      try wire.makeRoom(path.utf8.count + values.byteCount + 64)
      values.withBytes { proxy.addOverrides(path: path, records: $0) }
      counters.requests += 1
    }
  }

  /// Queues pictures that a layer shows from their times on, in seconds of the monotonic clock.
  func queue(_ pictures: [(image: Image, time: Double)], isCleared: Bool, on layer: LayerID) throws(WireError) {
    guard let proxy = layers[layer] else { return }
    if isCleared {
      try wire.makeRoom()
      proxy.clearQueue()
      sent.forgetQueue(of: layer)
    }
    for (image, time) in pictures {
      do throws(CommitError) {
        try check(Commit([.set(layer, .contents(image))]))
      } catch {
        MisuseLog.report("a buffer of a surface is left out: \(error)")
        continue
      }
      let buffer: Proxy<PortholeBufferV1>
      if let lent = try dmaBuffers.lend(image) { buffer = lent } else { buffer = try upload(image).proxy }
      let nanoseconds = UInt64(max(0, min(9e18, time * 1e9)))
      let seconds = nanoseconds / 1_000_000_000
      try tell(sent.queue(image, on: layer, atNanoseconds: nanoseconds), of: proxy)
      try wire.makeRoom()
      proxy.queueContents(
        buffer: buffer, secondsHi: UInt32(truncatingIfNeeded: seconds >> 32),
        secondsLo: UInt32(truncatingIfNeeded: seconds), nanoseconds: UInt32(nanoseconds % 1_000_000_000))
      counters.requests += 1
    }
    uploads.removeAll(keepingCapacity: true)
  }

  /// Says where the next picture of a layer differs from the one before; nothing where that is not known.
  private func tell(_ damage: [PixelRect]?, of proxy: Proxy<PortholeLayerV1>) throws(WireError) {
    guard let damage else { return }
    for rect in damage.isEmpty ? [.empty] : damage {
      try wire.makeRoom()
      proxy.addDamage(
        x: rect.minX, y: rect.minY, width: Int32(clamping: rect.width), height: Int32(clamping: rect.height))
      counters.requests += 1
    }
  }

  private func upload(_ image: Image) throws(WireError) -> SharedBuffer {
    if let buffer = uploads[image.identity] { return buffer }
    let buffer = try buffers.allocate(
      width: image.width, height: image.height, alpha: PortholePoolV1.Alpha(image.alpha))
    buffer.withBytes { $0.copyBytes(from: image.pixels) }
    buffer.whenReleased = { [unowned buffers] buffer, _ in buffers.free(buffer) }
    uploads[image.identity] = buffer
    counters.bytesOfPictures += UInt64(clamping: buffer.byteCount)
    return buffer
  }
}

/// What a connection has sent since it began.
public struct ConnectionCounters: Sendable, Hashable {
  public var commits: UInt64 = 0
  public var commitsRefused: UInt64 = 0
  /// Properties set, contents and sources not counted.
  public var records: UInt64 = 0
  /// Messages about layers, commits not counted.
  public var requests: UInt64 = 0
  /// Of contents, copied into shared memory.
  public var bytesOfPictures: UInt64 = 0
}

extension PortholeLayerV1.Kind {
  init(_ kind: LayerKind) {
    switch kind {
    case .layer: self = .layer
    case .gradient: self = .gradient
    case .portal: self = .portal
    case .transform: self = .transform
    case .backdrop: self = .backdrop
    case .replicator: self = .replicator
    }
  }
}

extension PortholePoolV1.Alpha {
  init(_ alpha: AlphaState) {
    switch alpha {
    case .opaque: self = .opaque
    case .premultiplied: self = .premultiplied
    case .straight: self = .straight
    }
  }
}

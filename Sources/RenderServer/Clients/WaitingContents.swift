import Commit
import Geometry
import RenderTree

/// Pictures that layers show from a time on, in nanoseconds of the monotonic clock.
struct WaitingContents {
  private struct Entry {
    var time: UInt64
    var picture: Image
  }

  /// By rising time; those of one time in their order.
  private var queues: [LayerID: [Entry]] = [:]
  /// When the first of them is due; nil for none.
  private(set) var next: UInt64?

  mutating func add(_ picture: Image, to layer: LayerID, at time: UInt64) {
    var queue = queues[layer] ?? []
    queue.insert(Entry(time: time, picture: picture), at: queue.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0)
    queues[layer] = queue
    next = min(next ?? .max, time)
  }

  /// Takes those whose time has come: of each layer in their order, so that the last one is to be shown.
  mutating func takeDue(at now: UInt64) -> [(layer: LayerID, pictures: [Image])] {
    guard let next, next <= now else { return [] }
    var due: [(layer: LayerID, pictures: [Image])] = []
    for (layer, queue) in queues {
      let count = queue.prefix { $0.time <= now }.count
      guard count > 0 else { continue }
      due.append((layer, queue[..<count].map(\.picture)))
      queues[layer] = count == queue.count ? nil : Array(queue[count...])
    }
    self.next = queues.values.compactMap { $0.first?.time }.min()
    return due.sorted { $0.layer.rawValue < $1.layer.rawValue }
  }

  /// What a layer shows at a time, of what waits; nil for what it shows already.
  func last(of layer: LayerID, at time: UInt64) -> Image? { queues[layer]?.last { $0.time <= time }?.picture }

  /// Takes what waits for a layer.
  mutating func remove(_ layer: LayerID) -> [Image] {
    guard let queue = queues.removeValue(forKey: layer) else { return [] }
    next = queues.values.compactMap { $0.first?.time }.min()
    return queue.map(\.picture)
  }

  mutating func remove(of client: ClientNumber) {
    for layer in queues.keys where layer.client == client { _ = remove(layer) }
  }
}

/// What a client's commit does to the queues of its layers.
enum QueueStep {
  /// With where it differs from the picture before it; nil where nobody has said.
  case add(LayerID, any PixelSource, time: UInt64, damage: [PixelRect]? = nil)
  case clear(LayerID)
}

extension ClientTree {
  /// When the next picture that waits is due; nil for none.
  public var nextDue: UInt64? { waiting.next }

  /// Has layers show the pictures whose time has come.
  /// - Returns: the clients whose pictures they are.
  func showDue(atNanoseconds now: UInt64) -> [TreeClient] {
    guard let next = waiting.next, next <= now else { return [] }
    var changes: [Change] = []
    var owners: [TreeClient] = []
    for (layer, pictures) in waiting.takeDue(at: now) {
      guard let client = clients[layer.client], let picture = Self.last(of: pictures, after: tree.contents(of: layer))
      else { continue }
      changes.append(.set(layer, .contents(picture)))
      client.setPicture(of: layer, picture)
      for picture in pictures { client.drop(picture.identity) }
      owners.append(client)
    }
    applyOwn(changes)
    return owners
  }

  /// The last picture, of which all are due; where nobody sees those before it, with their damage.
  private static func last(of pictures: [Image], after shown: Image?) -> Image? {
    // One in a dma-buf is known to its client by its identity.
    guard pictures.count > 1, let last = pictures.last, last.foreign == nil, let revision = last.revision,
      var base = shown?.identity
    else { return pictures.last }
    var damage: [PixelRect] = []
    for picture in pictures {
      guard let step = picture.revision, step.base == base, let rects = step.damage else { return last }
      damage += rects
      base = picture.identity
    }
    return last.revised(ImageRevision(stream: revision.stream, base: shown?.identity ?? 0, damage: damage))
  }

  /// The commit was accepted.
  func queue(_ pictures: [(place: Int, picture: Image)], of client: TreeClient) {
    var pictures = pictures[...]
    for (place, step) in client.pending.queue.enumerated() {
      switch step {
      case .add(let layer, _, let time, _):
        guard pictures.first?.place == place, let picture = pictures.popFirst()?.picture, tree.contains(layer) else {
          continue
        }
        client.keep(picture)
        waiting.add(picture, to: layer, at: time)
      case .clear(let layer): dropQueue(of: layer, client)
      }
    }
    for layer in client.pending.releases { dropQueue(of: layer, client) }
  }

  private func dropQueue(of layer: LayerID, _ client: TreeClient) {
    for picture in waiting.remove(layer) { client.drop(picture.identity) }
  }
}

extension ServerCore {
  /// Has layers show what is due at a frame's time.
  func showDue(_ time: UInt64) {
    let owners = tree.showDue(atNanoseconds: time)
    guard !owners.isEmpty else { return }
    for owner in owners { sessions[owner.number]?.giveBack(owner.takeUnusedPictures()) }
    treeChanged()
  }
}

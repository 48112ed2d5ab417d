import Commit
import Geometry
import RenderTree

/// Reading the pictures of a commit, before it is known whether it is accepted.
extension ClientTree {
  /// Reads those that layers show at once.
  func readContents(of client: TreeClient) throws(CommitFailure) -> [(place: Int, image: Image)] {
    guard !client.pending.contents.isEmpty else { return [] }
    var images: [ObjectIdentifier: Image] = [:]
    var bytes: UInt64 = 0
    var pictures: [(Int, Image)] = []
    var bases = RevisionBases(client.pending)
    for entry in client.pending.contents {
      let key = ObjectIdentifier(entry.source)
      if let known = images[key] {
        pictures.append((entry.place, known))
        continue
      }
      bytes &+= entry.source.byteCount
      let limit = client.account.limits[.textureBytes]
      guard bytes <= limit else { throw .limit(LimitViolation(kind: .textureBytes, limit: limit)) }
      let revision = bases.revision(of: entry, client, tree)
      let image: Image
      do { image = try entry.source.read(as: revision) } catch { throw .contents(error) }
      images[key] = image
      pictures.append((entry.place, image))
    }
    return pictures
  }

  /// Reads those that wait for their time.
  /// - Parameter shown: what the same commit shows at once.
  func readQueued(
    of client: TreeClient, after shown: [(place: Int, image: Image)]
  ) throws(CommitFailure) -> [(place: Int, picture: Image)] {
    let steps = client.pending.queue
    guard !steps.isEmpty else { return [] }
    var pictures: [(Int, Image)] = []
    var bytes: UInt64 = 0
    let limit = client.account.limits[.textureBytes]
    // The queues as they become, where somebody says how pictures in them differ from each other.
    let isTold = steps.contains { if case .add(_, _, _, damage: .some) = $0 { true } else { false } }
    var queues = isTold ? waiting : WaitingContents()
    let contents = isTold ? client.pending.contents(shown) : [:]
    for (place, step) in steps.enumerated() {
      switch step {
      case .clear(let layer): if isTold { _ = queues.remove(layer) }
      case .add(let layer, let source, let time, let damage):
        bytes &+= source.byteCount
        guard bytes <= limit else { throw .limit(LimitViolation(kind: .textureBytes, limit: limit)) }
        var revision: ImageRevision?
        if damage != nil {
          let before = queues.last(of: layer, at: time) ?? contents[layer] ?? tree.contents(of: layer)
          revision = ImageRevision(
            after: before.flatMap { ImageRevision.Base($0) }, form: source.form,
            damage: client.takeDoubt(about: layer) ? nil : damage)
        }
        let picture: Image
        do { picture = try source.read(as: revision) } catch { throw .contents(error) }
        pictures.append((place, picture))
        if isTold { queues.add(picture, to: layer, at: time) }
      }
    }
    return pictures
  }
}

/// Which picture each of a commit's takes the place of.
private struct RevisionBases {
  private let changes: [Change]
  /// Nobody has said how pictures differ.
  private let isIdle: Bool
  private var uses: [ObjectIdentifier: Int] = [:]
  /// Layers whose contents the changes up to a place set.
  private var set: Set<LayerID> = []
  private var place = 0

  init(_ pending: PendingChanges) {
    isIdle = pending.contents.allSatisfy { $0.damage == nil }
    changes = isIdle ? [] : pending.changes
    guard !isIdle else { return }
    for entry in pending.contents { uses[ObjectIdentifier(entry.source), default: 0] += 1 }
  }

  /// Nil for a picture of which nobody has said how it differs, and for one that several layers show.
  mutating func revision(of entry: PendingPicture, _ client: TreeClient, _ tree: RenderTree) -> ImageRevision? {
    guard let damage = entry.damage, uses[ObjectIdentifier(entry.source)] == 1,
      case .set(let layer, _) = changes[entry.place]
    else { return nil }
    while place < entry.place {
      if case .set(let layer, .contents) = changes[place] { set.insert(layer) }
      place += 1
    }
    // What the same commit sets before it is seen by nobody.
    let before = set.contains(layer) ? nil : tree.contents(of: layer)
    return ImageRevision(
      after: before.flatMap { ImageRevision.Base($0) }, form: entry.source.form,
      damage: client.takeDoubt(about: layer) ? nil : damage)
  }
}

extension PendingChanges {
  /// What layers show after these changes, of those whose contents they set.
  fileprivate func contents(_ pictures: [(place: Int, image: Image)]) -> [LayerID: Image?] {
    guard concernsContents else { return [:] }
    var contents: [LayerID: Image?] = [:]
    var pictures = pictures[...]
    for (place, change) in changes.enumerated() {
      guard case .set(let layer, .contents) = change else { continue }
      contents[layer] = .some(pictures.first?.place == place ? pictures.popFirst()?.image : nil)
    }
    return contents
  }

  /// Layers that are to get a picture.
  var picturedLayers: [LayerID] {
    var layers: [LayerID] = []
    for entry in contents { if case .set(let layer, _) = changes[entry.place] { layers.append(layer) } }
    for step in queue { if case .add(let layer, _, _, _) = step { layers.append(layer) } }
    return layers
  }
}

import Commit

/// Where a layer's contents are to be read from, at the commit.
protocol PixelSource: AnyObject {
  /// What the picture takes, in bytes.
  var byteCount: UInt64 { get }
  /// Copies the pixels as they are now.
  func read() throws(ContentsError) -> Image
}

/// Pixels that can't be read any more: the client has taken the memory away.
public struct ContentsError: Error, Sendable, CustomStringConvertible {
  public var description: String
}

/// What one client has said since its last commit.
struct PendingChanges {
  var changes: [Change] = []
  /// By place in `changes`, where a `contents` stands that is to be read.
  var contents: [(place: Int, source: any PixelSource)] = []
  /// By place in `changes`, where a `sourceLayer` stands that is an import.
  var imports: [(place: Int, export: ExportID)] = []
  /// Of pictures that wait for their time.
  var queue: [QueueStep] = []
  /// Of portals; the last that were said.
  var overrides: [LayerID: [PortalOverride]] = [:]
  /// Some change is of a portal's source or its lifetime, or releases a portal.
  var concernsPortals = false
  /// Some change is of a layer's contents.
  var concernsContents = false
  /// Some change adds or removes an animation.
  var concernsAnimations = false
  /// Layers whose objects are gone.
  var releases: [LayerID] = []

  /// Forgets everything.
  mutating func clear() {
    changes.removeAll(keepingCapacity: true)
    contents.removeAll(keepingCapacity: true)
    imports.removeAll(keepingCapacity: true)
    releases.removeAll(keepingCapacity: true)
    overrides.removeAll()
    if !queue.isEmpty { queue = [] }
    concernsPortals = false
    concernsContents = false
    concernsAnimations = false
  }

  /// Forgets everything but what the client can't say again.
  mutating func refuse() {
    let kept = releases
    clear()
    releases = kept
    changes.append(contentsOf: kept.map { .release($0) })
    concernsPortals = !kept.isEmpty
  }
}

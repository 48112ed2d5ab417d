import Commit
import Geometry

/// Where a layer's contents are to be read from, at the commit.
protocol PixelSource: AnyObject {
  /// What the picture takes, in bytes.
  var byteCount: UInt64 { get }
  var form: ImageRevision.Form { get }
  /// Copies the pixels as they are now.
  /// - Parameter revision: set where the picture takes the place of another one.
  func read(as revision: ImageRevision?) throws(ContentsError) -> Image
}

/// Pixels that can't be read any more: the client has taken the memory away.
public struct ContentsError: Error, Sendable, CustomStringConvertible {
  public var description: String
}

/// Contents that are to be read at the commit.
struct PendingPicture {
  /// In the list of changes.
  var place: Int
  var source: any PixelSource
  /// Where it differs from the layer's picture before it; nil where nobody has said.
  var damage: [PixelRect]?
}

/// What one client has said since its last commit.
struct PendingChanges {
  var changes: [Change] = []
  /// By place in `changes`, where a `contents` stands that is to be read.
  var contents: [PendingPicture] = []
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

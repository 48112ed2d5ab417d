import Commit
import Geometry

/// Which pictures of surfaces a server has been sent, so that it is told how the next one differs from the one that it is to
/// show before it. Where that is not known for certain, the next one differs everywhere.
struct SentPictures {
  private struct Sent {
    /// What the layer shows, by identity; 0 where nobody knows.
    var shown: UInt64 = 0
    /// What waits last, and from when on it is shown.
    var tail: (picture: UInt64, time: UInt64)?
  }

  private var layers: [LayerID: Sent] = [:]
  private static let everywhere = [PixelRect(minX: 0, minY: 0, maxX: .max, maxY: .max)]

  /// Notes that a layer shows a picture with the next commit.
  /// - Parameter now: of the monotonic clock; the server comes to the commit later.
  /// - Returns: where it differs from the one before; nil for a picture of which nothing is said.
  mutating func show(_ picture: Image?, on layer: LayerID, atNanoseconds now: UInt64) -> [PixelRect]? {
    guard let picture, let revision = picture.revision else {
      if layers[layer] != nil { layers[layer]?.shown = 0 }
      return nil
    }
    var sent = layers[layer] ?? Sent()
    if let tail = sent.tail, tail.time <= now { sent = Sent(shown: tail.picture) }
    let isNext = sent.tail == nil && sent.shown != 0 && sent.shown == revision.base
    sent.shown = picture.identity
    layers[layer] = sent
    return isNext ? revision.damage ?? Self.everywhere : Self.everywhere
  }

  /// Notes that a picture waits for its time.
  mutating func queue(_ picture: Image, on layer: LayerID, atNanoseconds time: UInt64) -> [PixelRect]? {
    guard let revision = picture.revision else {
      forgetQueue(of: layer)
      return nil
    }
    var sent = layers[layer] ?? Sent()
    let isLast = sent.tail.map { $0.time <= time } ?? true
    let before = sent.tail?.picture ?? sent.shown
    if isLast { sent.tail = (picture.identity, time) }
    layers[layer] = sent
    return isLast && before != 0 && before == revision.base ? revision.damage ?? Self.everywhere : Self.everywhere
  }

  /// The server may have come to show what waited, or not.
  mutating func forgetQueue(of layer: LayerID) {
    if layers[layer] != nil { layers[layer] = Sent() }
  }

  mutating func forget(_ layer: LayerID) { layers[layer] = nil }
}

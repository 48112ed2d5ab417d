import Commit
import Geometry

/// A layer whose contents come from a queue of buffers: a video, a camera, another program's picture.
///
/// Nothing of the layer needs to be set for a new buffer to show: the next frame of every renderer shows it, in the layer's
/// place and in every portal of it, at any depth. A render server is given buffers ahead of their time with the next commit, and
/// shows them when it comes, with nothing more said by this process; they count as shown. Each buffer is released exactly once: when it has been shown and copied,
/// when a later one was shown instead, or when the layer is gone. What has been shown last stays.
public final class SurfaceLayer: Layer {
  /// Which buffer a frame shows.
  public enum Pacing: Sendable, Hashable {
    /// The newest, whatever its time.
    case latest
    /// The newest whose time has come.
    case byTime
  }

  public var pacing = Pacing.byTime
  /// How many buffers may wait; when there are more, the oldest is released unseen.
  public var queueLimit: Int {
    get { limit }
    set {
      limit = max(1, newValue)
      trim()
    }
  }

  private var limit = 16

  /// By rising time; those of one time in their order.
  private var queue: [SurfaceBuffer] = []
  /// What was last made of a buffer, shown or given ahead: the next picture tells how it differs from it.
  private var last: ImageRevision.Base?
  /// Where the next buffer differs from what is shown, besides its own damage: that of buffers which nobody saw. Nil:
  /// everywhere.
  private var unseenDamage: [PixelRect]? = []
  /// Counts the buffers shown, and those released unseen.
  public private(set) var shownCount: UInt64 = 0
  public private(set) var skippedCount: UInt64 = 0

  deinit { for buffer in queue { buffer.release() } }

  public var queuedCount: Int { queue.count }

  /// Adds a buffer to the queue. From now on it is the queue's, until it is released.
  public func enqueue(_ buffer: SurfaceBuffer) {
    let place = queue.lastIndex { $0.time <= buffer.time }.map { $0 + 1 } ?? 0
    queue.insert(buffer, at: place)
    trim()
  }

  /// Releases what waits. What is shown stays.
  public func flush() {
    skippedCount += UInt64(queue.count)
    let flushed = queue
    queue = []
    isServerQueueStale = isAhead
    for buffer in flushed { passOver(buffer) }
    for buffer in flushed { buffer.release() }
  }

  private func trim() {
    while queue.count > queueLimit {
      skippedCount += 1
      let buffer = queue.removeFirst()
      passOver(buffer)
      buffer.release()
    }
  }

  // MARK: A server's queue

  /// A server has buffers whose time has not come.
  private var isAhead = false
  private var isServerQueueStale = false

  /// Gives away what is to be shown later, to the one server that shows the layer.
  func takeAhead() -> (isCleared: Bool, pictures: [(image: Image, time: Double)]) {
    defer { isServerQueueStale = false }
    guard pacing == .byTime, !queue.isEmpty else { return (isServerQueueStale, []) }
    let taken = queue
    queue = []
    isAhead = true
    var pictures: [(Image, Double)] = []
    for buffer in taken {
      if let image = buffer.image() {
        pictures.append((next(image, damage: buffer.damage), buffer.time))
        shownCount += 1
      } else {
        skippedCount += 1
        passOver(buffer)
      }
      buffer.release()
    }
    return (isServerQueueStale, pictures)
  }

  // MARK: Frames

  /// When the next buffer's time comes; `time` where one waits that it shows already; nil for none.
  func nextWake(after time: Double) -> Double? {
    guard let first = queue.first else { return nil }
    return pacing == .latest ? time : max(time, first.time)
  }

  /// Has the layer show what a frame of that time shows.
  func show(at time: Double) {
    let due = pacing == .latest ? queue.count : queue.prefix { $0.time <= time }.count
    guard due > 0 else { return }
    let taken = Array(queue.prefix(due))
    queue.removeFirst(due)
    for buffer in taken.dropLast() {
      skippedCount += 1
      passOver(buffer)
      buffer.release()
    }
    guard let buffer = taken.last else { return }
    if let image = buffer.image() {
      contents = next(image, damage: buffer.damage)
      shownCount += 1
    } else {
      skippedCount += 1
      passOver(buffer)
      MisuseLog.report("a buffer for \(label) holds \(buffer.byteCount) bytes, which is no picture of its size")
    }
    buffer.release()
  }

  /// The picture as the next one after the last.
  private func next(_ image: Image, damage: [PixelRect]?) -> Image {
    var all: [PixelRect]?
    if let damage, let unseenDamage { all = unseenDamage + damage }
    unseenDamage = []
    let picture = image.revised(
      ImageRevision(after: last, form: ImageRevision.Form(image), damage: all))
    last = ImageRevision.Base(picture)
    return picture
  }

  private func passOver(_ buffer: SurfaceBuffer) {
    guard let damage = buffer.damage, let sum = unseenDamage, sum.count + damage.count <= ImageRevision.rectLimit else {
      unseenDamage = nil
      return
    }
    unseenDamage = sum + damage
  }
}

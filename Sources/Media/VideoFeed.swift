import Commit
import Porthole

/// Plays a video into a `SurfaceLayer`: each frame gets the time at which it is due, and the layer, with every portal of it,
/// shows it from then on.
///
/// Whoever draws frames calls `advance(to:)` before each; nothing here runs by itself, so a film that is drawn slower than
/// it plays loses no frame. Of a live source, such as a camera, each frame is shown as soon as it is there, and nothing waits
/// for the next. What can't be decoded is told in `failures`, and the video goes on behind it; at the end the
/// last frame stays.
///
///     let feed = VideoFeed(try VideoReader(file: "holiday.mp4"), into: surface)
///     try feed.advance(to: time)
///     let picture = try renderer.render(root, at: time)
public final class VideoFeed {
  public let source: any VideoSource
  public let layer: SurfaceLayer
  /// In seconds of the renderers' time: when the first frame is due.
  public let start: Double
  public let loops: Bool
  /// How much later than the asked-for time the queue reaches, in seconds.
  public var lead = 0.1
  /// What went wrong, in order; the first hundred.
  public private(set) var failures: [MediaError] = []
  public private(set) var isOver = false
  /// Frames handed to the layer, and those that came back.
  public private(set) var enqueuedCount = 0
  public private(set) var releasedCount = 0

  private static let mostFailures = 100
  /// Of the present run through the video.
  private var runStart: Double
  /// The end of what was enqueued, in the renderers' time.
  private var reached: Double
  private var framesOfRun = 0
  private var failuresInRow = 0

  public init(_ source: any VideoSource, into layer: SurfaceLayer, startingAt start: Double = 0, loops: Bool = false) {
    self.source = source
    self.layer = layer
    self.start = start.isFinite ? start : 0
    self.loops = loops
    runStart = self.start
    reached = self.start
    layer.pacing = source.isLive ? .latest : .byTime
    if source.isLive { lead = 0 }
  }

  /// Decodes whatever is due until `time`, and a little more.
  public func advance(to time: Double) {
    guard time.isFinite else { return }
    while !isOver, reached <= time + lead {
      // A queue that is full loses its oldest: those whose time has come may be skipped, later ones not.
      guard layer.queuedCount < layer.queueLimit || reached <= time else { return }
      do throws(MediaError) {
        guard let frame = try source.next() else {
          // A live source has no more yet.
          if source.isLive { return }
          try again()
          continue
        }
        failuresInRow = 0
        framesOfRun += 1
        enqueue(frame)
      } catch {
        note(error)
        // A camera that was taken away does not come back by itself.
        if source.isLive, error.code == .unreadable { isOver = true }
      }
    }
  }

  private func enqueue(_ frame: VideoFrame) {
    enqueuedCount += 1
    let due = runStart + frame.time
    reached = due + max(1e-6, frame.duration)
    layer.enqueue(SurfaceBuffer(frame.image, time: due) { [weak self] in self?.releasedCount += 1 })
  }

  private func again() throws(MediaError) {
    // Nothing came of a whole run: nothing would come of the next.
    guard loops, framesOfRun > 0, try source.rewind() else {
      isOver = true
      return
    }
    framesOfRun = 0
    runStart = reached
  }

  private func note(_ error: MediaError) {
    if failures.count < Self.mostFailures { failures.append(error) }
    failuresInRow += 1
    // Each error stands for some bytes of the file; so many in a row, and nothing else is left.
    if failuresInRow > 1000 { isOver = true }
  }
}

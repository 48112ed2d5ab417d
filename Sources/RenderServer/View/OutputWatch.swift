import FramePlan
import Geometry
import LiveView

/// That an output is looked at: what of it the viewers have not got, and whether they can take more. Outputs that nobody
/// looks at have none.
final class OutputWatch {
  private let host: ViewHost
  /// A picture is wanted, and none is on its way.
  private(set) var isReady = false
  private var damage: DirtyRegion
  /// Where more moves, what it lies in is sent, so that the loop does not sort thousands of places for a picture.
  private static let partLimit = 256
  /// Of the last frame that was drawn.
  private var counters = FrameCounters()

  init(_ host: ViewHost, _ size: PixelSize) {
    self.host = host
    damage = DirtyRegion(size)
  }

  /// There is something that the viewers could take.
  var isBehind: Bool { isReady && !damage.isEmpty }

  func want() { isReady = true }

  /// A frame was drawn, of which these parts are new.
  func add(_ parts: [RedrawnPart], of size: PixelSize, _ counters: FrameCounters) {
    self.counters = counters
    if parts.count <= Self.partLimit {
      for part in parts where part.target == nil { damage.add(part.rect) }
    } else {
      damage.add(parts.reduce(PixelRect.empty) { $1.target == nil ? $0.union($1.rect) : $0 })
    }
    damage.clip(to: size)
  }

  /// All of it is new.
  func invalidate(_ size: PixelSize) { damage = DirtyRegion(size) }

  /// The frame's pixels are on their way.
  /// - Returns: what is new in them.
  func begin() -> DirtyRegion {
    defer { damage = DirtyRegion() }
    isReady = false
    return damage
  }

  /// The pixels have come; nil where they were lost.
  func take(
    _ pixels: [UInt8]?, of output: OutputObject, size: PixelSize, _ damage: DirtyRegion, _ stamp: FrameStamp,
    nanoseconds: UInt64
  ) {
    guard let pixels, pixels.count == size.area * 4 else {
      invalidate(size)
      isReady = true
      return
    }
    host.show(pixels, of: output, size: size, damage, stamp, nanoseconds: nanoseconds, counters)
  }

  /// The output is gone.
  func end(_ output: OutputNumber) { host.lost(output) }
}

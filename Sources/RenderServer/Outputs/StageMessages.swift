import FramePlan
import GLES
import GLRenderer
import Geometry
import RenderTree

/// Names an output for as long as the server lives. Never used twice.
struct OutputNumber: Sendable, Hashable {
  let rawValue: UInt64

  /// That of no output.
  static let none = OutputNumber(rawValue: 0)
}

/// One frame of an output, to be drawn on the render thread.
struct FrameJob: Sendable {
  var output: OutputNumber
  /// The same as the last time where nothing has changed and only the pixels are wanted.
  var snapshot: Snapshot
  var size: PixelSize
  var scale: Double
  var background: PremultipliedColor
  /// By which the pixels are known, where they are wanted: they come later, by a message of their own.
  var reading: UInt64?
  /// Dma-bufs that the frame is copied into, each by the number that is said when it is there.
  var copies: [(ticket: UInt64, target: DmaBufferContents)] = []
  /// By which it is said that the GPU has done the frame.
  var mark: UInt64?
  /// Somebody wants to know which pictures it shows.
  var wantsPictures = false
}

/// One layer alone, to be drawn on the render thread.
struct LayerJob: Sendable {
  /// By which the answer is known.
  var ticket: UInt64
  var snapshot: Snapshot
  var size: PixelSize
  var scale: Double
}

/// What the render thread says.
enum StageMessage: Sendable {
  case frame(FrameOutcome)
  /// Premultiplied RGBA; nil where they were lost with the device.
  case pixels(output: OutputNumber, reading: UInt64, pixels: [UInt8]?)
  case layer(ticket: UInt64, pixels: [UInt8]?)
  /// The frame is in a dma-buf, or can't be.
  case copied(output: OutputNumber, ticket: UInt64, isWhole: Bool)
  /// A dma-buf can be imported, or why not.
  case tried(ticket: UInt64, fault: String?)
  /// Everything that was posted before this was asked for is done, by the GPU too.
  case done(ticket: UInt64)
}

/// What became of a frame.
struct FrameOutcome: Sendable {
  enum Result: Sendable, Hashable {
    case drawn
    /// The output shows it already.
    case unchanged
    case failed(String)
  }

  var output: OutputNumber
  var result: Result
  var size: PixelSize
  /// What the output's renderer holds of the GPU's memory.
  var bytes: Int
  var counters: FrameCounters
  /// Pixels of contents that were given to the GPU, and such of dma-bufs that it copied.
  var pictureBytes = 0
  var copiedPixels = 0
  var sources: [SourceReport]
  /// The pictures that it shows some pixels of, by identity, where that was asked for and the frame did not fail.
  var pictures: Set<UInt64> = []
  /// What was drawn anew.
  var redrawn: [RedrawnPart] = []
  /// The next frame differs even if nothing is committed: some portal shows the frame before.
  var changesByItself: Bool
  /// The device was lost and made anew for it: what other outputs show has to be drawn again.
  var lostDevice: Bool
}

import FramePlan

/// What the server has done since its start.
struct ServerCounters {
  var connections: UInt64 = 0
  var commits: UInt64 = 0
  var commitsRefused: UInt64 = 0
  var violations: UInt64 = 0
  var framesDrawn: UInt64 = 0
  var framesUnchanged: UInt64 = 0
  var framesFailed: UInt64 = 0
  var devicesLost: UInt64 = 0
  var picturesWritten: UInt64 = 0
  var picturesSkipped: UInt64 = 0
  /// Pixels of contents that were given to the GPU.
  var pictureBytes: UInt64 = 0
  /// Pixels that the GPU copied from one place to another, such as out of a dma-buf.
  var copiedPixels: UInt64 = 0
  /// Of the last frame that was drawn on any output.
  var lastFrame = FrameCounters()
}

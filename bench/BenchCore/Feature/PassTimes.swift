import Porthole

/// What a frame's passes take, by several frames in which each was timed.
struct PassTimes {
  /// Of each pass, the middle of its times.
  var passes: [FrameInstruments.Pass]
  /// Their median distance from it, as a part of it.
  var spreads: [Double?]
  var frames: Int

  /// Frames of other passes than the last are left out.
  init(_ frames: [[FrameInstruments.Pass]]) {
    passes = frames.last ?? []
    let targets = passes.map(\.target)
    let alike = frames.filter { frame in frame.map(\.target) == targets }
    self.frames = alike.count
    spreads = []
    for index in passes.indices {
      let times = alike.map { Double($0[index].nanoseconds) }
      guard let middle = Quantile.median(times), middle > 0 else {
        spreads.append(nil)
        continue
      }
      passes[index].nanoseconds = UInt64(middle)
      spreads.append(times.count > 1 ? Quantile.medianDeviation(times).map { $0 / middle } : nil)
    }
  }
}

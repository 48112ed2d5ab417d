/// What became of a frame.
public enum FrameResult: Sendable, Hashable {
  /// The GPU has been given all of it.
  case drawn
  /// The plan has no passes: the output is as it was.
  case unchanged
  /// The GPU is gone, and with it everything on it. A new device and a new renderer draw the same plan again.
  case deviceLost
  /// Nothing was drawn, because it can't be: the reason is a sentence.
  case skipped(String)
}

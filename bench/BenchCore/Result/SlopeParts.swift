/// What each further portal's cost is made of: by how much the parts of a frame grow from few portals to many.
public struct SlopeParts: Sendable, Hashable {
  public struct Part: Sendable, Hashable {
    public var name: String
    /// Milliseconds a portal.
    public var slope: Double
    /// Of the sum of all parts that grow.
    public var share: Double
  }

  public var suite: Suite
  public var strategy: Strategy
  /// Between which N.
  public var from: Int
  public var to: Int
  /// The dearest first; what does not grow is left out.
  public var parts: [Part]

  /// `few` and `many` are of several frames each; of each part, the median counts. Nil where nothing grows or a number is
  /// none.
  public init?(
    suite: Suite, strategy: Strategy, few: (n: Int, frames: [[FramePart]]), many: (n: Int, frames: [[FramePart]])
  ) {
    guard many.n > few.n, let names = few.frames.first?.map(\.name) else { return nil }
    func median(_ name: String, _ frames: [[FramePart]]) -> Double? {
      Quantile.median(frames.compactMap { frame in frame.first { $0.name == name }?.milliseconds })
    }
    var grown: [(name: String, slope: Double)] = []
    for name in names {
      guard let low = median(name, few.frames), let high = median(name, many.frames) else { return nil }
      let slope = (high - low) / Double(many.n - few.n)
      if slope > 0 { grown.append((name, slope)) }
    }
    let sum = grown.reduce(0) { $0 + $1.slope }
    guard sum > 0, sum.isFinite else { return nil }
    (self.suite, self.strategy, from, to) = (suite, strategy, few.n, many.n)
    parts = grown.sorted { $0.slope > $1.slope }.map { Part(name: $0.name, slope: $0.slope, share: $0.slope / sum) }
  }
}

/// Instructions of a frame, from two runs that differ in their number of frames alone: what starting and compiling takes is
/// in both, and cancels.
public struct InstructionCount: Sendable, Hashable {
  public var n: Int
  /// How many frames either run drew, and how many instructions it took.
  public var frames: [Int]
  public var totals: [UInt64]

  /// Throws a sentence where the longer run took no more instructions than the shorter: one of them was none.
  public init(n: Int, frames: [Int], totals: [UInt64]) throws(BenchError) {
    guard frames.count == 2, totals.count == 2, frames[0] > 0, frames[1] > frames[0] else {
      throw BenchError(.report, "instructions take two runs of which the second draws more frames.")
    }
    guard totals[0] > 0, totals[1] > totals[0] else {
      throw BenchError(
        .report,
        "\(frames[1]) frames of N = \(n) took \(totals[1]) instructions and \(frames[0]) took \(totals[0]): that is no "
          + "count.")
    }
    (self.n, self.frames, self.totals) = (n, frames, totals)
  }

  public var perFrame: Double { Double(totals[1] - totals[0]) / Double(frames[1] - frames[0]) }

  public var id: String { "portal-grid/strategy=portal/n=\(n)" }

  /// What each further portal takes, by the smallest and the largest N. Nil for one N alone.
  public static func slope(_ counts: [InstructionCount]) -> Double? {
    guard let few = counts.min(by: { $0.n < $1.n }), let many = counts.max(by: { $0.n < $1.n }), many.n > few.n else {
      return nil
    }
    return (many.perFrame - few.perFrame) / Double(many.n - few.n)
  }
}

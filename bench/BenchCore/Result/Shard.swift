/// A part of a plan: which of so many it is. Cells are dealt out by a hash of what they are but for their strategy, so that
/// those which are held against each other stay together, whatever else the plan holds.
public struct Shard: Sendable, Hashable {
  /// From 1 to `count`.
  public var index: Int
  public var count: Int

  /// Nil unless `index` is one of `count`.
  public init?(index: Int, count: Int) {
    guard count >= 1, count <= 10_000, index >= 1, index <= count else { return nil }
    self.index = index
    self.count = count
  }

  /// `2/7`. Throws a sentence that says what is expected.
  public init(_ text: String) throws(BenchError) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard parts.count == 2, let shard = Shard(index: parts[0], count: parts[1]) else {
      throw BenchError(.usage, "--shard takes which of how many, as in 2/7, but got \"\(text)\".")
    }
    self = shard
  }

  /// Whether a cell is its own, by the cell's identifier.
  public func contains(_ id: String) -> Bool {
    let group = id.split(separator: "/").filter { !$0.hasPrefix("strategy=") && FactorLevel($0) == nil }.joined(
      separator: "/")
    let number = UInt64(SHA256.hex(group).prefix(12), radix: 16) ?? 0
    return Int(number % UInt64(count)) + 1 == index
  }
}

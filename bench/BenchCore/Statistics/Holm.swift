/// Holm's adjustment of several tests' p-values, so that the chance of even one false alarm among them all stays what
/// was chosen for one.
public enum Holm {
  /// Each adjusted p-value in the place of its own; compare it with the level for all. A test that has none (nil) stays
  /// without and does not count.
  /// - Complexity: O(n log n)
  public static func adjusted(_ values: [Double?]) -> [Double?] {
    let order = values.indices.compactMap { index in values[index].map { (index: index, p: $0) } }
      .sorted { $0.p < $1.p }
    var result = [Double?](repeating: nil, count: values.count)
    var largest = 0.0
    for (rank, test) in order.enumerated() {
      largest = max(largest, min(1, test.p * Double(order.count - rank)))
      result[test.index] = largest
    }
    return result
  }
}

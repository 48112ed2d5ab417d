/// How much a number says of the next one in its row.
public enum Correlation {
  /// Of each with its successor; nil for fewer than three, and where they do not differ.
  public static func lag1(_ values: [Double]) -> Double? {
    guard values.count > 2, values.allSatisfy(\.isFinite) else { return nil }
    let mean = values.reduce(0, +) / Double(values.count)
    let total = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    guard total > 0 else { return nil }
    let pairs = zip(values, values.dropFirst()).reduce(0) { $0 + ($1.0 - mean) * ($1.1 - mean) }
    return pairs / total
  }
}

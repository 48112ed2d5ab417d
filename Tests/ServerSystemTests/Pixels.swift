/// Compares pictures byte by byte.
enum Pixels {
  /// How two pictures differ, in words; nil if they don't. Not left to `==`, since a failed one of arrays so long is
  /// explained for minutes.
  static func difference(_ a: [UInt8], _ b: [UInt8]) -> String? {
    guard a.count == b.count else { return "\(a.count) bytes and \(b.count)" }
    let places = zip(a, b).enumerated().filter { $0.element.0 != $0.element.1 }
    guard let first = places.first else { return nil }
    let (old, new) = first.element
    return "\(places.count) of \(a.count) bytes, the first at \(first.offset): \(old) and \(new)"
  }
}

import Commit

extension PropertyRecords {
  /// The most bytes of a layer's name.
  public static let longestName = 255
}

extension String {
  /// The text, or as much of it as so many bytes hold, without a character cut in two.
  public func cut(to byteCount: Int) -> String {
    guard utf8.count > byteCount else { return self }
    var end = startIndex
    var count = 0
    while end < endIndex {
      count += self[end].utf8.count
      if count > byteCount { break }
      end = index(after: end)
    }
    return String(self[..<end])
  }
}

extension PortalOverride {
  /// The path with names as the wire has them.
  public var wirePath: String {
    PortalOverride(
      path: path.map { step in
        if case .sublayer(let name) = step { .sublayer(name.cut(to: PropertyRecords.longestName)) } else { step }
      }, property
    ).keyPath
  }
}

/// Which messages are written: a level for each category, and one for the rest.
public struct LogFilter: Sendable, Hashable {
  public private(set) var standard: Log.Level
  public private(set) var categories: [String: Log.Level] = [:]
  /// Parts of the text that meant nothing, for a warning.
  public private(set) var refused: [String] = []

  public init(standard: Log.Level = .warning) { self.standard = standard }

  /// Reads `render=debug,gles=trace` or, for every category, `debug`. Later parts win. What can't be read is kept in
  /// `refused` and changes nothing.
  public init(_ text: String) {
    self.init()
    for part in text.split(separator: ",") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let word = sides.last, let level = Log.Level(name: Self.trimmed(word)) else {
        refused.append(String(part))
        continue
      }
      if sides.count == 1 {
        standard = level
      } else {
        categories[String(Self.trimmed(sides[0]))] = level
      }
    }
  }

  /// Whether a message of this level in this category is to be written.
  public func allows(_ level: Log.Level, category: String) -> Bool { level <= categories[category] ?? standard }

  private static func trimmed(_ text: Substring) -> Substring {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return text
  }
}

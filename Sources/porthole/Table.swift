/// Columns of text, as wide as they have to be. Names come from clients: what could steer a terminal is replaced.
struct Table {
  private let titles: [String]
  private var rows: [[String]] = []
  /// Columns of numbers, which stand at the right.
  private let numbers: Set<Int>

  init(_ titles: [String], numbers: Set<Int> = []) {
    self.titles = titles
    self.numbers = numbers
  }

  mutating func add(_ cells: [String]) { rows.append(cells.map(Self.plain)) }

  /// Empty where there is no row.
  var text: String {
    guard !rows.isEmpty else { return "" }
    let widths = titles.indices.map { column in
      ([titles] + rows).reduce(0) { max($0, column < $1.count ? $1[column].count : 0) }
    }
    let lines = ([titles] + rows).map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: max(0, widths[column] - cell.count))
        return numbers.contains(column) ? space + cell : cell + space
      }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func plain(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Bytes for people: `640`, `1.5K`, `24M`.
  static func bytes(_ count: UInt64) -> String {
    var value = Double(count)
    for unit in ["", "K", "M", "G"] {
      if value < 1024 || unit == "G" {
        let tenths = (value * 10).rounded() / 10
        return tenths < 10 && unit != "" ? "\(tenths)\(unit)" : "\(UInt64(value.rounded()))\(unit)"
      }
      value /= 1024
    }
    return "\(count)"
  }
}

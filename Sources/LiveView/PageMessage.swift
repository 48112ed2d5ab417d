import Geometry
import JSON

/// A message of a page's: a JSON array, its first element a word.
enum PageMessage: Sendable {
  case watch(UInt64)
  /// A picture has been shown.
  case acknowledge
  case ask(ViewQuestion)
  case input(ViewInput)

  /// The most bytes that one has.
  static let byteLimit = 4096

  /// Nil for what is none.
  init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.byteLimit, let document = try? JSONParser.parse(bytes), !document.nodes.isEmpty,
      document[0].value == .array
    else { return nil }
    let words = Words(document)
    guard case .string(let word)? = words[0] else { return nil }
    switch word {
    case "watch":
      guard let output = words.number(1).flatMap({ UInt64(exactly: $0) }) else { return nil }
      self = .watch(output)
    case "ack": self = .acknowledge
    case "ask":
      guard let name = words.text(1, longest: 32) else { return nil }
      self = .ask(.document(name))
    case "hit":
      guard let point = words.point(1) else { return nil }
      self = .ask(.hit(point))
    default:
      guard let input = Self.input(word, words) else { return nil }
      self = .input(input)
    }
  }

  private static func input(_ word: String, _ words: Words) -> ViewInput? {
    switch word {
    case "move": return words.point(1).map { .move($0) }
    case "scroll": return words.point(1).map { .scroll($0) }
    case "button":
      guard let code = words.code(1), let isDown = words.flag(2) else { return nil }
      return .button(code: code, isDown: isDown)
    case "key":
      guard let code = words.code(1), let isDown = words.flag(2) else { return nil }
      return .key(code: code, isDown: isDown, text: words.text(3, longest: 8))
    case "text": return words.text(1, longest: 1024).map { .text($0) }
    case "touch":
      guard let finger = words.code(1), finger < 16, let state = words.text(2, longest: 5) else { return nil }
      let number = Int32(finger)
      if state == "up" { return .touch(finger: number, .up) }
      guard let point = words.point(3) else { return nil }
      switch state {
      case "down": return .touch(finger: number, .down(point))
      case "move": return .touch(finger: number, .moved(point))
      default: return nil
      }
    default: return nil
    }
  }

  /// The elements of the array.
  private struct Words {
    private let values: [JSONDocument.Value]

    init(_ document: JSONDocument) { values = document.children(of: 0).map { document[$0].value } }

    subscript(index: Int) -> JSONDocument.Value? { index < values.count ? values[index] : nil }

    func number(_ index: Int) -> Double? {
      guard case .number(let number)? = self[index], number.isFinite else { return nil }
      return number
    }

    func point(_ index: Int) -> Point? {
      guard let x = number(index), let y = number(index + 1), abs(x) < 1e6, abs(y) < 1e6 else { return nil }
      return Point(x, y)
    }

    /// Of a button or a key: Linux has them up to `KEY_MAX`.
    func code(_ index: Int) -> UInt32? {
      number(index).flatMap { UInt32(exactly: $0) }.flatMap { $0 <= 0x2FF ? $0 : nil }
    }

    func flag(_ index: Int) -> Bool? {
      switch self[index] {
      case .number(0)?: false
      case .number(1)?: true
      default: nil
      }
    }

    func text(_ index: Int, longest: Int) -> String? {
      guard case .string(let text)? = self[index], text.utf8.count <= longest else { return nil }
      return text
    }
  }
}

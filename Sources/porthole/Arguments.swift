/// Arguments that a command can't make sense of.
struct UsageError: Error {
  var message: String

  init(_ message: String) { self.message = message }
}

/// A command's arguments, taken apart: words in order, and options of which each may be given once.
struct Arguments {
  /// An option as it is written; some have a value, in the next word or after `=`.
  enum Option: String, CaseIterable {
    case output = "-o"
    case scale = "--scale"
    case layer = "--layer"
    case renderer = "--renderer"
    case display = "--display"
    case format = "--format"
    case blending = "--blending"
    case skipUnsupported = "--skip-unsupported"
    case at = "--at"
    case frames = "--frames"
    case fps = "--fps"
    case json = "--json"
    case overlay = "--overlay"
    case pictureClass = "--class"
    case diff = "--diff"
    // Of `porthole server`.
    case socket = "--socket"
    case prometheus = "--prometheus"
    case outputNumber = "--output"
    case portal = "--portal"
    case raw = "--raw"
    case seconds = "--seconds"
    case singleUse = "--single-use"
    // Of `porthole run`.
    case scene = "--scene"
    case size = "--size"
    case view = "--view"

    var takesValue: Bool {
      switch self {
      case .skipUnsupported, .json, .prometheus, .raw, .singleUse: false
      default: true
      }
    }
  }

  private(set) var words: [String] = []
  private var values: [Option: String] = [:]

  /// - Parameters:
  ///   - names: what each of the plain words is, in order; all of them are needed.
  ///   - repeatsLast: the last may be given any number of times.
  ///   - options: those that the command has.
  init(
    _ arguments: [String], words names: [String], repeatsLast: Bool = false, options: Set<Option>
  ) throws(UsageError) {
    var rest = arguments[...]
    var takesOptions = true
    while let word = rest.popFirst() {
      if takesOptions, word == "--" {
        takesOptions = false
        continue
      }
      // A lone dash and a negative number are words.
      guard takesOptions, word.hasPrefix("-"), word != "-", word.dropFirst().first?.isNumber != true else {
        words.append(word)
        continue
      }
      let parts =
        word.hasPrefix("--") ? word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false) : [word[...]]
      let name = parts.first.map(String.init) ?? word
      let isAlias = name == "--output" && !options.contains(.outputNumber)
      guard let option = isAlias ? .output : Option(rawValue: name), options.contains(option) else {
        throw UsageError("unknown option \(name)")
      }
      guard values[option] == nil else { throw UsageError("\(name) is given twice") }
      if option.takesValue {
        guard let value = parts.count > 1 ? String(parts[1]) : rest.popFirst(), !value.isEmpty else {
          throw UsageError("\(name) needs a value")
        }
        values[option] = value
      } else {
        guard parts.count == 1 else { throw UsageError("\(name) takes no value") }
        values[option] = ""
      }
    }
    guard words.count >= names.count else { throw UsageError("\(names[words.count]) is missing") }
    guard words.count == names.count || repeatsLast else {
      throw UsageError("“\(words[names.count])” is one word too many")
    }
  }

  subscript(index: Int) -> String { words[index] }

  subscript(option: Option) -> String? { values[option] }

  func has(_ option: Option) -> Bool { values[option] != nil }

  /// The value as one of an enumeration's words.
  func word<Value: RawRepresentable & CaseIterable>(
    _ option: Option, default fallback: Value
  ) throws(UsageError) -> Value
  where Value.RawValue == String {
    guard let text = values[option] else { return fallback }
    guard let value = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\(option.rawValue) is one of \(names), not “\(text)”")
    }
    return value
  }

  /// A number within bounds; nil where it is not given.
  func number(_ option: Option, in range: ClosedRange<Double>) throws(UsageError) -> Double? {
    guard let text = values[option] else { return nil }
    guard let number = Double(text), range.contains(number) else {
      throw UsageError("\(option.rawValue) is a number from \(range.lowerBound) to \(range.upperBound), not “\(text)”")
    }
    return number
  }

  /// Pixels per point; 1 where it is not given.
  func scale() throws(UsageError) -> Double {
    guard let text = values[.scale] else { return 1 }
    guard let scale = Double(text), scale.isFinite, scale > 0 else {
      throw UsageError("--scale is a number above 0, not “\(text)”")
    }
    return scale
  }
}

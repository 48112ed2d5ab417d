/// Words and options, of which each has a value.
struct ExampleArguments {
  private(set) var words: [String] = []
  private var values: [String: String] = [:]

  private static let options = ["-o", "--at", "--fps", "--scale", "--scenes", "--renderer", "--quality"]

  init(_ arguments: [String]) throws(ExampleError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("-"), word != "--help", word != "-h" else {
        words.append(word)
        continue
      }
      guard Self.options.contains(word), values[word] == nil, let value = rest.popFirst() else {
        throw ExampleError("\(word) is no option, or has no value; see --help")
      }
      values[word] = value
    }
  }

  subscript(option: String) -> String? { values[option] }

  func output() throws(ExampleError) -> String {
    guard let output = values["-o"] else { throw ExampleError("-o OUT is missing") }
    return output
  }

  func number(_ option: String, _ usual: Double) throws(ExampleError) -> Double {
    guard let text = values[option] else { return usual }
    guard let number = Double(text), number >= 0, number <= 1000, number > 0 || option == "--at" else {
      throw ExampleError("\(option) takes a number above 0, at most 1000, not “\(text)”")
    }
    return number
  }
}

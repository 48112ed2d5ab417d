/// The words of a command line, taken apart: flags, options with their values (`--n 4` or `--n=4`), and what is neither.
/// Each is looked up by name; what nobody knows is an error that names it.
public struct OptionReader: Sendable {
  private let command: String
  private var flags: Set<String> = []
  private var values: [(name: String, value: String)] = []
  /// What stands there without an option's name.
  public private(set) var words: [String] = []
  /// What follows `--`.
  public private(set) var rest: [String] = []

  /// Throws a sentence that names the option and what it expects.
  public init(
    _ arguments: [String], command: String, flags knownFlags: Set<String>, values knownValues: Set<String>
  ) throws(BenchError) {
    self.command = command
    var left = arguments[...]
    while let argument = left.popFirst() {
      if argument == "--" {
        rest = Array(left)
        break
      }
      guard argument.hasPrefix("--") else {
        words.append(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if knownFlags.contains(parts[0]) {
        guard parts.count == 1 else { throw BenchError(.usage, "\(parts[0]) takes no value.") }
        flags.insert(argument)
      } else if knownValues.contains(parts[0]) {
        guard let value = parts.count > 1 ? parts[1] : left.popFirst(), !value.isEmpty else {
          throw BenchError(.usage, "\(parts[0]) needs a value.")
        }
        values.append((parts[0], value))
      } else {
        throw BenchError(.usage, "there is no option \"\(parts[0])\" for \(command).")
      }
    }
  }

  public func has(_ flag: String) -> Bool { flags.contains(flag) }
  public func all(_ name: String) -> [String] { values.filter { $0.name == name }.map(\.value) }
  /// The last of that name: a later word changes an earlier one.
  public func text(_ name: String) -> String? { values.last { $0.name == name }?.value }

  public func refuseWords() throws(BenchError) {
    if let word = words.first { throw BenchError(.usage, "\(command) takes no argument, but got \"\(word)\".") }
  }

  public func whole(_ name: String, _ range: ClosedRange<Int>) throws(BenchError) -> Int? {
    guard let text = text(name) else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw BenchError(
        .usage, "\(name) takes a number from \(range.lowerBound) to \(range.upperBound), but got \"\(text)\".")
    }
    return number
  }

  public func number(_ name: String, _ range: ClosedRange<Double>, unit: String) throws(BenchError) -> Double? {
    guard let text = text(name) else { return nil }
    // "120s" says the same as "120".
    let plain = unit == "seconds" && text.hasSuffix("s") ? String(text.dropLast()) : text
    guard let number = Double(plain), range.contains(number) else {
      throw BenchError(
        .usage,
        "\(name) takes \(unit) from \(NumberText.shortest(range.lowerBound)) to "
          + "\(NumberText.shortest(range.upperBound)), but got \"\(text)\".")
    }
    return number
  }

  public func seed() throws(BenchError) -> UInt64 {
    guard let text = text("--seed") else { return 1 }
    guard let number = UInt64(text) else {
      throw BenchError(.usage, "--seed takes a whole number from 0, but got \"\(text)\".")
    }
    return number
  }

  public func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ name: String, _ type: Value.Type
  ) throws(BenchError) -> Value? {
    guard let text = text(name) else { return nil }
    guard let value = Value(rawValue: text) else {
      let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw BenchError(.usage, "\(name) knows \(names), but got \"\(text)\".")
    }
    return value
  }

  /// Points, as in 1280x720.
  public func size() throws(BenchError) -> (width: Int, height: Int)? {
    guard let text = text("--size") else { return nil }
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard parts.count == 2, parts.allSatisfy({ (64...16_384).contains($0) }) else {
      throw BenchError(.usage, "--size takes points from 64x64 to 16384x16384, but got \"\(text)\".")
    }
    return (parts[0], parts[1])
  }

  public func shape() throws(BenchError) -> OutputShape {
    var shape = OutputShape()
    if let size = try size() { (shape.width, shape.height) = size }
    shape.scale = try number("--scale", 0.25...8, unit: "pixels per point") ?? 1
    return shape
  }
}

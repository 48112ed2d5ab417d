internal import CGLES

enum ShaderStage: String {
  case vertex
  case fragment
}

/// What a driver's compiler says about a shader.
enum ShaderLog {
  /// More than any compiler says that is worth reading.
  private static let limit = 8192

  /// Reads a log by one of GL's two functions for it.
  static func read(_ get: (GLsizei, UnsafeMutablePointer<GLchar>?) -> Void) -> String {
    let bytes = [GLchar](unsafeUninitializedCapacity: limit) { buffer, initialized in
      buffer.initialize(repeating: 0)
      get(GLsizei(limit), buffer.baseAddress)
      initialized = limit
    }
    var text = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.isEmpty ? "the compiler gave no reason" : text
  }

  /// ` at line 12, «float x = ;»`; empty where the log names no line.
  static func place(of log: String, in source: String) -> String {
    guard let number = lineNumber(in: log) else { return "" }
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices ~= number - 1 else { return " at line \(number)" }
    let line = lines[number - 1].drop { $0 == " " }
    return " at line \(number), «\(line)»"
  }

  /// Compilers write `0:12(5): error`, `0(12) : error` or `ERROR: 0:12: …`: the line follows the text's number.
  static func lineNumber(in log: String) -> Int? {
    let bytes = Array(log.utf8)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    var index = 0
    while index < bytes.count {
      guard digits ~= bytes[index] else {
        index += 1
        continue
      }
      while index < bytes.count, digits ~= bytes[index] { index += 1 }
      guard index < bytes.count, bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: "(") else {
        continue
      }
      let line = bytes[(index + 1)...].prefix { digits ~= $0 }
      if let number = Int(String(decoding: line, as: UTF8.self)) { return number }
    }
    return nil
  }
}

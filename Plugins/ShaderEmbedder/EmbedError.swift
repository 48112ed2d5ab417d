/// Why the shaders could not be embedded: lines as a compiler prints them.
struct EmbedError: Error {
  var lines: [String]

  init(_ lines: [String]) { self.lines = lines }
  init(_ line: String) { self.init([line]) }

  /// A fault at a place in a file, in the form that editors find.
  init(file: String, line: Int, _ message: String) { self.init("\(file):\(line): error: \(message)") }
}

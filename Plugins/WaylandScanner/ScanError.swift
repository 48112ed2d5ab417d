/// Why a protocol could not be turned into Swift: a line as a compiler prints it.
struct ScanError: Error {
  var line: String

  init(_ line: String) { self.line = line }

  /// A fault at a place in a file, in the form that editors find.
  init(file: String, line: Int, _ message: String) { self.init("\(file):\(line): error: \(message)") }
}

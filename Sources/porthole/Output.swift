import Foundation

/// Data goes to standard output, messages to standard error.
enum Output {
  @discardableResult
  static func data(_ text: String) -> ExitCode {
    write(text, to: .standardOutput) ? .success : .failure
  }

  static func message(_ text: String) { _ = write("porthole: \(text)\n", to: .standardError) }

  /// Says what happened to a person at a terminal; silent where the output goes elsewhere.
  static func note(_ text: String) {
    if isatty(STDERR_FILENO) == 1 { message(text) }
  }

  /// A line that takes the place of the last one, at a terminal.
  static func progress(_ text: String, isLast: Bool) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    // Back to the margin, and away with what stands there.
    _ = write("\r\u{1B}[K\(text)\(isLast ? "\n" : "")", to: .standardError)
  }

  private static func write(_ text: String, to handle: FileHandle) -> Bool {
    do {
      try handle.write(contentsOf: Data(text.utf8))
      return true
    } catch {
      return false
    }
  }
}

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

  private static func write(_ text: String, to handle: FileHandle) -> Bool {
    do {
      try handle.write(contentsOf: Data(text.utf8))
      return true
    } catch {
      return false
    }
  }
}

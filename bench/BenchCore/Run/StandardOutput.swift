#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process's own output.
enum StandardOutput {
  /// Hands on what was printed: a reader at the other end of a pipe waits for it.
  /// False where nobody takes it.
  @discardableResult
  static func flush() -> Bool { fflush(nil) == 0 }

  /// Ends this process with code 1.
  static func end() { exit(1) }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The process's own output.
enum StandardOutput {
  /// Hands on what was printed: a reader at the other end of a pipe waits for it.
  static func flush() { fflush(nil) }
}

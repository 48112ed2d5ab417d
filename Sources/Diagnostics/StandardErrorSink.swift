#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Writes a line a message to standard error: seconds since boot, level, category, message.
enum StandardErrorSink {
  static func write(_ entry: Log.Entry) {
    let milliseconds = entry.nanoseconds / 1_000_000
    let fraction = String(milliseconds % 1000)
    let padding = String(repeating: "0", count: 3 - fraction.count)
    var line =
      "[\(milliseconds / 1000).\(padding)\(fraction)] \(entry.level.name) \(entry.category): \(entry.message)\n"
    // One call a line, so that the lines of two threads don't mix. A log that can't be written is given up.
    line.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while rest.count > 0 {
        #if canImport(Glibc)
          let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
        #else
          let count = Musl.write(STDERR_FILENO, rest.baseAddress, rest.count)
        #endif
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest[count...])
      }
    }
  }
}

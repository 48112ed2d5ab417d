#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// Under names that the functions below don't hide.
private func readBytes(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}

/// Why a file could not be read or written.
package struct FileError: Error, Sendable {
  /// As in “no such file or directory”.
  package var reason: String

  init(_ reason: String) { self.reason = reason }

  init(errno code: Int32) { reason = strerror(code).map { String(cString: $0) } ?? "error \(code)" }
}

/// Whole files, in and out.
package enum FileBytes {
  package static func read(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
    // Not to wait for a writer, should it be a pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw FileError(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw FileError(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw FileError("it is no regular file") }
    guard status.st_size <= limit else { throw FileError("it is larger than \(limit >> 20) MiB") }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes {
        readBytes(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno) }
      // It became shorter while it was read.
      guard count > 0 else { break }
      filled += count
    }
    bytes.removeLast(bytes.count - filled)
    return bytes
  }

  /// Writes under another name beside the file and renames, so that there is either the old file or the whole new one.
  /// The signals that end a program wait meanwhile, so that nothing is left behind. What is no regular file, such as a
  /// device, is written to as it is.
  package static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw FileError(errno: errno) }
      return try finish(descriptor, bytes)
    }
    let path = resolved(path)
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let folder = slash.map { String(path[...$0]) } ?? ""
    guard !path.isEmpty, !path.hasSuffix("/") else { throw FileError("it is a folder") }

    var (blocked, previous) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&blocked, signal) }
    pthread_sigmask(SIG_BLOCK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }

    let (descriptor, temporary) = try openTemporary(in: folder)
    do throws(FileError) {
      try finish(descriptor, bytes)
      guard rename(temporary, path) == 0 else { throw FileError(errno: errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The file that a path leads to, through links; the path itself where there is none yet.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  /// A new file of a name that nothing else has.
  private static func openTemporary(in folder: String) throws(FileError) -> (descriptor: Int32, path: String) {
    for number in 0..<1000 {
      let path = "\(folder).porthole-\(getpid())-\(number).tmp"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      if descriptor >= 0 { return (descriptor, path) }
      guard errno == EEXIST else { throw FileError(errno: errno) }
    }
    throw FileError(errno: EEXIST)
  }

  /// Writes everything and closes.
  private static func finish(_ descriptor: Int32, _ bytes: [UInt8]) throws(FileError) {
    var written = 0
    var failure: Int32 = 0
    while written < bytes.count, failure == 0 {
      let count = bytes.withUnsafeBytes {
        writeBytes(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written)
      }
      if count < 0 {
        if errno != EINTR { failure = errno }
      } else {
        written += count
      }
    }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure != 0 { throw FileError(errno: failure) }
  }
}

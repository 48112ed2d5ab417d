import LinuxIO

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client's descriptor that something is written to: a pipe, a socket, a file or memory. The server never waits for a
/// pipe or a socket, and leaves the client's own end as it is.
final class ByteSink {
  let descriptor: FileDescriptor
  /// Written to on the writer's thread; else as the other end takes it.
  let isFile: Bool
  private let isSocket: Bool
  private var bytes: [UInt8] = []
  private var sent = 0
  private var token: EventLoop.Token?
  private var whenDone: ((Bool) -> Void)?

  /// Takes over the descriptor; nil for one that can't be written to without waiting.
  init?(_ descriptor: consuming FileDescriptor) {
    var status = stat()
    let fd = descriptor.rawValue
    let flags = fcntl(fd, F_GETFL)
    guard fstat(fd, &status) == 0, flags >= 0, flags & O_ACCMODE != O_RDONLY else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      self.descriptor = descriptor
      (isFile, isSocket) = (true, false)
    case S_IFSOCK:
      self.descriptor = descriptor
      (isFile, isSocket) = (false, true)
    case S_IFIFO:
      // Opened anew, so that it does not wait; the flag would be the client's too.
      let again = FileDescriptor(adopting: open("/proc/self/fd/\(fd)", O_WRONLY | O_NONBLOCK | O_CLOEXEC))
      guard again.isValid else { return nil }
      self.descriptor = again
      (isFile, isSocket) = (false, false)
    default: return nil
    }
  }

  /// Writes everything, waiting where it must; for files, on the writer's thread.
  static func writeAll(_ bytes: [UInt8], to fd: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { write(fd, $0.baseAddress?.advanced(by: done), $0.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }

  /// Sends bytes as the other end takes them, then says whether all were taken.
  func send(_ bytes: [UInt8], _ loop: EventLoop, whenDone: @escaping (Bool) -> Void) {
    self.bytes = bytes
    sent = 0
    self.whenDone = whenDone
    advance(loop)
  }

  func stopWaiting(_ loop: EventLoop) {
    if let token { loop.remove(token) }
    token = nil
    whenDone = nil
  }

  private func advance(_ loop: EventLoop) {
    // Not too much at once: others are waiting too.
    for _ in 0..<16 where sent < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        let part = UnsafeRawBufferPointer(rebasing: raw[sent..<min(raw.count, sent + 262_144)])
        return isSocket
          ? Glibc.send(descriptor.rawValue, part.baseAddress, part.count, sendFlags)
          : write(descriptor.rawValue, part.baseAddress, part.count)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { return end(false, loop) }
      sent += count
    }
    guard sent < bytes.count else { return end(true, loop) }
    guard token == nil else { return }
    do {
      token = try loop.watch(descriptor.rawValue, for: .write) { [unowned self] readiness in
        if readiness.contains(.write) { advance(loop) } else { end(false, loop) }
      }
    } catch {
      end(false, loop)
    }
  }

  private func end(_ isWhole: Bool, _ loop: EventLoop) {
    let done = whenDone
    stopWaiting(loop)
    bytes = []
    done?(isWhole)
  }
}

private let sendFlags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)

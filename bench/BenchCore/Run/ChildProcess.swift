import Diagnostics

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A process of the benchmark's own, with its standard input and output at hand, that is left waiting for no longer than
/// one means to. Nobody else waits for it, so that how it ended is never lost.
final class ChildProcess {
  private var pid: pid_t = 0
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var pending: [UInt8] = []
  private var isAtEnd = false
  private var ended: End?
  let program: String

  /// How it ended.
  enum End: Equatable {
    case exit(Int32)
    case signal(Int32)
  }

  /// Starts `program`, whose path is absolute. Variables that are named here replace those of this process. One with a group
  /// of its own is not reached by what a terminal sends to this process's.
  init(
    _ program: String, _ arguments: [String], variables: [String: String] = [:], silencesErrors: Bool = false,
    hasOwnGroup: Bool = false
  ) throws(BenchError) {
    self.program = program
    var (toChild, fromChild): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
    guard Self.pair(&toChild) else { throw Self.failure(program, errno) }
    guard Self.pair(&fromChild) else {
      for descriptor in toChild { close(descriptor) }
      throw Self.failure(program, errno)
    }
    // A child that is gone is an error of a write, not the end of this process.
    signal(SIGPIPE, SIG_IGN)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, toChild[0], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, fromChild[1], STDOUT_FILENO)
    if silencesErrors { posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) }
    defer { posix_spawn_file_actions_destroy(&actions) }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] = Self.environment(variables).map { strdup($0) } + [nil]
    defer { for word in words + settings { free(word) } }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A thread of a pool blocks most signals, and a child of it would: it could not even end itself by one.
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    if hasOwnGroup {
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    posix_spawnattr_setflags(&attributes, Int16(flags))
    let error = ProcessorPin.released { posix_spawn(&pid, program, &actions, &attributes, &words, &settings) }
    // The reading end must see an end of file when the child is gone.
    close(toChild[0])
    close(fromChild[1])
    (input, output) = (toChild[1], fromChild[0])
    guard error == 0 else {
      ended = .exit(127)
      close(input)
      close(output)
      (input, output) = (-1, -1)
      throw Self.failure(program, error)
    }
  }

  deinit {
    kill()
    closeInput()
    if output >= 0 { close(output) }
  }

  /// Two ends of a stream that no other child inherits, not even one that another thread starts this very moment.
  private static func pair(_ ends: inout [Int32]) -> Bool {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM | SOCK_CLOEXEC
    #endif
    return socketpair(AF_UNIX, kind, 0, &ends) == 0
  }

  private static func failure(_ program: String, _ error: Int32) -> BenchError {
    BenchError(.renderer, "\(program) can't be started: \(String(cString: strerror(error))).")
  }

  private static func environment(_ changes: [String: String]) -> [String] {
    var lines: [String] = []
    var entry = environ
    while let pointer = entry.pointee {
      let line = String(cString: pointer)
      let name = String(line.prefix { $0 != "=" })
      if changes[name] == nil { lines.append(line) }
      entry += 1
    }
    return lines + changes.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
  }

  /// Writes a line. False where the child no longer reads.
  func send(_ line: String) -> Bool {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty, input >= 0 {
      let count = bytes.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count > 0 { bytes = bytes.dropFirst(count) } else if errno != EINTR { return false }
    }
    return bytes.isEmpty
  }

  func closeInput() {
    if input >= 0 { close(input) }
    input = -1
  }

  enum Line: Equatable {
    case text(String)
    /// The child has closed its output.
    case end
    case timeout
  }

  private static func deadline(_ seconds: Double) -> UInt64 {
    ProcessClock.monotonicNanoseconds &+ UInt64(max(0, min(seconds, 86_400)) * 1e9)
  }

  private static func seconds(until deadline: UInt64) -> Double {
    let now = ProcessClock.monotonicNanoseconds
    return now < deadline ? Double(deadline - now) / 1e9 : 0
  }

  /// The next line, waited for at most so many seconds.
  func readLine(within seconds: Double) -> Line {
    let deadline = Self.deadline(seconds)
    while true {
      if let feed = pending.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: pending[..<feed], as: UTF8.self)
        pending.removeSubrange(...feed)
        return .text(line)
      }
      if isAtEnd {
        guard !pending.isEmpty else { return .end }
        defer { pending = [] }
        return .text(String(decoding: pending, as: UTF8.self))
      }
      let left = Self.seconds(until: deadline)
      guard left > 0 else { return .timeout }
      var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
      guard poll(&entry, 1, Int32(clamping: Int(left * 1000) + 1)) > 0 else { continue }
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(output, &bytes, bytes.count)
      if count > 0 { pending += bytes.prefix(count) } else if count == 0 || errno != EINTR { isAtEnd = true }
    }
  }

  /// Everything that it writes until its end. Nil where it does not end in time; it is killed then.
  func readAll(within seconds: Double) -> [String]? {
    let deadline = Self.deadline(seconds)
    var lines: [String] = []
    while true {
      switch readLine(within: Self.seconds(until: deadline)) {
      case .text(let line): lines.append(line)
      case .end: return lines
      case .timeout:
        kill()
        return nil
      }
    }
  }

  /// Waits for its end, which its closed output has told of.
  func end() -> End {
    closeInput()
    if let ended { return ended }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    // As WIFSIGNALED and WEXITSTATUS have it, which are macros.
    let number = status & 0x7F
    let end: End = number == 0 ? .exit(status >> 8 & 0xFF) : .signal(number)
    ended = end
    return end
  }

  /// Asks it to end.
  func ask(_ number: Int32) {
    guard ended == nil else { return }
    send(signal: number)
  }

  private func send(signal number: Int32) {
    #if canImport(Glibc)
      _ = Glibc.kill(pid, number)
    #else
      _ = Musl.kill(pid, number)
    #endif
  }

  /// Ends it at once. By its id, which is ours until it was waited for.
  func kill() {
    guard ended == nil else { return }
    send(signal: SIGKILL)
    _ = end()
  }
}

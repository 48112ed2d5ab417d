import Diagnostics
import Foundation
import Porthole

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A render server of the benchmark's own, in a process and a folder of its own.
final class ServerLaunch {
  let socket: String
  private let folder: URL
  private let process = Process()
  /// When its process was started, of the monotonic clock.
  let startedAt: UInt64

  /// - Parameters:
  ///   - program: `portholed`; nil takes the one beside this program.
  ///   - hasLimits: clients have the limits that they have by default, but for commits.
  init(program: String?, hasLimits: Bool = true) throws(BenchError) {
    let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let path = program ?? beside.appending(path: "portholed").path
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw BenchError(.renderer, "there is no \(path); build portholed, or name it by --server.")
    }
    folder = FileManager.default.temporaryDirectory.appending(path: "porthole-bench-\(UUID().uuidString.prefix(8))")
    socket = folder.appending(path: "socket").path
    process.executableURL = URL(filePath: path)
    // Pacing is the client's own, and is not what is measured.
    var limits = "commits_per_second=none"
    if !hasLimits {
      let names = ["layers", "portals", "shared_bytes", "texture_bytes", "descriptors", "changes", "output_side"]
      limits += names.map { ",\($0)=none" }.joined()
    }
    process.arguments = ["--socket", socket, "--limits", limits]
    startedAt = ProcessClock.monotonicNanoseconds
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      try process.run()
    } catch {
      throw BenchError(.renderer, "\(path) can't be started: \(error.localizedDescription)")
    }
  }

  deinit { stop() }

  func stop() {
    if process.isRunning {
      process.terminate()
      process.waitUntilExit()
    }
    try? FileManager.default.removeItem(at: folder)
  }

  /// Connects, as soon as it listens.
  func connect() throws(BenchError) -> RenderServerConnection {
    let end = ProcessClock.monotonicNanoseconds + 20_000_000_000
    while true {
      do throws(OffscreenError) {
        return try RenderServerConnection(socket, patience: 30)
      } catch {
        guard error.code == .noServer, process.isRunning, ProcessClock.monotonicNanoseconds < end else {
          throw BenchError(.renderer, "the server does not answer: \(error)")
        }
        usleep(500)
      }
    }
  }

  /// Processor time of all of its threads, in nanoseconds.
  var cpuNanoseconds: UInt64 {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process.processIdentifier, &clock) == 0, clock_gettime(clock, &time) == 0 else {
      return 0
    }
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }
}

/// Does something with the library, in the benchmark's terms.
func served<Result>(_ body: () throws(OffscreenError) -> Result) throws(BenchError) -> Result {
  do { return try body() } catch { throw BenchError(.renderer, "the server refused: \(error)") }
}

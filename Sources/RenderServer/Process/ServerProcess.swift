import Diagnostics
import GLES

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// `portholed`, from its arguments to its exit code.
public enum ServerProcess {
  public static let version = "0.1.0"

  /// How it ends; documented in `--help`.
  enum ExitCode: Int32 {
    case success = 0
    case failure = 1
    /// No display gave a device.
    case noDevice = 3
    /// Another server has the socket.
    case inUse = 4
    /// Arguments that it does not know (`EX_USAGE`).
    case usage = 64
  }

  /// - Parameter arguments: without the program's name.
  /// - Returns: the exit code.
  public static func run(_ arguments: [String]) -> Int32 {
    let request: ServerOptions.Request
    do {
      request = try ServerOptions.read(arguments)
    } catch {
      say("portholed: \(error). See portholed --help", to: STDERR_FILENO)
      return ExitCode.usage.rawValue
    }
    switch request {
    case .help: say(ServerHelp.text, to: STDOUT_FILENO)
    case .version: say("portholed \(version)", to: STDOUT_FILENO)
    case .serve(let options):
      do {
        try serve(options)
      } catch {
        say("portholed: \(error)", to: STDERR_FILENO)
        return code(error).rawValue
      }
    }
    return ExitCode.success.rawValue
  }

  private static func serve(_ options: ServerOptions) throws(ServerError) {
    let server = try RenderServer(options, signals: [SIGTERM, SIGINT])
    defer { server.close() }
    server.whenSignalled = { [unowned server] signal in
      exitAtOnce(on: [SIGTERM, SIGINT])
      Log.info("server", "signal \(signal): draining")
      server.stop()
    }
    let count = ServiceSupervisor.activatedSocketCount(process: getpid(), variable: environment)
    for index in 0..<count {
      try server.listen(onActivated: ServiceSupervisor.firstActivated + Int32(index))
    }
    let path = count == 0 ? try server.listen(runtimeFolder: environment("XDG_RUNTIME_DIR")) : "handed over"
    Log.info("server", "listening on \(path), drawing with \(server.device.renderer)")
    if let address = server.viewAddress { say("portholed: look at \(address)", to: STDOUT_FILENO) }
    if let fd = options.readyDescriptor {
      say(path, to: fd)
      close(fd)
    }
    ServiceSupervisor.notify("READY=1\nSTATUS=\(server.device.renderer)", address: environment("NOTIFY_SOCKET"))
    try server.run()
    ServiceSupervisor.notify("STOPPING=1", address: environment("NOTIFY_SOCKET"))
    try server.drain(milliseconds: 2000)
  }

  private static func code(_ error: ServerError) -> ExitCode {
    switch error.code {
    case .inUse: .inUse
    case .noDevice: .noDevice
    case .system: .failure
    }
  }

  /// From now on these signals end the process, whatever it is at.
  private static func exitAtOnce(on signals: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals {
      signal(number) { _ in _exit(ExitCode.failure.rawValue) }
      sigaddset(&set, number)
    }
    pthread_sigmask(SIG_UNBLOCK, &set, nil)
  }

  private static func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  private static func say(_ text: String, to fd: Int32) { _ = ByteSink.writeAll(Array((text + "\n").utf8), to: fd) }
}

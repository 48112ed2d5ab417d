import Diagnostics
import LinuxIO

/// The thread on which all contenders of this process draw.
///
/// What handing a frame to a thread costs depends on where the system has put it, and it stays there: with a thread for
/// each, two equal arms differed by up to two thirds for whole runs.
enum RenderThread {
  private static let thread = Guarded<NamedThread?>(nil)

  static func shared() throws(ThreadError) -> NamedThread {
    let result: Result<NamedThread, ThreadError> = thread.withLock { thread in
      if let thread { return .success(thread) }
      do throws(ThreadError) {
        let made = try NamedThread(name: "render")
        thread = made
        return .success(made)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}

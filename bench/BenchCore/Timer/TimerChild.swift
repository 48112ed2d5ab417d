import Foundation
import GLES
import JSON

/// The timer's proof in a process of its own: a driver that crashes or hangs when it is asked the time ends that one, and
/// the run goes on without GPU times.
enum TimerChild {
  /// The argument that makes the program prove its timer and write the verdict as a line of JSON.
  static let command = "timer-proof"

  /// This program, where it is the benchmark's; nil in another, such as a test's.
  static var program: String? {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
      URL(filePath: path).lastPathComponent == "porthole-bench"
    else { return nil }
    return path
  }

  /// By a child where there is a program for one, else on the device at hand.
  static func verdict(on device: Device) throws(BenchError) -> TimerVerdict {
    guard let program else { return try TimerProof.verdict(on: try DeviceTimerDriver(device: device)) }
    return verdict(program: program)
  }

  static func verdict(program: String) -> TimerVerdict { .ofChild(program, [command], within: 30) }

  /// What the child does.
  static func prove() throws(BenchError) -> String {
    let device: Device
    do { device = try Device() } catch { throw BenchError(.renderer, "\(error)") }
    defer { device.shutdown() }
    return try TimerProof.verdict(on: try DeviceTimerDriver(device: device)).json.line
  }
}

extension TimerVerdict {
  /// That of a process which writes it as its last line, within so many seconds.
  public static func ofChild(_ program: String, _ arguments: [String], within seconds: Double) -> TimerVerdict {
    let child: ChildProcess
    do throws(BenchError) {
      child = try ChildProcess(program, arguments, silencesErrors: true)
    } catch {
      return .refused(.crash, error.description)
    }
    guard let lines = child.readAll(within: seconds) else {
      return .refused(.pending, "the timer's proof did not end within \(NumberText.significant(seconds, 3)) s")
    }
    switch child.end() {
    case .signal(let number): return .refused(.crash, "asking the timer ended the process by signal \(number)")
    case .exit(let code):
      guard code == 0, let verdict = lines.last.flatMap({ TimerVerdict($0) }) else {
        return .refused(.crash, "the timer's proof ended with code \(code) and without a verdict")
      }
      return verdict
    }
  }
}

import FramePlan
import GLES
import GLRenderer
import Geometry
import LinuxIO

/// A device and its renderers, on a thread named `render`, which is theirs alone unless one is given; the only way from the
/// library to GL.
final class GLStage {
  /// Which output a plan draws into.
  enum Output: Sendable {
    case window
    /// For layers drawn alone, so that the window's output stays as it is.
    case alone
  }

  let report: DeviceReport
  /// The longest side of an output, in pixels.
  let longestSide: Int
  private let thread: NamedThread
  private let ownsThread: Bool
  private let workshop: ThreadBound<Workshop>

  /// What lives on the thread.
  private final class Workshop {
    let device: Device
    let window: Renderer
    var alone: Renderer?
    /// Other devices of this thread may have made their contexts current meanwhile.
    private let sharesThread: Bool

    init(_ display: DisplayChoice?, sharesThread: Bool) throws(OffscreenError) {
      self.sharesThread = sharesThread
      let device: Device
      do { device = try Device(display: display) } catch { throw OffscreenError(error) }
      do {
        window = try Renderer(device: device)
      } catch {
        device.shutdown()
        throw OffscreenError(error)
      }
      self.device = device
    }

    /// To be called before anything is asked of GL but a frame, which does so itself.
    func makeCurrent() {
      if sharesThread { _ = device.lookForLoss() }
    }

    func renderer(_ output: Output) throws(OffscreenError) -> Renderer {
      switch output {
      case .window: return window
      case .alone:
        if let alone { return alone }
        makeCurrent()
        do {
          let renderer = try Renderer(device: device)
          alone = renderer
          return renderer
        } catch {
          throw OffscreenError(error)
        }
      }
    }

    func draw(_ plan: FramePlan, into output: Output) throws(OffscreenError) -> FrameResult {
      let renderer = try renderer(output)
      do { return try renderer.draw(plan) } catch { throw OffscreenError(error) }
    }

    /// With the times at which each pass was finished, by this clock.
    func draw(_ plan: FramePlan, clock: @escaping () -> UInt64) throws(OffscreenError) -> (FrameResult, [UInt64]) {
      final class Ends { var times: [UInt64] = [] }
      let ends = Ends()
      window.passEnd = { [device] _ in
        device.finish()
        ends.times.append(clock())
      }
      defer { window.passEnd = nil }
      return (try draw(plan, into: .window), ends.times)
    }

    func pixels(of output: Output, in space: WorkingSpace) throws(OffscreenError) -> Pixels {
      let renderer = try renderer(output)
      makeCurrent()
      do {
        switch space {
        case .rgba8: return .bytes(try renderer.readOutput())
        case .rgba16f(let blending): return .components(try renderer.readOutputComponents(), blending)
        }
      } catch {
        throw OffscreenError(error)
      }
    }

    func finish() {
      makeCurrent()
      device.finish()
    }

    func shutdown() {
      makeCurrent()
      window.shutdown()
      alone?.shutdown()
      device.shutdown()
    }
  }

  /// - Parameter shared: the thread, which outlives the stage; nil for one of its own.
  init(_ choice: DisplayChoice, on shared: NamedThread? = nil) throws(OffscreenError) {
    // `automatic` leaves the say to the environment.
    let display = choice == .automatic ? nil : choice
    let thread: NamedThread
    do throws(ThreadError) {
      if let shared { thread = shared } else { thread = try NamedThread(name: "render") }
    } catch {
      throw OffscreenError(error)
    }
    let ownsThread = shared == nil
    do throws(OffscreenError) {
      workshop = try ThreadBound(on: thread) { () throws(OffscreenError) in
        try Workshop(display, sharesThread: !ownsThread)
      }
    } catch {
      if ownsThread { thread.stop() }
      throw error
    }
    (self.thread, self.ownsThread) = (thread, ownsThread)
    (report, longestSide) = workshop.with { ($0.device.report, $0.device.capabilities.maxTargetSize) }
  }

  deinit { close() }

  func draw(_ plan: FramePlan, into output: Output = .window) throws(OffscreenError) -> FrameResult {
    try workshop.with { (workshop) throws(OffscreenError) in try workshop.draw(plan, into: output) }
  }

  func draw(
    _ plan: FramePlan, clock: @escaping @Sendable () -> UInt64
  ) throws(OffscreenError) -> (FrameResult, [UInt64]) {
    try workshop.with { (workshop) throws(OffscreenError) in try workshop.draw(plan, clock: clock) }
  }

  /// The output's pixels, premultiplied; of a frame that was drawn in this space.
  func pixels(of output: Output = .window, in space: WorkingSpace) throws(OffscreenError) -> Pixels {
    try workshop.with { (workshop) throws(OffscreenError) in try workshop.pixels(of: output, in: space) }
  }

  /// What the window's renderer holds.
  var memory: RendererMemory { workshop.with { RendererMemory($0.window.statistics) } }
  var instanceBytes: Int { workshop.with { $0.window.statistics.instanceBytes } }

  func finish() { workshop.with { $0.finish() } }

  /// Releases everything, and ends the thread where it is its own. A second call does nothing.
  func close() {
    workshop.release { $0.shutdown() }
    if ownsThread { thread.stop() }
  }
}

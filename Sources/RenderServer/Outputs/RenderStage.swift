import GLES
import LinuxIO

/// The render thread, seen from the loop: what is to be done goes there by `post`, and what became of it comes back by
/// the mailbox. Nothing here waits for GL but the start and the end.
final class RenderStage: Sendable {
  let results: Mailbox<StageMessage>
  let report: DeviceReport
  /// Of an output, in pixels.
  let longestSide: Int
  /// Which dma-bufs can be imported.
  let dmaBuffers: DmaBufferSupport
  /// The kernel's number of the DRM node that draws; nil where none is known.
  let drmNode: UInt64?
  private let thread: NamedThread
  private let workshop: ThreadBound<Workshop>

  init(_ choice: DisplayChoice) throws(ServerError) {
    // `automatic` leaves the say to the environment.
    let display = choice == .automatic ? nil : choice
    let thread: NamedThread
    do { results = try Mailbox() } catch { throw ServerError(error) }
    do { thread = try NamedThread(name: "render") } catch { throw ServerError(error) }
    do throws(ServerError) {
      workshop = try ThreadBound(on: thread) { () throws(ServerError) in try Workshop(display) }
    } catch {
      thread.stop()
      throw error
    }
    self.thread = thread
    (report, longestSide, dmaBuffers, drmNode) = workshop.with {
      ($0.report, $0.longestSide, $0.dmaBuffers, $0.drmNode)
    }
  }

  deinit { close() }

  func draw(_ job: FrameJob) {
    workshop.post { [self] workshop in
      results.post(.frame(workshop.draw(job)))
      collect(workshop)
    }
  }

  /// Passes on the pixels that have come; for others it comes again, after what was posted meanwhile.
  private func collect(_ workshop: Workshop) {
    for message in workshop.takePixels(waitingNanoseconds: 0) { results.post(message) }
    guard workshop.isReading, !workshop.isCollecting else { return }
    workshop.isCollecting = true
    self.workshop.post { [self] workshop in
      workshop.isCollecting = false
      // Nobody else wants the thread, or waits so long at most.
      for message in workshop.takePixels(waitingNanoseconds: 1_000_000) { results.post(message) }
      collect(workshop)
    }
  }

  func draw(_ job: LayerJob) {
    workshop.post { [results] workshop in results.post(.layer(ticket: job.ticket, pixels: workshop.draw(job))) }
  }

  /// Says when everything that was posted so far is done.
  func sayWhenDone(_ ticket: UInt64) {
    workshop.post { [self] workshop in
      workshop.sayWhenDone(ticket)
      collect(workshop)
    }
  }

  /// Says whether a dma-buf can be imported.
  func attempt(_ buffer: DmaBuffer, ticket: UInt64) {
    workshop.post { [results] workshop in results.post(.tried(ticket: ticket, fault: workshop.fault(of: buffer))) }
  }

  func remove(_ output: OutputNumber) {
    workshop.post { $0.remove(output) }
  }

  /// A test's way to lose the device: the next frame finds it gone.
  func loseDevice() { workshop.post { $0.lose() } }

  /// Does what was posted, releases everything, and ends the thread. A second call does nothing.
  func close() {
    workshop.release { $0.shutdown() }
    thread.stop()
  }
}

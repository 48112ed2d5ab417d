import Commit
import Geometry
import ImageFiles
import LinuxIO
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How pictures are written to a descriptor.
enum PictureFormat: Sendable {
  case raw, png

  init?(_ format: PortholeCaptureV1.Format) {
    switch format {
    case .raw: self = .raw
    case .png: self = .png
    default: return nil
    }
  }
}

/// Writes pictures and documents to descriptors of clients', so that no reader and no disk holds up the loop: what has to
/// be encoded, and what goes to a file, is done on a thread named `writer`; pipes and sockets are written to as they take
/// it.
final class PictureWriter {
  private enum Message: Sendable {
    /// Nil: it could not be encoded.
    case encoded(ticket: UInt64, bytes: [UInt8]?)
    case written(ticket: UInt64, isWhole: Bool)
  }

  private struct Job {
    let sink: ByteSink
    let whenDone: (Bool) -> Void
  }

  private let loop: EventLoop
  private let thread: NamedThread
  private let results: Mailbox<Message>
  private var jobs: [UInt64: Job] = [:]
  private var nextTicket: UInt64 = 1
  private var messages: [Message] = []

  init(loop: EventLoop) throws(ServerError) {
    self.loop = loop
    do {
      thread = try NamedThread(name: "writer")
    } catch {
      throw ServerError(error)
    }
    do {
      results = try Mailbox()
      try loop.watch(results) { [unowned self] in takeResults() }
    } catch {
      throw ServerError(error)
    }
  }

  /// Writes one picture of premultiplied pixels, then says whether all of it was written.
  func write(
    _ pixels: [UInt8], size: PixelSize, as format: PictureFormat, to sink: ByteSink,
    whenDone: @escaping (Bool) -> Void
  ) {
    let ticket = begin(sink, whenDone)
    let (results, file) = (results, sink.isFile ? sink.descriptor.rawValue : -1)
    thread.post {
      let bytes: [UInt8]?
      switch format {
      case .raw: bytes = pixels
      case .png: bytes = Image(size: size, alpha: .premultiplied, pixels: pixels).flatMap { try? PNG.encode($0) }
      }
      guard file >= 0, let bytes else { return results.post(.encoded(ticket: ticket, bytes: bytes)) }
      results.post(.written(ticket: ticket, isWhole: ByteSink.writeAll(bytes, to: file)))
    }
  }

  /// Writes bytes as they are.
  func write(_ bytes: [UInt8], to sink: ByteSink, whenDone: @escaping (Bool) -> Void) {
    let ticket = begin(sink, whenDone)
    guard sink.isFile else { return send(bytes, ticket) }
    let (results, file) = (results, sink.descriptor.rawValue)
    thread.post { results.post(.written(ticket: ticket, isWhole: ByteSink.writeAll(bytes, to: file))) }
  }

  var isBusy: Bool { !jobs.isEmpty }

  /// Ends the thread after what it was given, and lets go of every descriptor.
  func close() {
    thread.stop()
    for job in jobs.values { job.sink.stopWaiting(loop) }
    jobs.removeAll()
  }

  private func begin(_ sink: ByteSink, _ whenDone: @escaping (Bool) -> Void) -> UInt64 {
    let ticket = nextTicket
    nextTicket += 1
    // It holds the descriptor open until then, whatever becomes of its capture.
    jobs[ticket] = Job(sink: sink, whenDone: whenDone)
    return ticket
  }

  private func takeResults() {
    results.take(into: &messages)
    for message in messages {
      switch message {
      case .written(let ticket, let isWhole): finish(ticket, isWhole)
      case .encoded(let ticket, nil): finish(ticket, false)
      case .encoded(let ticket, let bytes?): send(bytes, ticket)
      }
    }
    messages.removeAll(keepingCapacity: true)
  }

  private func send(_ bytes: [UInt8], _ ticket: UInt64) {
    guard let sink = jobs[ticket]?.sink else { return }
    sink.send(bytes, loop) { [unowned self] isWhole in finish(ticket, isWhole) }
  }

  private func finish(_ ticket: UInt64, _ isWhole: Bool) {
    jobs.removeValue(forKey: ticket)?.whenDone(isWhole)
  }
}

import Diagnostics
import LinuxIO
import WaylandProtocol

/// One event of statistics.
struct StatisticsLine {
  enum Kind { case client, layer, portal, texture }

  var kind: Kind
  var name: String?
  var values: [Double]
}

/// A client's `porthole_statistics_v1`. Lines are told as the client reads them: all at once would be more than a
/// socket takes, and a connection that is full is ended.
final class StatisticsObject: PortholeStatisticsV1.RequestHandler {
  private static let linesAtOnce = 16
  private static let unreadLimit = 65_536
  private static let pauseNanoseconds: UInt64 = 2_000_000

  private let session: ClientSession
  private let lines: [StatisticsLine]
  private var next = 0
  private var timer: EventLoop.Token?
  private var resource: Resource<PortholeStatisticsV1>?
  private var isAnswered = false

  private init(_ session: ClientSession, _ lines: [StatisticsLine]) {
    self.session = session
    self.lines = lines
  }

  /// Makes the object and begins to tell.
  static func create(
    _ session: ClientSession, _ id: consuming NewID<PortholeStatisticsV1>, of sessions: [ClientSession]
  ) throws(ProtocolViolation) {
    try session.ask()
    let object = StatisticsObject(session, session.server.statistics(of: sessions))
    object.resource = try id.create(object)
    object.tell()
  }

  func destroyed(_ resource: Resource<PortholeStatisticsV1>) {
    self.resource = nil
    end()
  }

  private func tell() {
    guard let resource else { return }
    while next < lines.count {
      guard (session.wire?.unreadByteCount ?? 0) < Self.unreadLimit else {
        if pause() { return }
        break
      }
      let last = min(lines.count, next + Self.linesAtOnce)
      for line in lines[next..<last] { send(line, resource) }
      next = last
      session.wire?.flush()
    }
    resource.sendDone()
    end()
  }

  private func send(_ line: StatisticsLine, _ resource: Resource<PortholeStatisticsV1>) {
    let values = line.values.span.bytes
    switch line.kind {
    case .client: resource.sendClient(name: line.name, values: values)
    case .layer: resource.sendLayer(name: line.name, values: values)
    case .portal: resource.sendPortal(values: values)
    case .texture: resource.sendTexture(values: values)
    }
  }

  /// Sees to it that the rest is told a little later. False where the system gives no timer.
  private func pause() -> Bool {
    do {
      let loop = session.server.loop
      let token = try timer ?? loop.addTimer { [unowned self] in tell() }
      timer = token
      try loop.setTimer(token, atNanoseconds: ProcessClock.monotonicNanoseconds &+ Self.pauseNanoseconds)
      return true
    } catch {
      Log.warning("server", "statistics are cut short: \(error)")
      return false
    }
  }

  private func end() {
    if let timer { session.server.loop.remove(timer) }
    timer = nil
    if !isAnswered { session.answered() }
    isAnswered = true
  }
}

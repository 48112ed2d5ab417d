import JSON

/// What suite `server` has found: plain numbers, from which every report is made.
public struct ServerResult: Sendable {
  /// One commit, by how many clients at once and how many changed layers.
  public struct CommitCell: Sendable, Hashable {
    public var clients: Int
    public var layers: Int
    /// Processor time of one commit, in microseconds.
    public var clientMicroseconds: Double
    public var serverMicroseconds: Double

    public init(clients: Int, layers: Int, clientMicroseconds: Double, serverMicroseconds: Double) {
      self.clients = clients
      self.layers = layers
      self.clientMicroseconds = clientMicroseconds
      self.serverMicroseconds = serverMicroseconds
    }

    /// Of one changed layer, both ends together.
    public var microsecondsPerChange: Double { (clientMicroseconds + serverMicroseconds) / Double(max(1, layers)) }
  }

  /// N portals of one client's layer in another's output, while the layer changes every frame.
  public struct PortalCell: Sendable, Hashable {
    public var portals: Int
    /// Of both clients together, a frame, in microseconds.
    public var clientMicroseconds: Double
    public var serverMicroseconds: Double

    public init(portals: Int, clientMicroseconds: Double, serverMicroseconds: Double) {
      self.portals = portals
      self.clientMicroseconds = clientMicroseconds
      self.serverMicroseconds = serverMicroseconds
    }
  }

  /// From a commit to the pixels that show it, at 60 Hz.
  public struct LatencyCell: Sendable, Hashable {
    public var clients: Int
    /// In milliseconds, of every commit: until the frame that shows it is due, or its pixels are there if that is later.
    public var samples: [Double]
    /// Until the client has heard of it, which takes its own turn.
    public var heard: [Double]

    public init(clients: Int, samples: [Double], heard: [Double] = []) {
      self.clients = clients
      self.samples = samples
      self.heard = heard
    }

    public func quantile(_ p: Double) -> Double { Quantile.of(samples, p) ?? .nan }
    public func heardQuantile(_ p: Double) -> Double { Quantile.of(heard, p) ?? .nan }
  }

  /// From the start of the server's process to a client's first frame in memory, in milliseconds.
  public var starts: [Double] = []
  public var commits: [CommitCell] = []
  public var portals: [PortalCell] = []
  public var latencies: [LatencyCell] = []

  public init() {}

  /// The frame period that latency is held against, in milliseconds.
  public static let period = 1000.0 / 60

  /// What the clients spend a frame at the most portals, in terms of the fewest.
  public var clientGrowth: Double? {
    guard let first = portals.first, let last = portals.last, first.clientMicroseconds > 0 else { return nil }
    return last.clientMicroseconds / first.clientMicroseconds
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/server")), ("version", .integer(1)),
      ("startToFirstFrameMilliseconds", .array(starts.map { .milliseconds($0) })),
      (
        "commits",
        .array(
          commits.map { cell in
            .object([
              ("clients", .integer(cell.clients)), ("layers", .integer(cell.layers)),
              ("clientMicroseconds", .milliseconds(cell.clientMicroseconds)),
              ("serverMicroseconds", .milliseconds(cell.serverMicroseconds)),
            ])
          })
      ),
      (
        "portals",
        .array(
          portals.map { cell in
            .object([
              ("portals", .integer(cell.portals)), ("clientMicroseconds", .milliseconds(cell.clientMicroseconds)),
              ("serverMicroseconds", .milliseconds(cell.serverMicroseconds)),
            ])
          })
      ), ("clientGrowth", .optional(clientGrowth)),
      (
        "commitToPixels",
        .array(
          latencies.map { cell in
            .object([
              ("clients", .integer(cell.clients)), ("p50", .milliseconds(cell.quantile(0.5))),
              ("p99", .milliseconds(cell.quantile(0.99))), ("heardP50", .milliseconds(cell.heardQuantile(0.5))),
              ("heardP99", .milliseconds(cell.heardQuantile(0.99))),
              ("samples", .array(cell.samples.map { .milliseconds($0) })),
            ])
          })
      ),
    ])
  }

  /// The same in words.
  public var lines: [String] {
    func number(_ value: Double) -> String { PointTable.pad(NumberText.significant(value, 3), 12) }
    var lines = ["start to first frame: \(NumberText.significant(Quantile.median(starts) ?? .nan, 3)) ms (median)", ""]
    lines.append("a commit, CPU time in µs (client, server, both ends a changed layer)")
    for cell in commits {
      lines.append(
        "  " + PointTable.pad("\(cell.clients) × \(cell.layers)", 14) + number(cell.clientMicroseconds)
          + number(cell.serverMicroseconds) + number(cell.microsecondsPerChange))
    }
    lines += ["", "portals of another client's layer, CPU time of a frame in µs (clients, server)"]
    for cell in portals {
      lines.append(
        "  " + PointTable.pad("N = \(cell.portals)", 14) + number(cell.clientMicroseconds)
          + number(cell.serverMicroseconds))
    }
    if let growth = clientGrowth {
      lines.append(
        "  the clients' time at the most portals is \(NumberText.significant(growth, 3)) times that at the fewest")
    }
    lines += [
      "", "from a commit to the pixels that show it at 60 Hz, in ms (p50, p99, and until the client has heard of it)",
    ]
    for cell in latencies {
      lines.append(
        "  " + PointTable.pad("\(cell.clients) clients", 14) + number(cell.quantile(0.5)) + number(cell.quantile(0.99))
          + number(cell.heardQuantile(0.5)) + number(cell.heardQuantile(0.99)))
    }
    return lines
  }
}

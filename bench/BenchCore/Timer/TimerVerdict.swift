import JSON

/// Why a GPU timer is not believed.
public enum TimerFault: String, Sendable, CaseIterable {
  /// It says nothing of work that was only queued, as a software renderer's does.
  case unflushed
  case zero, constant
  /// Its counter begins anew sooner than its bits say, or has too few of them.
  case wrap
  /// The driver calls its own results worthless.
  case disjoint
  /// Its results never come.
  case pending
  /// A later moment lies before an earlier one.
  case unordered
  /// Two moments are one.
  case duplicate
  /// It runs faster or slower than time does.
  case rate
  /// It counts refreshes of a screen.
  case vsync
  case negative
  /// It ended the process that asked it.
  case crash
  /// More work does not take as much more time.
  case proportion
}

/// Whether the driver's GPU timer tells the truth, by workloads of known size.
public struct TimerVerdict: Sendable, Hashable {
  public var isPresent: Bool
  public var isValid: Bool
  /// Bits of its counter.
  public var bits = 0
  /// What four and sixteen times the work took by the timer, in terms of the single work.
  public var ratio: Double?
  public var ratioOf16: Double?
  /// How fast the timer runs against the processor's clock; 1 is the truth.
  public var rate: Double?
  /// Readings that the driver called worthless, and that were dropped.
  public var disjointReadings = 0
  public var fault: TimerFault?
  /// One sentence.
  public var reason: String

  public init(
    isPresent: Bool, isValid: Bool, bits: Int = 0, ratio: Double? = nil, ratioOf16: Double? = nil, rate: Double? = nil,
    disjointReadings: Int = 0, fault: TimerFault? = nil, reason: String
  ) {
    (self.isPresent, self.isValid, self.bits) = (isPresent, isValid, bits)
    (self.ratio, self.ratioOf16, self.rate) = (ratio, ratioOf16, rate)
    (self.disjointReadings, self.fault, self.reason) = (disjointReadings, fault, reason)
  }

  static func refused(_ fault: TimerFault, bits: Int = 0, _ reason: String) -> TimerVerdict {
    TimerVerdict(isPresent: true, isValid: false, bits: bits, fault: fault, reason: reason)
  }

  var json: JSONValue {
    .object([
      ("present", .boolean(isPresent)), ("valid", .boolean(isValid)), ("bits", .integer(bits)),
      ("method", .optional(isPresent ? "elapsed" : nil)), ("ratio_1_4", .optional(ratio)),
      ("ratio_1_16", .optional(ratioOf16)), ("rate", .optional(rate)),
      ("disjoint_dropped", .integer(disjointReadings)), ("fault", .optional(fault?.rawValue)),
      ("reason", .string(reason)),
    ])
  }

  /// What another process wrote of its verdict. Nil where that is none.
  init?(_ text: String) {
    guard let document = try? JSONParser.parse([UInt8](text.utf8)) else { return nil }
    let reader = RecordReader(document: document, name: "the timer's proof")
    func number(_ key: String) -> Double? { try? reader.number(key, of: 0) }
    guard let isPresent = try? reader.flag("present", of: 0), let isValid = try? reader.flag("valid", of: 0),
      let bits = number("bits").flatMap({ Int(exactly: $0) }), let reason = try? reader.text("reason", of: 0)
    else { return nil }
    self.init(
      isPresent: isPresent, isValid: isValid, bits: bits, ratio: number("ratio_1_4"), ratioOf16: number("ratio_1_16"),
      rate: number("rate"), disjointReadings: number("disjoint_dropped").flatMap { Int(exactly: $0) } ?? 0,
      fault: reader.optionalText("fault", of: 0).flatMap { TimerFault(rawValue: $0) }, reason: reason)
  }
}

import JSON

/// What a duel says. Schema "porthole-bench/duel", version 1. A pure function of what was measured.
public struct DuelResult: Sendable {
  public struct Cell: Sendable {
    public var id: String
    /// Of each restart: the middle of its rounds' log ratios.
    public var starts: [Double]
    public var effect: LogRatio?
    /// Adjusted for how many cells are judged together.
    public var p: Double?
    public var verdict: Verdict
    /// The base against itself: what chance does. Nil without a control.
    public var control: LogRatio?
    public var controlVerdict: Verdict?
    public var note: String?
  }

  public var options: DuelOptions
  public var record: DuelRecord
  public var metric: Metric
  public var cells: [Cell]
  public var notes: [String]
  public var exit: ExitStatus

  /// - Parameter level: of the chance of a false alarm, for a look before the end; the whole without.
  public init(_ record: DuelRecord, options: DuelOptions, metric: Metric, level: Double? = nil) {
    (self.record, self.options, self.metric) = (record, options, metric)
    var thresholds = options.thresholds
    thresholds.alpha = level ?? thresholds.alpha
    var cells: [Cell] = []
    for (index, n) in options.counts.enumerated() {
      let starts = record.restarts.compactMap { $0.logRatio(index, .head, metric) }
      var cell = Cell(
        id: "portal-grid/strategy=portal/n=\(n)", starts: starts, effect: Self.estimate(starts), verdict: .missing)
      if starts.count < record.restarts.count {
        cell.note = "a time that is no number"
        cell.effect = nil
      } else if starts.count < DuelOptions.fewestRestarts {
        cell.note = "\(starts.count) starts of \(DuelOptions.fewestRestarts) that it takes"
        cell.effect = nil
      }
      if options.hasControl {
        cell.control = Self.estimate(record.restarts.compactMap { $0.logRatio(index, .control, metric) })
      }
      cells.append(cell)
    }
    if let slope = Self.slope(record, options, metric) { cells.append(slope) }
    let adjusted = Holm.adjusted(cells.map { $0.effect?.chanceIfWithin(options.thresholds.margin) })
    for index in cells.indices {
      guard let effect = cells[index].effect, let p = adjusted[index] else { continue }
      cells[index].p = p
      cells[index].verdict = thresholds.verdict(effect.estimate, adjusted: p)
      if cells[index].verdict == .pass, let small = Self.smallChange(effect.estimate) { cells[index].note = small }
      guard let control = cells[index].control else { continue }
      let verdict = thresholds.verdict(
        control.estimate, adjusted: control.chanceIfWithin(options.thresholds.margin))
      cells[index].controlVerdict = verdict
      if [.regressed, .improved].contains(verdict), cells[index].verdict != .missing {
        cells[index].verdict = .inconclusive
        cells[index].note = "the base against itself differs too: the machine was disturbed"
      }
    }
    self.cells = cells
    notes = Self.differences(record, options)
    exit = Self.exit(cells, record, options, notes)
  }

  /// Of a change that is sure and too small to matter; nil where none is sure.
  static func smallChange(_ ratio: Estimate) -> String? {
    guard let interval = ratio.interval, interval.lower > 1 || interval.upper < 1 else { return nil }
    return "a change that is sure, and too small to count"
  }

  /// Of restarts: their mean, and Student's error of it.
  public static func estimate(_ starts: [Double]) -> LogRatio? {
    guard starts.count > 1 else { return nil }
    let count = Double(starts.count)
    let mean = starts.reduce(0, +) / count
    let variance = starts.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / (count - 1)
    return LogRatio(value: mean, error: (variance / count).squareRoot(), freedom: count - 1)
  }

  /// In what the sides differ that bears on times, or draw.
  private static func differences(_ record: DuelRecord, _ options: DuelOptions) -> [String] {
    guard let base = record.identities[.base], let head = record.identities[.head] else { return [] }
    var notes: [String] = []
    for field in base.environment where field.bearsOnTimes {
      let other = head.environment.first { $0.name == field.name }?.value ?? "absent"
      if other != field.value { notes.append("\(field.name) is “\(field.value)” in the base, “\(other)” in the head") }
    }
    for (n, pictures) in zip(options.counts, zip(base.pictures, head.pictures)) where pictures.0 != pictures.1 {
      notes.append("the two builds draw different pictures at N = \(n)")
    }
    return notes
  }

  private static func exit(
    _ cells: [Cell], _ record: DuelRecord, _ options: DuelOptions, _ notes: [String]
  ) -> ExitStatus {
    var found: [(ExitStatus.Code, String)] = record.failures.map { (.invalid, $0) }
    for note in notes {
      let isPicture = note.contains("pictures")
      if isPicture, options.allowsOtherPictures { continue }
      found.append((isPicture ? .invalid : .environment, note))
    }
    for cell in cells {
      switch cell.verdict {
      case .missing: found.append((.invalid, "\(cell.id): \(cell.note ?? "nothing was measured")"))
      case .regressed: found.append((.regression, line(cell, options.thresholds)))
      case .inconclusive where options.common.isStrict: found.append((.inconclusive, line(cell, options.thresholds)))
      default: break
      }
    }
    return ExitStatus(found)
  }

  static func line(_ cell: Cell, _ thresholds: Thresholds) -> String {
    guard let effect = cell.effect else { return "\(cell.id): \(cell.note ?? "nothing was measured")" }
    let control = cell.control.map { "; base against itself \(EstimateText.ratio($0.estimate))" } ?? ""
    let seen = ComparisonText.percent(effect.detectableEffect(thresholds))
    return "\(cell.id): \(EstimateText.ratio(effect.estimate)): \(cell.verdict.rawValue) "
      + "(\(cell.starts.count) starts; sees +\(seen) %\(control))" + (cell.note.map { "; \($0)" } ?? "")
  }

  public var lines: [String] { notes + cells.map { Self.line($0, options.thresholds) } }

  public var json: JSONValue {
    let thresholds = options.thresholds
    return .object([
      ("schema", .string("porthole-bench/duel")), ("version", .integer(1)), ("seed", .unsigned(options.common.seed)),
      ("base", .string(options.base)), ("head", .string(options.head)),
      (
        "design",
        .object([
          ("kind", .string("two processes in lock-step, restarted")), ("metric", .string(metric.rawValue)),
          ("restarts", .integer(record.restarts.count)), ("rounds", .integer(options.roundsPerRestart)),
          ("frames", .integer(options.framesPerRound)), ("control", .boolean(options.hasControl)),
          ("margin", .number(thresholds.margin)), ("tolerance", .number(thresholds.tolerance)),
          ("alpha", .number(thresholds.alpha)), ("correction", .string("Holm")),
        ])
      ),
      ("duration_s", .number((record.seconds * 1000).rounded() / 1000)),
      (
        "cells",
        .array(
          cells.map { cell in
            .object([
              ("id", .string(cell.id)), ("metric", .string(metric.rawValue)),
              ("ratio", .optional(cell.effect?.estimate.value)), ("ci95", cell.effect?.estimate.interval.json ?? .null),
              ("p_adj", .optional(cell.p)), ("verdict", .string(cell.verdict.rawValue)),
              ("mde", .optional(cell.effect?.detectableEffect(thresholds))),
              ("control_ratio", .optional(cell.control?.estimate.value)),
              ("control_ci95", cell.control?.estimate.interval.json ?? .null),
              ("control_verdict", .optional(cell.controlVerdict?.rawValue)),
              ("between_restart_sd", .optional(cell.effect.map { $0.error * Double(cell.starts.count).squareRoot() })),
              ("note", .optional(cell.note)), ("starts", .array(cell.starts.map { .number($0) })),
            ])
          })
      ),
      (
        "order_log",
        .array(
          record.restarts.map { restart in
            .object([
              ("starts", .string(restart.starts.map(\.rawValue).joined(separator: " "))),
              ("rounds", .string(restart.orders.joined(separator: " "))),
            ])
          })
      ),
      ("failures", .strings(record.failures)), ("notes", .strings(notes)), ("exit", exit.json),
    ])
  }
}

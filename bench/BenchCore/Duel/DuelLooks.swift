extension DuelRun {
  /// Runs with looks after a quarter and a half of what was asked for, and ends where a regression is clear by then.
  /// - Parameter metric: what is judged by, once there are sides; nil where that is not known.
  public func decided(metric: (DuelRecord) -> Metric?) -> DuelResult {
    let looks = SequentialLooks(alpha: options.thresholds.alpha)
    var look = 0
    var decided: Double?
    let record = run { record in
      guard let metric = metric(record), look < looks.parts.count - 1 else { return false }
      let part =
        options.restarts.map { Double(record.restarts.count) / Double($0) } ?? (record.seconds / options.seconds)
      guard part >= looks.parts[look], record.restarts.count >= DuelOptions.fewestRestarts else { return false }
      let level = looks.levels[look]
      look += 1
      guard DuelResult(record, options: options, metric: metric, level: level).exit.code == .regression else {
        return false
      }
      decided = level
      return true
    }
    return DuelResult(
      record, options: options, metric: metric(record) ?? .wall, level: decided ?? looks.levels.last)
  }
}

import JSON

/// A result as the services and tools that follow benchmarks over time read it.
public enum TrackerFormats {
  /// Bencher's metric format: by benchmark, by measure, a value with its bounds.
  public static func bencher(_ result: BenchmarkResult) -> JSONValue {
    let table = CellTable(result)
    return .object(
      result.cells.filter { $0.status == .ok }.map { cell in
        (
          cell.id,
          .object(
            table.rows.filter { $0.cell.id == cell.id }.map { row in
              var members: [(String, JSONValue)] = [("value", .optional(row.value))]
              if let interval = row.summary?.interval {
                members += [("lower_value", .number(interval.lower)), ("upper_value", .number(interval.upper))]
              }
              return (row.metric, .object(members))
            })
        )
      })
  }

  /// What github-action-benchmark calls `customSmallerIsBetter`.
  public static func githubAction(_ result: BenchmarkResult) -> JSONValue {
    .array(
      CellTable(result).rows.compactMap { row in
        guard let value = row.value, row.kind == "time" else { return nil }
        let range = row.summary?.interval.map { "± \(NumberText.significant($0.halfWidth, 3))" }
        return .object([
          ("name", .string("\(row.cell.id) \(row.metric)")), ("unit", .string(row.unit)), ("value", .number(value)),
          ("range", .optional(range)),
          ("extra", .string("\(row.cell.rounds.count) rounds; \(result.environment.renderer)")),
        ])
      })
  }

  /// As Google Benchmark writes it: each round a repetition, so that its compare.py has something to compare.
  public static func googleBenchmark(_ result: BenchmarkResult) -> JSONValue {
    let context: [(String, JSONValue)] = [
      ("date", .string(result.started)), ("host_name", .string("")), ("executable", .string("porthole-bench")),
      ("num_cpus", .integer(result.environment.cores)), ("mhz_per_cpu", .integer(0)),
      ("cpu_scaling_enabled", .boolean(result.environment.host.isClockLocked == false)), ("caches", .array([])),
      ("load_avg", .array([])), ("library_build_type", .string(result.tool.build)),
      ("comparable_key", .string(result.environment.comparableKey)),
    ]
    let benchmarks = result.cells.filter { $0.status == .ok }.enumerated().flatMap { family, cell in
      cell.rounds.enumerated().map { index, round -> JSONValue in
        .object([
          ("name", .string(cell.id)), ("family_index", .integer(family)), ("per_family_instance_index", .integer(0)),
          ("run_name", .string(cell.id)), ("run_type", .string("iteration")),
          ("repetitions", .integer(cell.rounds.count)), ("repetition_index", .integer(index)), ("threads", .integer(1)),
          ("iterations", .integer(round.wallMilliseconds.count)), ("real_time", .milliseconds(round.medianWall)),
          ("cpu_time", .milliseconds(round.cpuMilliseconds)), ("time_unit", .string("ms")),
        ])
      }
    }
    return .object([("context", .object(context)), ("benchmarks", .array(benchmarks))])
  }
}

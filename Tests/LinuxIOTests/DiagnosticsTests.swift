import Diagnostics
import Synchronization
import Testing

@Suite("diagnostics", .serialized)
struct DiagnosticsTests {
  @Test("a category's level goes before the level for all")
  func filter() {
    let filter = LogFilter("info,render=debug, gles=error")
    #expect(filter.allows(.debug, category: "render"))
    #expect(!filter.allows(.trace, category: "render"))
    #expect(!filter.allows(.warning, category: "gles"))
    #expect(filter.allows(.info, category: "other"))
    #expect(!filter.allows(.debug, category: "other"))
    #expect(filter.refused.isEmpty)
  }

  @Test("a part of the filter that names no level is kept apart and changes nothing")
  func refusedFilter() {
    let filter = LogFilter("render=loud,info")
    #expect(filter.refused == ["render=loud"])
    #expect(filter.categories.isEmpty)
    #expect(filter.standard == .info)
  }

  @Test("a message below the level is neither made nor written")
  func sink() {
    let lines = Mutex<[String]>([])
    let old = Log.replace(
      // Other tests of this process may log at the same time.
      sink: { entry in
        guard entry.category == "probe" else { return }
        lines.withLock { $0.append("\(entry.level.name) \(entry.category) \(entry.message)") }
      },
      filter: LogFilter("probe=info"))
    defer { Log.replace(sink: old.sink, filter: old.filter) }
    var made = 0
    func message(_ text: String) -> String {
      made += 1
      return text
    }
    Log.info("probe", message("one"))
    Log.debug("probe", message("two"))
    Log.error("probe", message("three"))
    #expect(lines.withLock { $0 } == ["info probe one", "error probe three"])
    #expect(made == 2)
  }

  @Test("variables that are empty count as unset, and 0 turns GL's debugging off")
  func environment() {
    let values = ["PORTHOLE_DISPLAY": "", "PORTHOLE_LOG": "debug", "PORTHOLE_GLDEBUG": "0"]
    let environment = Environment { values[$0] }
    #expect(environment.display == nil)
    #expect(environment.log == "debug")
    #expect(!environment.isGLDebugRequested)
    #expect(Environment { $0 == "PORTHOLE_GLDEBUG" ? "1" : nil }.isGLDebugRequested)
  }

  @Test("clocks do not go back")
  func clocks() {
    let (wall, processor) = (ProcessClock.monotonicNanoseconds, ProcessClock.cpuNanoseconds)
    #expect(wall > 0 && processor > 0)
    #expect(ProcessClock.monotonicNanoseconds >= wall)
    #expect(ProcessClock.cpuNanoseconds >= processor)
  }
}

import BenchCore
import Foundation
import Testing

/// Commands that measure do so in a process that another looks after.
@Suite("A command whose measuring process is lost", .serialized)
struct KeptCommandTests {
  private static let scene = """
    {"format": "porthole-scene/1", "size": [320, 180], "background": "#204060",
     "root": {"bounds": [0, 0, 320, 180], "position": [160, 90], "sublayers": [
       {"id": "card", "bounds": [0, 0, 160, 90], "position": [80, 45], "backgroundColor": "#e0e0e0", "sublayers": [
         {"bounds": [0, 0, 40, 40], "position": [40, 40], "backgroundColor": "#c03020"}]}]}}
    """
  private static let config = """
    size = "320x180"
    report = false
    [[scene]]
    file = "card.json"
    multiply = "card"
    n = [1]
    [[scene]]
    file = "card.json"
    name = "other"
    multiply = "card"
    n = [4]
    [exact]
    baseline = "counters.txt"
    [[time.pair]]
    name = "lost pair"
    a = "n=1"
    b = "n=1"
    at-most = 3
    seconds = 1
    """

  @Test("a gate goes on past the scene and the pair where it was lost, and is red for them alone")
  func gate() throws {
    let program = try BenchProgram()
    defer { program.remove() }
    try program.write(Self.scene, "card.json")
    try program.write(Self.config, "porthole-bench.toml")
    #expect(try program.shell("porthole-bench baseline save counters.txt --config porthole-bench.toml").code == 0)
    let run = try program.shell(
      "porthole-bench ci --out out --supervised --lost 'card=it ended by SIGSEGV' --lost 'pair lost pair=it hung'")
    #expect(run.code == 3, "\(run.output)")
    let record = try program.text("out/ci.json")
    #expect(record.contains("card: it ended by SIGSEGV") && record.contains("it hung"))
    #expect(record.contains("\"complete\": true") && record.contains("\"other/portals=4"))
    // What the supervisor added is not what the user asked for.
    #expect(!record.contains("--supervised"))
  }

  @Test("of a suite the other points stand")
  func suite() throws {
    let program = try BenchProgram()
    defer { program.remove() }
    let scenes = BenchProgram.top.appending(path: "bench/scenes").path
    let run = try program.shell(
      "porthole-bench run nesting --rounds 1 --size 640x360 --scenes '\(scenes)' --out out --supervised"
        + " --lost 'nesting/depth=3=it ended by SIGSEGV'")
    #expect(run.code == 3, "\(run.output)")
    #expect(run.output.contains("NOT VALID: nesting/depth=3: it ended by SIGSEGV"))
    let record = try program.text("out/run.json")
    #expect(record.components(separatedBy: "\"status\": \"ok\"").count - 1 == 7)
    #expect(record.components(separatedBy: "\"status\": \"crashed\"").count - 1 == 1)
  }

  @Test("a process that is killed is told of, whichever command it measured for, and nothing is green")
  func killed() throws {
    let program = try BenchProgram()
    defer { program.remove() }
    let scenes = BenchProgram.top.appending(path: "bench/scenes").path
    for words in ["run effects --budget 3", "ab --a n=1 --b n=4 --seconds 3"] {
      let run = try program.shell(
        """
        porthole-bench \(words) --size 320x180 --scenes '\(scenes)' --out out &
        p=$!
        while kill -0 $p; do
          child=$(cut -d ' ' -f 1 /proc/$p/task/$p/children)
          [ -z "$child" ] || break
          sleep 0.02
        done
        kill -KILL $child
        wait $p
        """, options: [])
      #expect(run.code == 3, "\(words): \(run.output)")
      #expect(run.output.contains("ended by SIGKILL"), "\(words): \(run.output)")
    }
  }
}

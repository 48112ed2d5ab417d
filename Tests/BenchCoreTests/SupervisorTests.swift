import BenchCore
import Testing

/// The measuring process is a shell's script here: what it does is all that a supervisor sees of it.
@Suite("A measuring process that is looked after")
struct SupervisorTests {
  private func run(
    _ script: String, watchdog: Double = 20, stop: @escaping () -> Int32? = { nil }
  ) -> (code: Int32?, lines: [String], lost: [(place: String, reason: String)], error: String?) {
    var lines: [String] = []
    let supervisor = Supervisor(
      program: "/bin/sh", arguments: ["-c", "at() { printf '\\001at %s\\n' \"$1\"; }; " + script, "sh"],
      watchdogSeconds: watchdog, secondsLeft: { 5 }, forward: { lines.append($0) }, stop: stop)
    do throws(BenchError) {
      return (try supervisor.run(), lines, supervisor.lost, nil)
    } catch {
      return (nil, lines, supervisor.lost, error.description)
    }
  }

  @Test("its lines and its code are handed on, and where it is, is not")
  func well() {
    let outcome = run("echo one; at cell1; echo two; exit 3")
    #expect(outcome.code == 3 && outcome.lines == ["one", "two"] && outcome.lost.isEmpty)
  }

  @Test("a crash costs the cell that was drawn: the process is started anew and told of it, with its signal")
  func crash() {
    let outcome = run(
      #"case "$*" in *"--lost cell2=the measuring process ended by SIGSEGV"*) echo "$*"; exit 3;; esac; at cell1; at cell2; kill -SEGV $$"#
    )
    #expect(outcome.code == 3)
    #expect(outcome.lost.map(\.place) == ["cell2"])
    #expect(outcome.lines.first?.contains("--supervised --budget 5 --lost cell2=") == true)
  }

  @Test("a process that draws nothing for too long is ended, and so is the cell that it was at")
  func hang() {
    let outcome = run(
      #"case "$*" in *"--lost cell7=the measuring process drew nothing"*) exit 3;; esac; at cell7; sleep 60"#,
      watchdog: 1)
    #expect(outcome.code == 3 && outcome.lost.map(\.place) == ["cell7"])
  }

  @Test("a process that is lost at the same place again, at no place, or too often, is given up in words")
  func lost() {
    #expect(run("at cell1; kill -ABRT $$").error?.contains("ended by SIGABRT at cell1") == true)
    #expect(run("kill -ABRT $$").error?.contains("and is given up") == true)
    let often = run(#"at "cell$#"; kill -SEGV $$"#)
    #expect(often.lost.count == 3 && often.error?.contains("given up") == true)
  }

  @Test("a signal that this process gets is handed on once, and what the process then writes is taken")
  func signal() {
    let outcome = run(
      #"trap 'echo partial; exit 3' TERM; at cell1; i=0; while [ $i -lt 200 ]; do sleep 0.1; i=$((i+1)); done; exit 0"#,
      stop: { 15 })
    #expect(outcome.code == 3 && outcome.lines == ["partial"])
  }
}

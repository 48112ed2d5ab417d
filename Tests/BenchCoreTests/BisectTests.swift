import BenchCore
import JSON
import Testing

@Suite("bisect: which commit made it cost more")
struct BisectTests {
  private static let commits = (1...20).map { "commit\($0)" }

  private func options() throws -> BisectOptions {
    try BisectOptions(["--good", "commit0", "--bad", "commit20", "--seconds", "60", "--", "true"])
  }

  /// What a commit costs more than the good one: `growth` from commit `at` on.
  private func run(
    at: Int, growth: Double = 0.08, broken: Set<Int> = [], seed: UInt64
  ) throws -> BisectResult {
    var duels = seed &* 1000
    let run = BisectRun(options: try options(), console: Console(output: { _ in })) { commit throws(BenchError) in
      guard let number = Int(commit.dropFirst("commit".count)), !broken.contains(number) else { return nil }
      return commit
    } duel: { base, head, duel throws(BenchError) in
      duels += 1
      #expect(base == "commit0")
      let number = Int(head.dropFirst("commit".count)) ?? 0
      return SyntheticDuel(.noisy, growth: number >= at ? growth : 0, seed: duels).run(duel)
    }
    return try run.run(Self.commits)
  }

  @Test("the commit is found on a noisy machine, wherever it is, by few comparisons")
  func found() throws {
    for at in [1, 2, 7, 10, 19, 20] {
      let result = try run(at: at, seed: UInt64(at))
      #expect(result.left == ["commit\(at)"], "\(result.steps.map(\.commit))")
      #expect(result.exit.code == .ok && result.steps.count <= 6)
    }
  }

  @Test("commits that can't be built are gone round; where they hide it, all that it may be are named, with 4")
  func broken() throws {
    let around = try run(at: 7, broken: [10, 11], seed: 3)
    #expect(around.left == ["commit7"])
    let hidden = try run(at: 11, broken: [10, 11], seed: 4)
    #expect(hidden.left == ["commit10", "commit11", "commit12"])
    #expect(hidden.exit.code == .inconclusive)
    #expect(hidden.json.text.contains("it can't be built"))
  }

  @Test("where the bad one costs no more there is nothing to look for, and that is said")
  func nothing() {
    #expect(throws: BenchError.self) { try run(at: 99, seed: 5) }
  }

  @Test("what can't be told is compared again, longer, and then left open")
  func unclear() throws {
    var asked: [Double] = []
    let run = BisectRun(options: try options(), console: Console(output: { _ in })) { commit throws(BenchError) in
      commit
    } duel: { _, head, duel throws(BenchError) in
      if head == "commit10" { asked.append(duel.seconds) }
      // Halfway between the good and the bad one, and so neither.
      let growth = head == "commit10" ? 0.0392 : head == "commit20" ? 0.08 : 0
      return SyntheticDuel(.idle, growth: growth, startSpread: 0.02, seed: UInt64(asked.count)).run(duel)
    }
    let result = try run.run(Self.commits)
    #expect(asked == [60, 120, 240])
    #expect(result.steps.contains { $0.commit == "commit10" && $0.judgement == .unclear })
  }

  @Test("the search asks of each thing once, finds the first bad one of any row, and goes round what is unclear")
  func search() {
    for count in 1...40 {
      for bad in 0..<count {
        var asked: [Int] = []
        let left = Bisection.firstBad(of: count) { index in
          asked.append(index)
          return index >= bad ? .bad : .good
        }
        #expect(left == bad..<bad + 1)
        #expect(Set(asked).count == asked.count && asked.count <= 6)
      }
    }
    #expect(Bisection.firstBad(of: 9) { _ in .unclear } == 0..<9)
  }

  @Test("two commits and a command are needed")
  func usage() throws {
    #expect(throws: BenchError.self) { try BisectOptions(["--good", "a", "--bad", "b"]) }
    #expect(throws: BenchError.self) { try BisectOptions(["--good", "a", "--", "make"]) }
    let options = try BisectOptions(["--good", "a", "--bad", "b", "--n", "256", "--", "make", "-j"])
    #expect(options.buildCommand == ["make", "-j"] && options.duel.counts == [256])
  }
}

import BenchCore
import Foundation
import JSON
import Testing

@Suite("The benchmark's program", .serialized)
struct GateProgramTests {
  private static let scene = """
    {"format": "porthole-scene/1", "size": [320, 180], "background": "#204060",
     "root": {"bounds": [0, 0, 320, 180], "position": [160, 90], "sublayers": [
       {"id": "card", "bounds": [0, 0, 160, 90], "position": [80, 45], "backgroundColor": "#e0e0e0", "sublayers": [
         {"bounds": [0, 0, 40, 40], "position": [40, 40], "backgroundColor": "#c03020"},
         {"bounds": [0, 0, 20, 60], "position": [120, 45], "backgroundColor": "#207040"}]}]}}
    """
  private static let config = """
    budget = "60s"
    size = "320x180"
    report = false
    [[scene]]
    file = "card.json"
    multiply = "card"
    n = [1, 9]
    [exact]
    baseline = "counters.txt"
    strict-improvement = true
    """

  /// A repository with a scene, a gate and a baseline of it.
  private static func repository() throws -> BenchProgram {
    let program = try BenchProgram()
    try program.write(scene, "card.json")
    try program.write(config, "porthole-bench.toml")
    let made = try program.shell("porthole-bench baseline save counters.txt --config porthole-bench.toml")
    #expect(made.code == 0, "\(made.output)")
    return program
  }

  @Test("the gate of a repository of scenes is green as it is, and has its own code for each thing that goes wrong")
  func gate() throws {
    let program = try Self.repository()
    defer { program.remove() }
    func ci(_ words: String = "", _ variables: [String: String] = [:]) throws -> (code: Int32, output: String) {
      try program.shell("porthole-bench ci --out out \(words)", variables)
    }
    let green = try ci()
    #expect(green.code == 0, "\(green.output)")
    for name in ["ci.json", "ci.html", "junit.xml", "summary.md", "annotations.txt", "counters.txt"] {
      #expect(program.has("out/\(name)"), "\(name)")
    }
    let baseline = try program.text("counters.txt")
    #expect(baseline.contains("card/portals=9/size=320x180/scale=1 passes "))
    // The scene and its picture are on record, and what it counts is the same each time.
    let record = try JSONParser.parse([UInt8](program.text("out/ci.json").utf8))
    #expect(try program.text("out/ci.json").contains("\"image_hash\": \""))
    #expect(record.member("exit", of: 0) != nil)

    let quads = try #require(
      baseline.split(separator: "\n").first { $0.contains("portals=9") && $0.contains(" quads ") })
    let number = try #require(quads.split(separator: " ").last.flatMap { Int($0) })
    func bend(_ value: Int) throws {
      try program.write(
        baseline.replacing(quads, with: quads.replacing(" \(number)", with: " \(value)")), "counters.txt")
    }
    try bend(number - 1)
    let more = try ci()
    #expect(more.code == 2 && more.output.contains("quads: \(number - 1) became \(number)"), "\(more.output)")
    #expect(try program.text("out/annotations.txt").hasPrefix("::error title=card/portals=9"))
    try bend(number + 1)
    #expect(try ci().code == 6)
    try program.write(baseline + "card/portals=99/size=320x180/scale=1 passes 2\n", "counters.txt")
    let gone = try ci()
    #expect(gone.code == 3 && gone.output.contains("card/portals=99"), "\(gone.output)")
    try program.write(baseline, "counters.txt")

    let debug = try ci("", ["PORTHOLE_DEBUG": "nobatch"])
    #expect(debug.code == 5 && debug.output.contains("PORTHOLE_DEBUG"), "\(debug.output)")
    #expect(try ci("--config none.toml").code == 64)
    #expect(try ci("--budget soon").code == 64)
    #expect(try program.shell("rm counters.txt; porthole-bench ci --out out").code == 7)
    try program.write(baseline, "counters.txt")
    #expect(try program.shell("porthole-bench ci --out /dev/null/x").code == 1)

    // A scene that is gone, or of which nothing shows, is no measurement.
    try program.write(Self.scene.replacing("\"id\": \"card\"", with: "\"id\": \"cord\""), "card.json")
    #expect(try ci().code == 3)
    try program.write(
      Self.scene.replacing("#e0e0e0", with: "#204060").replacing("#c03020", with: "#204060")
        .replacing("#207040", with: "#204060"), "card.json")
    let plain = try ci()
    #expect(plain.code == 3 && plain.output.contains("of one colour"), "\(plain.output)")
    // The reports say so too, each of them.
    #expect(try program.text("out/junit.xml").contains("<error message="))
    #expect(try program.text("out/ci.html").contains("Exit code 3"))
  }

  @Test("each exit code survives a pipe, a time limit and a shell that ends at the first failure")
  func codes() throws {
    let program = try BenchProgram()
    defer { program.remove() }
    func result(_ name: String, noise: UInt64, _ change: (FakeStage) -> Void = { _ in }) throws {
      let stage = FakeStage()
      stage.noise = noise
      change(stage)
      try program.write(FakeRun.result(stage).json.text, name)
    }
    try result("base.json", noise: 1)
    try result("same.json", noise: 2)
    try result("slow.json", noise: 2) { $0.costs[.portal] = (1.8, 0.009) }
    try result("close.json", noise: 2) { $0.costs[.portal] = (1.23, 0.0062) }
    try result("wrong.json", noise: 2) { $0.wrong = [.portal] }
    try result("other.json", noise: 2) { $0.renderer = "another" }
    let commands: [(code: Int32, words: String)] = [
      (0, "compare base.json same.json"), (1, "compare base.json none.json"), (2, "compare base.json slow.json"),
      (3, "compare base.json wrong.json"), (4, "compare base.json close.json --strict"),
      (5, "compare base.json other.json"), (7, "baseline show none.txt"), (64, "compare base.json"),
    ]
    for (code, words) in commands {
      let plain = "porthole-bench \(words)"
      #expect(try program.shell(plain).code == code, "\(words)")
      #expect(try program.shell("\(plain) | tee log > /dev/null").code == code, "\(words), a pipe")
      #expect(try program.shell("\(plain) 2>&1 | grep . > log\ntrue").code == code, "\(words), the first that fails")
      #expect(
        try program.shell("\(plain) | cat > log; exit ${PIPESTATUS[0]}", options: []).code == code,
        "\(words), a plain pipe")
      #expect(try program.shell("timeout 100 \(plain)").code == code, "\(words), a time limit")
      #expect(try program.shell("code=0; \(plain) || code=$?; exit $code").code == code, "\(words), taken down")
    }
  }

  @Test("the same files give the same bytes of every form, whichever process writes them")
  func bytes() throws {
    let program = try BenchProgram()
    defer { program.remove() }
    try program.write(FakeRun.result(FakeStage()).json.text, "a.json")
    let other = FakeStage()
    other.noise = 3
    try program.write(FakeRun.result(other).json.text, "b.json")
    for index in 1...3 {
      var options = FakeRun.options
      options.shard = Shard(index: index, count: 3)
      try program.write(FakeRun.result(FakeStage(), options).json.text, "shard\(index).json")
    }
    // In another locale, time zone and folder, and with the shards in another order.
    let lines = """
      porthole-bench compare a.json b.json --format md,junit,annotations,json --out $OUT/compare > $OUT.txt
      porthole-bench report a.json --format text,json,ndjson,csv,md,html,junit,bmf,gha-custom,gbench,trace,svg --out $OUT/report
      porthole-bench merge $ORDER --format html,md,junit,csv --out $OUT/merge > /dev/null
      mv $OUT.txt $OUT/
      """
    let one = try program.shell(lines, ["OUT": "one", "ORDER": "shard1.json shard2.json shard3.json", "LC_ALL": "C"])
    let two = try program.shell(
      lines,
      ["OUT": "two", "ORDER": "shard3.json shard1.json shard2.json", "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo"])
    #expect(one.code == 0 && two.code == 0, "\(one.output) \(two.output)")
    let difference = try program.shell("mv two/two.txt two/one.txt; diff -r one two && find one -type f | wc -l")
    #expect(difference.code == 0, "\(difference.output)")
    #expect((Int(difference.output.filter(\.isNumber)) ?? 0) >= 20, "\(difference.output)")
  }
}

@Suite("Shards and verdicts")
struct ShardVerdictTests {
  @Test("1, 2, 3 and 7 shards, merged and held against a base, give the same verdict file to the last byte")
  func verdicts() throws {
    func options(_ shard: Shard?) -> ScaleOptions {
      var options = FakeRun.options
      options.counts = [1, 2, 4, 8, 16, 64, 256, 1024]
      options.shard = shard
      return options
    }
    func stage() -> FakeStage {
      let stage = FakeStage()
      stage.noise = 5
      stage.costs[.portal] = (1.5, 0.006)
      return stage
    }
    let base = try RecordedResult(
      [UInt8](FakeRun.result(FakeStage(), options(nil)).json.text.utf8), name: "base")
    var files: Set<String> = []
    for count in [1, 2, 3, 7] {
      let parts = (1...count).map { index in
        (name: "shard \(index)", result: FakeRun.result(stage(), options(Shard(index: index, count: count))))
      }
      let head = try RecordedResult([UInt8](ResultMerge.merge(parts).json.text.utf8), name: "head")
      let comparison = ResultComparison(base: [base], head: [head])
      #expect(comparison.exit.code == .regression)
      files.insert(
        comparison.json.text + JUnitReport.text(GateReport(comparison)) + StepSummary.text(GateReport(comparison)))
    }
    #expect(files.count == 1)
  }

  @Test("the page of 500 cells has less than two megabytes")
  func page() {
    var result = FakeRun.result()
    let cells = result.cells
    for index in 1...16 {
      result.cells += cells.map { cell in
        var cell = cell
        cell.key.n += index * 10_000
        return cell
      }
    }
    #expect(result.cells.count > 500)
    let page = ResultPage(result).text
    #expect(page.utf8.count < 2_000_000)
    #expect(!page.contains("<script") && !page.contains("<link") && !page.contains("@import") && !page.contains("src="))
    #expect(StepSummary.text(GateReport(result)).utf8.count <= StepSummary.limit)
  }
}

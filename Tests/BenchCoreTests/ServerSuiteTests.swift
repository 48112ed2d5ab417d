import BenchCore
import JSON
import Testing

@Suite("the suite of the render server")
struct ServerSuiteTests {
  private var result: ServerResult {
    var result = ServerResult()
    result.starts = [120, 80, 90]
    result.commits = [.init(clients: 4, layers: 100, clientMicroseconds: 60, serverMicroseconds: 40)]
    result.portals = [
      .init(portals: 1, clientMicroseconds: 50, serverMicroseconds: 100),
      .init(portals: 256, clientMicroseconds: 55, serverMicroseconds: 900),
    ]
    result.latencies = [.init(clients: 1, samples: (1...100).map(Double.init))]
    return result
  }

  @Test("what it concludes is worked out of the numbers")
  func conclusions() {
    #expect(result.commits[0].microsecondsPerChange == 1)
    #expect(result.clientGrowth == 1.1)
    #expect(result.latencies[0].quantile(0.5) == 50.5)
    #expect(ServerResult().clientGrowth == nil)
    let text = result.lines.joined(separator: "\n")
    for words in ["90.0 ms (median)", "4 × 100", "N = 256", "1.10 times", "1 clients"] {
      #expect(text.contains(words), "\(words) in \(text)")
    }
    #expect(result.json.text.contains("\"clientGrowth\": 1.1"))
  }

  @Test("its options are taken, and what makes no sense is refused")
  func options() throws {
    let options = try ServerBenchOptions(["--clients", "4,1", "--layers=10", "--n", "8", "--frames", "5", "--json"])
    #expect(options.clients == [1, 4] && options.layers == [10] && options.portals == [8] && options.frames == 5)
    #expect(options.printsJSON)
    for bad in [["--clients", "0"], ["--n", "x"], ["--frames"], ["--what", "1"], ["--layers", "1,,2"]] {
      #expect(throws: BenchError.self) { try ServerBenchOptions(bad) }
    }
  }
}

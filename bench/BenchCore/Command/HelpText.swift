/// What `--help` and `list` print.
public enum HelpText {
  public static let usage = """
    porthole-bench: what portals cost on this machine.

    porthole-bench scale [options]   cost against the number of portals
    porthole-bench run SUITE         a suite: what a frame takes, stage by stage, pass by pass
    porthole-bench bars              the bars of docs/performance.md, each with its figure
    porthole-bench counters          what frames do, counted: the same on every machine
    porthole-bench server [options]  cost of a render server in a process of its own
    porthole-bench compare BASE HEAD hold two results against each other
    porthole-bench list              suites and strategies
    porthole-bench --help, --version

    Options of scale
      --n LIST             numbers of portals (1,4,16,64,256,1024,4096)
      --suite NAME         portal-grid, portal-window or all (all)
      --strategies LIST    portal,duplicate,snapshot,floor (all four)
      --budget SECONDS     time for the whole run (150); --seconds says the same. What does not
                           fit is skipped, and the report says so
      --rounds N           exactly N rounds (as many as fit into the time, at most 100)
      --seed N             seeds the order of the rounds and the intervals (1)
      --size WxH           the output, in points (1280x720)
      --scale S            pixels per point (1)
      --out DIR            where result.json, report.html, scale.svg and scale.png go (out/bench)
      --scenes DIR         where the scenes lie (bench/scenes, looked for from here upwards)
      --target NAME        who draws: embedded, this process; server, a render server that this
                           one is the client of, whose CPU times are then the client's alone.
                           porthole-bench --target server is short for it
      --server PATH        portholed (the one beside this program)
      --json               result.json on standard output, the words on standard error
      --no-color, --quiet

    Options of run, for area, sources, nesting, damage, effects, video (with commas) or all
      --budget SECONDS     time for all suites together (60)
      --rounds, --seed, --size, --scale, --out, --scenes, --json, --quiet as for scale;
                           run.json goes to the folder

    Options of bars
      --short              fewer N and rounds; what takes long or needs other toolkits is left out
      --rounds N, --seed N, --scenes DIR, --json
      --peers FILE         what make bench-peers has measured (peers.json in the folder)
      --out DIR            where bars.json goes (out/bench)

    Options of counters
      --check FILE         compare with a baseline instead of printing
      --scenes DIR

    Options of server
      --clients LIST       clients at a time (1,4,16)
      --layers LIST        changed layers of a commit (1,100,1000,10000)
      --n LIST             portals between two clients (1,16,256,1024)
      --frames N           of each measurement (60)
      --server PATH        portholed (the one beside this program)
      --out DIR            where server.json goes (out/bench)
      --json

    compare takes two files result.json, or several of each side by --base FILE and --head FILE
      --margin P           per cent of time by which a change is none (1.5)
      --tolerance P        a change that is surely smaller passes (5)
      --counter-budget P   by how much exact counters may grow (0)
      --advisory LIST      counters and metrics that decide nothing, as in cpu_ms,batches
      --strict             exit with 4 where nothing can be said
      --json               the comparison as JSON

    Exit codes: 0 measured, or nothing worse; 1 the tool could not do its work, or a
    bar falls short; 2 something costs more; 3 a picture was wrong, or a measurement is missing or none; 4 nothing can be
    said (with --strict); 5 the two sides can't be compared; 64 the command line is wrong. Of
    several, the first of 1, 3, 5, 2, 4.
    """

  public static var list: String {
    var lines = ["Suites"]
    lines += Suite.allCases.map { "  " + PointTable.padEnd($0.rawValue, 16) + $0.summary }
    lines += FeatureSuite.allCases.map { "  " + PointTable.padEnd($0.rawValue, 16) + $0.summary }
    lines.append("Strategies")
    lines += Strategy.allCases.map { "  " + PointTable.padEnd($0.rawValue, 16) + $0.summary }
    lines.append("Metrics")
    lines += Metric.allCases.map { "  " + PointTable.padEnd($0.rawValue, 16) + Summary.name($0) + " of a frame, in ms" }
    return lines.joined(separator: "\n")
  }
}

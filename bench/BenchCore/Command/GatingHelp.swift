/// Commands that a repository holds itself to account with, and those that read what others wrote.
extension HelpTopic {
  static let gating: [HelpTopic] = [
    HelpTopic(
      "ci", ["ci [options]"],
      "the gate of a repository: what porthole-bench.toml asks for",
      examples: [
        "porthole-bench ci --budget 120s --out out/ci"
      ],
      details: """
          --config FILE        what is held to what: TOML, or JSON by its name's end
                               (porthole-bench.toml or .json here)
          --budget SECONDS     for all of it, as in 120s (the file's, else 120); exact counters come
                               first and whole, the curve of cost last and with what is left
          --base PATH          porthole-bench of another build, which this one is held against
          --strict             exit with 4 where nothing can be said
          --require-hardware, --scenes, --out, --json, --quiet; to the folder go ci.json, ci.html,
                               junit.xml, summary.md, annotations.txt, counters.txt, and the report
                               of scale in all its forms
        """),
    HelpTopic(
      "baseline", ["baseline save|show|check|bless|expire FILE [options]"],
      "counters that a repository keeps",
      examples: [
        "porthole-bench baseline check bench/baseline/counters.txt --format junit",
        "porthole-bench baseline bless bench/baseline/counters.txt --reason \"one pass fewer\"",
      ],
      details: """
          --config FILE        of the suites and scenes that this file names, as ci counts them
          --reason TEXT        why it is what it is; bless asks for it, counts twice and writes
          --max-age DAYS       an older baseline exits with 7
          --budget P           per cent by which counters may grow (0)
          --strict-improvement what shrank, and was not blessed, exits with 6
          --format LIST        md, junit, annotations, to the folder of --out; --scenes DIR
        """),
    HelpTopic(
      "history", ["history add FILE RESULT…", "history changepoints FILE"],
      "numbers over time, and where they changed for good",
      examples: [
        "porthole-bench history add history.ndjson out/bench/result.json",
        "porthole-bench history changepoints history.ndjson",
      ]),
    HelpTopic(
      "calibrate", ["calibrate [options]"],
      "how small a change of each cell is seen here",
      examples: [
        "porthole-bench calibrate --n 64 --seconds 20"
      ],
      details: """
          --n LIST             numbers of portals, a cell each (16,64,256)
          --seconds S          for all of them (30); calibration.json goes to the folder. Exits with 4 where a
                               growth of --tolerance would not be seen in ten minutes
          --margin, --deadline, --seed, --size, --scale, --scenes, --out, --json, --quiet
        """),
    HelpTopic(
      "selftest", ["selftest noise|power|curves|mutants|counters|all [options]"],
      "whether the benchmark keeps what it promises of itself",
      examples: [
        "porthole-bench selftest mutants",
        "porthole-bench selftest noise power --long",
      ],
      details: """
          --long               as many trials as the bars ask for
          --trials N           exactly so many
          --seed, --scenes, --out, --json, --quiet; selftest.json goes to the folder
        """),
  ]
}

extension HelpTopic {
  static let reading: [HelpTopic] = [
    HelpTopic(
      "report", ["report FILE [options]"],
      "a result in other forms, without measuring",
      examples: [
        "porthole-bench report whole/result.json --format csv,trace,gbench"
      ],
      details: """
          --format LIST        html, text, ndjson, csv, md, junit, bmf, gha-custom, annotations, gbench, trace
                               (html,md,junit,csv)
          --out DIR            where they go (out/bench)
        """),
    HelpTopic(
      "merge", ["merge FILE…"],
      "the shards of a sweep as the whole",
      examples: [
        "porthole-bench merge shard*/result.json --out whole"
      ],
      details: """
          --format LIST        further forms, as report has them
          --out DIR            where result.json, report.html and the plots go (out/bench)
          --json               the whole on standard output
        """),
    HelpTopic(
      "list", ["list [--json]"],
      "suites, strategies, metrics and counters",
      examples: [
        "porthole-bench list --json"
      ]),
  ]
}

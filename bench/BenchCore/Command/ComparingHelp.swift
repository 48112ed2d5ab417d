/// Commands that hold two things against each other.
extension HelpTopic {
  static let comparing: [HelpTopic] = [
    HelpTopic(
      "ab", ["ab --a ARM --b ARM [options]"],
      "two ways to draw, in one process",
      examples: [
        "porthole-bench ab --a blur=off --b blur=on --seconds 20",
        "porthole-bench ab --a n=64 --b n=64,strategy=duplicate",
      ],
      details: """
          --a ARM, --b ARM     n=N, suite=NAME and strategy=NAME with commas between; or effect=NAME,
                               or an effect's name =on or =off; or area=, sources=, nesting=, damage=,
                               video= with a value that list --json names
          --seconds S          at the most (20); --budget says the same; --rounds N, exactly so many
          --margin P           per cent by which a change is none (1.5)
          --tolerance P        a change that is surely smaller passes (5)
          --metric NAME        frame_wall_ms, cpu_ms or gpu_ms (what is best on this machine)
          --strict, --deadline, --require-hardware, --seed, --size, --scale, --scenes, --out, --json,
          --quiet;             ab.json goes to the folder
        """),
    HelpTopic(
      "duel", ["duel --base PROGRAM --head PROGRAM [options]"],
      "two builds, in processes of their own",
      examples: [
        "porthole-bench duel --base old/porthole-bench --head new/porthole-bench --control"
      ],
      details: """
          --base P, --head P   porthole-bench of two builds
          --control            the base as a third side: what it costs beyond itself is chance
          --n LIST             numbers of portals, a cell each (64)
          --seconds S          at the most, but at least 10 restarts (90); --budget says the same
          --restarts N         exactly so many, 10 or more; --rounds N of each (20)
          --other-pictures     the builds may draw different pictures
          --margin, --tolerance, --metric, --strict, --deadline, --require-hardware, --seed, --size, --scale,
          --scenes, --out, --json, --quiet as for ab; duel.json goes to the folder
        """),
    HelpTopic(
      "compare", ["compare BASE HEAD [options]", "compare --base FILE… --head FILE… [options]"],
      "hold two results against each other",
      examples: [
        "porthole-bench compare before/result.json after/result.json --format junit,md --out gate"
      ],
      details: """
        Each side is a result.json, or several of one build.

          --margin P           per cent of time by which a change is none (1.5)
          --tolerance P        a change that is surely smaller passes (5)
          --counter-budget P   by how much exact counters may grow (0)
          --advisory LIST      counters and metrics that decide nothing, as in cpu_ms,batches
          --strict             exit with 4 where nothing can be said
          --confirm FILE       an earlier comparison.json: only what both flag is a regression
          --format LIST        md, junit, annotations, json; to the folder of --out (out/bench)
          --json               the comparison as JSON
        """),
    HelpTopic(
      "explain", ["explain CELL FILE [FILE]"],
      "what a cell is made of, or what moved in it",
      examples: [
        "porthole-bench explain effect=blur before/run.json after/run.json"
      ],
      details: """
        CELL is a cell of the files, or a part of its name that only it has. Of one file: what the cell is made of, pass by
        pass, and what to try. Of two: which pass and which counter moved, the most first.

          --json               the same as data
        """),
    HelpTopic(
      "bisect", ["bisect --good A --bad B [options] -- BUILD…"],
      "which commit made it cost more",
      examples: [
        "porthole-bench bisect --good v1.2 --bad HEAD -- swift build -c release --product porthole-bench"
      ],
      details: """
          --good A, --bad B    commits; what follows -- builds one, in a tree of its own. The program goes where
                               the variable BISECT_PROGRAM says, or lies in .build/release/porthole-bench
          --repository DIR     of the history (here)
          --n N, --seconds S, --rounds N, --margin, --tolerance, --metric, --seed, --size, --scale, --scenes,
          --out, --json, --quiet as for duel, for each comparison; bisect.json goes to the folder
        """),
  ]
}

/// Commands that measure one build.
extension HelpTopic {
  static let measuring: [HelpTopic] = [
    HelpTopic(
      "doctor", ["doctor [options]"],
      "what can be measured here, and how small a change is seen",
      examples: [
        "porthole-bench doctor --json",
        "porthole-bench doctor --require-timer",
      ],
      details: """
          --seconds S          for noise and instruments (10)
          --n N                portals that are drawn meanwhile (16)
          --require-timer      exit with 5 where GPU times can't be believed
          --require-hardware, --strict (exit with 4 on a noisy machine), --seed, --size, --scale,
          --scenes, --json, --quiet
        """),
    HelpTopic(
      "scale", ["scale [options]"],
      "cost against the number of portals, in half a minute",
      examples: [
        "porthole-bench scale",
        "porthole-bench scale --full --out before",
        "porthole-bench scale --n 1,16,256 --suite portal-window",
        "porthole-bench scale --scene my.json --multiply card --move needle",
        "porthole-bench scale --n 1,16,64,256 --factor blur=0,1",
        "porthole-bench scale --full --shard 2/4 --out shard2",
      ],
      details: """
          --n LIST             numbers of portals, or auto (the default): from 1 to 1,024, and
                               two more where the curve bends most; portals and the floor of
                               portal-grid, in 25 s
          --full               1,4,16,64,256,1024,4096 in all suites by all strategies, in 150 s;
                               --n LIST has its suites, strategies and time too
          --suite NAME         portal-grid, portal-window or all
          --strategies LIST    portal,duplicate,snapshot,floor
          --scene FILE         a scene file of your own; --multiply NAME says which of its layers is
                               shown N times, --move NAME which layer in that one moves (without it,
                               all of it changes its opacity a little)
          --budget SECONDS     time for the whole run; --seconds says the same. What does not fit
                               is skipped, and the report says so
          --rounds N           exactly N rounds (as many as fit into the time)
          --format LIST        further forms of the result: text, ndjson, csv, md (a step's summary),
                               junit, bmf, gha-custom, annotations, gbench, trace
          --factor NAME=LEVELS blur, opacity, rounded or overlap, as in blur=0,1: portals with it beside plain
                               ones, and what it adds to each
          --confirm FILE       measure again what this comparison.json flags, and nothing else
          --deadline SECONDS   end by then with what there is; a result that is not whole exits with 3, and so
                               does one that SIGTERM or SIGINT ends
          --watchdog SECONDS   a measuring process that draws nothing for so long is given up, and the cell that
                               it was at; the rest is measured (120)
          --shard I/N          a part of the plan, dealt out by a hash of each N; merge makes the whole
          --require-hardware   exit with 5 where a software renderer draws
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
        """),
    HelpTopic(
      "run", ["run --n N [options]", "run SUITE[,SUITE…] [options]"],
      "one number of portals; or a suite: what a frame takes, stage by stage, pass by pass",
      examples: [
        "porthole-bench run --n 64 --seconds 5",
        "porthole-bench run effects,nesting --budget 30",
      ],
      details: """
        With --n it takes the options of scale: portals of portal-grid, and 10 s, where they say nothing. Suites are
        area, sources, nesting, damage, effects and video, or all:

          --budget SECONDS     time for all suites together (60)
          --rounds, --seed, --size, --scale, --out, --scenes, --json, --quiet as for scale;
                               run.json goes to the folder
        """),
    HelpTopic(
      "counters", ["counters [options]"],
      "what frames do, counted: the same on every machine",
      examples: [
        "porthole-bench counters --instructions --n 16,32 --out base",
        "porthole-bench counters --instructions --check base/instructions.json",
        "porthole-bench counters",
      ],
      details: """
          --check FILE         compare with a baseline instead of printing
          --scenes DIR
          --instructions       the processor's instructions of a frame, by valgrind's callgrind (a
                               package of its own); instructions.json goes to the folder. With it:
          --n LIST             numbers of portals; more than one give a portal's instructions (16,32)
          --frames A,B         frames of the shorter and the longer run; what both have cancels (4,12)
          --vector-width BITS  that a software renderer computes with: 128, 256 or 512 (256)
          --keep-pins          the variables of this shell (else the driver's threads, cache and width
                               are pinned); what is not pinned then exits with 5
          --check FILE         an instructions.json; growth beyond --tolerance (0.5 per cent) exits with
                               2, other surroundings with 5, a point that is gone with 3
          --out, --size (640x360), --scale, --scenes, --json, --quiet
        """),
    HelpTopic(
      "bars", ["bars [options]"],
      "the bars of docs/performance.md, each with its figure",
      examples: [
        "porthole-bench bars --short --only holes"
      ],
      details: """
          --short              fewer N and rounds; what takes long or needs other toolkits is left out
          --rounds N, --seed N, --scenes DIR, --json
          --peers FILE         what make bench-peers has measured (peers.json in the folder)
          --only TEXT          those with this in their names; "stages" and "counters" stand for all of those
          --out DIR            where bars.json goes (out/bench)
        """),
    HelpTopic(
      "server", ["server [options]"],
      "cost of a render server in a process of its own",
      examples: [
        "porthole-bench server --clients 1,4"
      ],
      details: """
          --clients LIST       clients at a time (1,4,16)
          --layers LIST        changed layers of a commit (1,100,1000,10000)
          --n LIST             portals between two clients (1,16,256,1024)
          --frames N           of each measurement (60)
          --server PATH        portholed (the one beside this program)
          --out DIR            where server.json goes (out/bench)
          --json
        """),
  ]
}

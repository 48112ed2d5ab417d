/// What `--help` prints.
public enum HelpText {
  public static let usage = """
    porthole-bench: what portals cost on this machine.

    porthole-bench doctor            what can be measured here, and how small a change is seen
    porthole-bench scale [options]   cost against the number of portals, in half a minute
    porthole-bench run --n 16        one number of portals
    porthole-bench run SUITE         a suite: what a frame takes, stage by stage, pass by pass
    porthole-bench bars              the bars of docs/performance.md, each with its figure
    porthole-bench counters          what frames do, counted: the same on every machine
    porthole-bench server [options]  cost of a render server in a process of its own
    porthole-bench compare BASE HEAD hold two results against each other
    porthole-bench ab --a ARM --b ARM    two ways to draw, in one process
    porthole-bench duel --base P --head P  two builds, in processes of their own
    porthole-bench bisect --good A --bad B -- BUILD  which commit made it cost more
    porthole-bench explain CELL FILE [FILE]  what a cell is made of, or what moved in it
    porthole-bench calibrate         how small a change of each cell is seen here
    porthole-bench selftest [KIND]   whether the benchmark keeps what it promises of itself
    porthole-bench ci                the gate of a repository: what porthole-bench.toml asks for
    porthole-bench baseline ACTION FILE  counters that a repository keeps: save, show, check,
                                     bless, expire
    porthole-bench history ACTION FILE   numbers over time: add, changepoints
    porthole-bench report FILE       a result in other forms, without measuring
    porthole-bench merge FILES       the shards of a sweep as the whole
    porthole-bench list [--json]     suites, strategies, metrics and counters
    porthole-bench --help, --version

    Examples
      porthole-bench doctor --json
      porthole-bench scale
      porthole-bench scale --full --out before
      porthole-bench scale --n 1,16,256 --suite portal-window
      porthole-bench scale --scene my.json --multiply card --move needle
      porthole-bench run --n 64 --seconds 5
      porthole-bench counters --instructions --n 16,32 --out base
      porthole-bench counters --instructions --check base/instructions.json
      porthole-bench ab --a blur=off --b blur=on --seconds 20
      porthole-bench ab --a n=64 --b n=64,strategy=duplicate
      porthole-bench duel --base old/porthole-bench --head new/porthole-bench --control
      porthole-bench bisect --good v1.2 --bad HEAD -- swift build -c release --product porthole-bench
      porthole-bench explain effect=blur before/run.json after/run.json
      porthole-bench scale --n 1,16,64,256 --factor blur=0,1
      porthole-bench selftest mutants
      porthole-bench compare before/result.json after/result.json --format junit,md --out gate
      porthole-bench ci --budget 120s --out out/ci
      porthole-bench baseline check bench/baseline/counters.txt --format junit
      porthole-bench baseline bless bench/baseline/counters.txt --reason "one pass fewer"
      porthole-bench history add history.ndjson out/bench/result.json
      porthole-bench scale --full --shard 2/4 --out shard2
      porthole-bench merge shard*/result.json --out whole
      porthole-bench report whole/result.json --format csv,trace,gbench

    Options of doctor
      --seconds S          for noise and instruments (10)
      --n N                portals that are drawn meanwhile (16)
      --require-timer      exit with 5 where GPU times can't be believed
      --require-hardware, --strict (exit with 4 on a noisy machine), --seed, --size, --scale,
      --scenes, --json, --quiet

    Options of scale
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

    run --n N takes the options of scale, portals of portal-grid and 10 s where they say nothing

    Options of run, for area, sources, nesting, damage, effects, video (with commas) or all
      --budget SECONDS     time for all suites together (60)
      --rounds, --seed, --size, --scale, --out, --scenes, --json, --quiet as for scale;
                           run.json goes to the folder

    Options of bars
      --short              fewer N and rounds; what takes long or needs other toolkits is left out
      --rounds N, --seed N, --scenes DIR, --json
      --peers FILE         what make bench-peers has measured (peers.json in the folder)
      --only TEXT          those with this in their names; "stages" and "counters" stand for all of those
      --out DIR            where bars.json goes (out/bench)

    Options of counters
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

    Options of server
      --clients LIST       clients at a time (1,4,16)
      --layers LIST        changed layers of a commit (1,100,1000,10000)
      --n LIST             portals between two clients (1,16,256,1024)
      --frames N           of each measurement (60)
      --server PATH        portholed (the one beside this program)
      --out DIR            where server.json goes (out/bench)
      --json

    Options of ab
      --a ARM, --b ARM     n=N, suite=NAME and strategy=NAME with commas between; or effect=NAME,
                           or an effect's name =on or =off; or area=, sources=, nesting=, damage=,
                           video= with a value that list --json names
      --seconds S          at the most (20); --budget says the same; --rounds N, exactly so many
      --margin P           per cent by which a change is none (1.5)
      --tolerance P        a change that is surely smaller passes (5)
      --metric NAME        frame_wall_ms, cpu_ms or gpu_ms (what is best on this machine)
      --strict, --deadline, --require-hardware, --seed, --size, --scale, --scenes, --out, --json,
      --quiet;             ab.json goes to the folder

    Options of duel
      --base P, --head P   porthole-bench of two builds
      --control            the base as a third side: what it costs beyond itself is chance
      --n LIST             numbers of portals, a cell each (64)
      --seconds S          at the most, but at least 10 restarts (90); --budget says the same
      --restarts N         exactly so many, 10 or more; --rounds N of each (20)
      --other-pictures     the builds may draw different pictures
      --margin, --tolerance, --metric, --strict, --deadline, --require-hardware, --seed, --size, --scale,
      --scenes, --out, --json, --quiet as for ab; duel.json goes to the folder

    Options of ci
      --config FILE        what is held to what: TOML, or JSON by its name's end
                           (porthole-bench.toml or .json here)
      --budget SECONDS     for all of it, as in 120s (the file's, else 120); exact counters come
                           first and whole, the curve of cost last and with what is left
      --base PATH          porthole-bench of another build, which this one is held against
      --strict             exit with 4 where nothing can be said
      --require-hardware, --scenes, --out, --json, --quiet; to the folder go ci.json, ci.html,
                           junit.xml, summary.md, annotations.txt, counters.txt, and the report
                           of scale in all its forms

    baseline save|show|check|bless|expire FILE
      --config FILE        of the suites and scenes that this file names, as ci counts them
      --reason TEXT        why it is what it is; bless asks for it, counts twice and writes
      --max-age DAYS       an older baseline exits with 7
      --budget P           per cent by which counters may grow (0)
      --strict-improvement what shrank, and was not blessed, exits with 6
      --format LIST        md, junit, annotations, to the folder of --out; --scenes DIR

    history add FILE RESULT...; history changepoints FILE

    Options of bisect
      --good A, --bad B    commits; what follows -- builds one, in a tree of its own. The program goes where
                           the variable BISECT_PROGRAM says, or lies in .build/release/porthole-bench
      --repository DIR     of the history (here)
      --n N, --seconds S, --rounds N, --margin, --tolerance, --metric, --seed, --size, --scale, --scenes,
      --out, --json, --quiet as for duel, for each comparison; bisect.json goes to the folder

    Options of calibrate
      --n LIST             numbers of portals, a cell each (16,64,256)
      --seconds S          for all of them (30); calibration.json goes to the folder. Exits with 4 where a
                           growth of --tolerance would not be seen in ten minutes
      --margin, --deadline, --seed, --size, --scale, --scenes, --out, --json, --quiet

    selftest takes noise, power, curves, mutants, counters or all
      --long               as many trials as the bars ask for
      --trials N           exactly so many
      --seed, --scenes, --out, --json, --quiet; selftest.json goes to the folder

    compare takes two files result.json, or several of each side by --base FILE and --head FILE
      --margin P           per cent of time by which a change is none (1.5)
      --tolerance P        a change that is surely smaller passes (5)
      --counter-budget P   by how much exact counters may grow (0)
      --advisory LIST      counters and metrics that decide nothing, as in cpu_ms,batches
      --strict             exit with 4 where nothing can be said
      --confirm FILE       an earlier comparison.json: only what both flag is a regression
      --format LIST        md, junit, annotations, json; to the folder of --out (out/bench)
      --json               the comparison as JSON

    Exit codes: 0 measured, or nothing worse; 1 the tool could not do its work, or a bar falls
    short; 2 something costs more; 3 a picture was wrong, or a measurement is missing or none;
    4 nothing can be said (with --strict); 5 this machine, or two sides that differ, can't give
    what was asked for; 6 something costs surely less, unblessed (with --strict-improvement);
    7 there is no baseline, or it is too old; 64 the command line is wrong. Of several, the first
    of 1, 3, 5, 7, 2, 6, 4.
    """
}

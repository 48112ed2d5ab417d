import Diagnostics
import Foundation
import TestSupport

// Bad clients, one after another, against a server in this process. Says its seed first; the same seed says the same things.

var seconds = 20.0
var seed = UInt64.random(in: 0..<1_000_000_000)
var corpus = "Tests/WireFuzz/corpus"
var keepsNew = false
var checksEach = false
var files: [String] = []

var words = CommandLine.arguments.dropFirst()
while let word = words.popFirst() {
  switch word {
  case "--seconds": seconds = words.popFirst().flatMap(Double.init) ?? seconds
  case "--seed": seed = words.popFirst().flatMap { UInt64($0) } ?? seed
  case "--corpus": corpus = words.popFirst() ?? corpus
  case "--keep": keepsNew = true
  case "--each": checksEach = true
  case "--help":
    print(
      """
      usage: wire-fuzz [--seconds NUMBER] [--seed NUMBER] [--corpus FOLDER] [--keep] [--each] [FILE.wire …]

      Plays the corpus and then random and changed inputs to a server in this process; files, if any, and nothing else.
      --each looks for leaks after every input instead of every 25th.
      --keep adds an input to the corpus for each way to end that no other has. The first line says where what fails is left.
      """)
    exit(0)
  default: files.append(word)
  }
}

let limit = seconds
let start = ProcessClock.monotonicNanoseconds
var elapsed: Double { Double(ProcessClock.monotonicNanoseconds - start) / 1e9 }

func read(_ path: String) -> FuzzInput { FuzzInput([UInt8](FileManager.default.contents(atPath: path) ?? Data())) }

/// Where the input in hand stands for as long as it is played, so that a crash leaves it behind.
let inHand = FileManager.default.temporaryDirectory.appending(path: "wire-fuzz-\(getpid()).wire").path

func play(_ input: FuzzInput, on host: FuzzHost) throws -> String {
  try Data(input.bytes).write(to: URL(filePath: inHand))
  // A turn that never ends is ended by this signal.
  alarm(30)
  return try host.play(input)
}

print("wire-fuzz: seed \(seed), \(Int(limit)) s; what is being played stands in \(inHand)")
// Each input that breaks the protocol is a warning, and there are thousands.
setenv("PORTHOLE_LOG", "error", 0)
fflush(nil)
do {
  let host = try FuzzHost()
  var random = SeededGenerator(seed: seed)
  var inputs: [FuzzInput] = []
  var outcomes: [String: Int] = [:]
  var (count, visits) = (0, 0)
  let stored = (try? FileManager.default.contentsOfDirectory(atPath: corpus))?.sorted() ?? []
  let played = files.isEmpty ? stored.filter { $0.hasSuffix(".wire") }.map { "\(corpus)/\($0)" } : files
  for path in played {
    let input = read(path)
    inputs.append(input)
    outcomes[try play(input, on: host), default: 0] += 1
    try host.check()
    count += 1
  }
  while files.isEmpty, elapsed < limit {
    let input: FuzzInput
    if let base = inputs.randomElement(using: &random), random.chance(50) {
      input = base.mutated(with: inputs.randomElement(using: &random) ?? base, &random)
    } else {
      var maker = InputMaker(SeededGenerator(seed: random.next()), withDmaBuffers: host.imports)
      let made = maker.input()
      input = random.chance(40) ? made.mutated(with: inputs.randomElement(using: &random) ?? made, &random) : made
    }
    let outcome = try play(input, on: host)
    count += 1
    if random.chance(5) {
      var viewer = BadViewer(SeededGenerator(seed: random.next()))
      alarm(60)
      try host.play(&viewer)
      visits += 1
    }
    if outcomes[outcome] == nil, inputs.count < 4000 {
      inputs.append(input)
      if keepsNew, outcome.hasPrefix("error"), input.bytes.count < 4096 {
        let name = outcome.lowercased().filter { $0.isASCII && ($0.isLetter || $0 == " ") }.replacing(" ", with: "-")
        try Data(input.bytes).write(to: URL(filePath: "\(corpus)/\(name.prefix(60)).wire"))
      }
    }
    outcomes[outcome, default: 0] += 1
    if checksEach || count % 25 == 0 { try host.check() }
  }
  try host.check()
  alarm(0)
  host.close()
  try? FileManager.default.removeItem(atPath: inHand)
  let errors = outcomes.filter { $0.key.hasPrefix("error") }
  let kind = host.imports ? " (dma-bufs too)" : ""
  print(
    "wire-fuzz: \(count) inputs and \(visits) visits of the page\(kind), \(outcomes.count) ways to end, \(errors.count) of them "
      + "protocol errors; longest turn \(host.longestTurn / 1_000_000) ms; nothing found")
} catch let finding as FuzzHost.Finding {
  print("wire-fuzz: found with seed \(seed): \(finding.sentence); the last input is in \(inHand)")
  exit(1)
} catch {
  print("wire-fuzz: \(error)")
  exit(1)
}

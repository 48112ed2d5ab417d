import BenchCore
import Testing

@Suite("The GPU timer's proof")
struct TimerProofTests {
  @Test(
    "a timer that lies is refused whatever the seed, with its fault and a reason",
    arguments: [
      (.unflushed, .unflushed), (.rightOnce, .unflushed), (.zero, .zero), (.constant, .constant), (.wrap, .wrap),
      (.disjoint, .disjoint), (.pending, .pending), (.unordered, .unordered), (.duplicate, .duplicate),
      (.halfRate, .rate), (.doubleRate, .rate), (.vsync, .vsync), (.negative, .negative), (.fewBits, .wrap),
    ] as [(FakeTimer.Lie, TimerFault)])
  func lies(lie: FakeTimer.Lie, fault: TimerFault) throws {
    for seed in 1...50 as ClosedRange<UInt64> {
      let verdict = try TimerProof.verdict(on: FakeTimer(lie, seed: seed))
      #expect(!verdict.isValid && verdict.isPresent, "seed \(seed)")
      #expect(verdict.fault == fault, "seed \(seed): \(verdict.reason)")
      #expect(!verdict.reason.isEmpty)
    }
  }

  @Test("a timer that tells the truth is believed, in 99 of 100 runs and more")
  func truth() throws {
    var believed = 0
    for seed in 1...300 as ClosedRange<UInt64> {
      let verdict = try TimerProof.verdict(on: FakeTimer(seed: seed))
      if verdict.isValid { believed += 1 }
      if seed == 1 {
        #expect((try #require(verdict.ratio) - 4).magnitude < 0.3)
        #expect((try #require(verdict.ratioOf16) - 16).magnitude < 1.2)
        #expect((try #require(verdict.rate) - 1).magnitude < 0.05)
        #expect(verdict.bits == 64)
      }
    }
    #expect(believed >= 297)
  }

  @Test("a counter of fewer bits that says so is believed across its wrap")
  func honestWrap() throws {
    let timer = FakeTimer(gpuStart: (1 << 36) - 60_000_000)
    timer.stampBits = 36
    timer.elapsedBits = 36
    #expect(try TimerProof.verdict(on: timer).isValid)
  }

  @Test("a timer without moments is judged by its elapsed times alone")
  func withoutMoments() throws {
    let timer = FakeTimer()
    timer.stampBits = 0
    #expect(try TimerProof.verdict(on: timer).isValid)
    let none = FakeTimer()
    none.elapsedBits = 0
    let verdict = try TimerProof.verdict(on: none)
    #expect(!verdict.isPresent && !verdict.isValid && verdict.fault == nil)
  }

  @Test("readings that the driver calls worthless are dropped and counted, and the proof goes on")
  func someDisturbed() throws {
    let timer = FakeTimer()
    timer.disturbedEvery = 8
    let verdict = try TimerProof.verdict(on: timer)
    #expect(verdict.isValid, "\(verdict.reason)")
    #expect(verdict.disjointReadings == 2)
  }

  @Test("a counter's distance goes over its end, and a step back is none")
  func distances() {
    #expect(TimerCounter.distance(from: 10, to: 25, bits: 64) == 15)
    #expect(TimerCounter.distance(from: 25, to: 10, bits: 64) == nil)
    #expect(TimerCounter.distance(from: (1 << 32) - 5, to: 7, bits: 32) == 12)
    #expect(TimerCounter.distance(from: 7, to: (1 << 32) - 5, bits: 32) == nil)
    #expect(TimerCounter.distance(from: .max, to: 2, bits: 64) == 3)
    #expect(TimerCounter.distance(from: 1, to: 2, bits: 0) == nil)
  }

  @Test(
    "times that do not grow as the work does, are none, or run at another pace are refused",
    arguments: [
      ([0, 0, 0], [10, 40, 160]), ([10, 13, 16], [10, 40, 160]), ([10, 60, 160], [10, 60, 160]),
      ([10, 40, 80], [11, 41, 81]), ([10, 40, 300], [11, 41, 301]), ([10, 40, 160], [20, 80, 320]),
      ([10, 40, 160], [5, 20, 80]), ([.nan, 40, 160], [10, 40, 160]), ([10, 40, 160], [10, 40, 0]),
      ([10, 40, 160], [10, 160, 160]), ([10, 40], [10, 40]), ([10, 40, .infinity], [10, 40, 160]),
    ] as [([Double], [Double])])
  func refused(gpu: [Double], wall: [Double]) {
    let verdict = TimerProof.judging(gpu: gpu.map { $0 * 1e5 }, wall: wall.map { $0 * 1e5 })
    #expect(!verdict.isValid)
    #expect(!verdict.reason.isEmpty)
  }

  @Test("a driver that ends the process, hangs, or says nothing costs the proof's process and nothing else")
  func crash() {
    func verdict(_ script: String, within seconds: Double = 20) -> TimerVerdict {
      TimerVerdict.ofChild("/bin/sh", ["-c", script], within: seconds)
    }
    let crashed = verdict("kill -SEGV $$")
    #expect(!crashed.isValid && crashed.fault == .crash && crashed.reason.contains("signal 11"))
    #expect(verdict("exit 3").fault == .crash)
    #expect(verdict("echo nonsense").fault == .crash)
    #expect(verdict("exec sleep 600", within: 0.2).fault == .pending)
    #expect(TimerVerdict.ofChild("/nowhere/at/all", [], within: 5).fault == .crash)
    let good = #"{"present":true,"valid":true,"bits":64,"ratio_1_4":4.1,"fault":null,"reason":"right"}"#
    let told = verdict("echo '\(good)'")
    #expect(told.isValid && told.ratio == 4.1 && told.bits == 64)
    #expect(verdict("echo '\(good)'; kill -ABRT $$").fault == .crash)
  }
}

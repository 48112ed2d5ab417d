import BenchCore
import Commit
import JSON
import Testing

/// A machine whose clock is what the test says, round by round.
private final class FakeSensor: Sensor {
  let name = "fake"
  let highestClock: Double? = 2000
  private let readings: (Int) -> SensorReading
  private var round = 0

  init(_ readings: @escaping (Int) -> SensorReading) { self.readings = readings }

  func read() -> SensorReading {
    defer { round += 1 }
    return readings(round)
  }
}

@Suite("Clocks, heat and energy")
struct SensorTests {
  private func arms(
    _ sensor: any Sensor, rounds: Int = 80, isStrict: Bool = false, slowFrom: Int? = nil
  ) throws -> ArmComparison {
    let machine = SyntheticMachine(.idle, seed: 3)
    let key = CellKey(suite: .portalGrid, strategy: .portal, n: 16)
    var options = ArmOptions(a: .cell(key), b: .cell(key))
    options.rounds = rounds
    options.common.isStrict = isStrict
    let environment = SyntheticStage(machine).environment
    return try ArmRun(options: options, environment: environment, clock: machine, sensor: sensor).run(
      SyntheticContender(machine, milliseconds: 4), SyntheticContender(machine, milliseconds: 4))
  }

  @Test("a clock that falls by a tenth or more in a run is seen, whenever it does, in 99 of 100 runs and more")
  func drop() {
    var seen = 0
    var chance = Gaussian(seed: 8)
    for _ in 0..<1000 {
      // A clock wavers by a hundredth, and falls by a tenth or more for a fifth of the rounds or more.
      let start = Int(chance.uniform() * 80)
      let part = 0.88 - 0.3 * chance.uniform()
      let readings = (0..<100).map { round in
        let factor = (start..<start + 20).contains(round) ? part : 1
        return SensorReading(clock: 1800 * factor * (1 + 0.005 * chance.next()))
      }
      if SensorRecord(readings: readings).throttled.count >= 18 { seen += 1 }
    }
    #expect(seen >= 990)
  }

  @Test("a clock that wavers by three hundredths is no throttle, and neither is one that nobody can read")
  func steady() {
    var chance = Gaussian(seed: 9)
    for _ in 0..<200 {
      let readings = (0..<100).map { _ in SensorReading(clock: 1800 * (1 + 0.01 * chance.next())) }
      #expect(SensorRecord(readings: readings).throttled.isEmpty)
    }
    #expect(SensorRecord(readings: Array(repeating: SensorReading(), count: 50)).throttled.isEmpty)
    let wild = [SensorReading(clock: .nan), SensorReading(clock: -1), SensorReading(clock: 0), SensorReading(clock: 1)]
    #expect(SensorRecord(readings: wild).throttled.isEmpty)
  }

  @Test("rounds of a throttled machine do not count, are told of with the reason, and the rest decides")
  func dropped() throws {
    let comparison = try arms(
      FakeSensor { SensorReading(clock: 1800, throttles: (30..<50).contains($0) ? ["power cap"] : []) })
    #expect(comparison.exit.code == .ok)
    #expect(comparison.rounds.counted.first.count == 60)
    #expect(comparison.line.contains("throttled in 20 of 80 rounds") && comparison.line.contains("power cap"))
    #expect(comparison.json.text.contains("\"throttled_rounds\": [30, 31"))
  }

  @Test("where too few rounds are left nothing can be said, in words and not in numbers that are none")
  func tooFew() throws {
    let held = { (round: Int) in SensorReading(clock: 1800, throttles: round > 5 ? ["hardware slowdown"] : []) }
    let comparison = try arms(FakeSensor(held))
    #expect(comparison.verdict == .inconclusive && comparison.effect == nil && comparison.exit.code == .ok)
    #expect(comparison.line.contains("hardware slowdown"))
    #expect(!comparison.json.text.lowercased().contains("nan"))
    let strict = try arms(FakeSensor(held), isStrict: true)
    #expect(strict.exit.code == .inconclusive)
    #expect(strict.exit.reasons[0].contains("hardware slowdown"))
  }

  @Test("a machine that recovers gives the answer of one that was never throttled")
  func recovers() throws {
    let clean = try arms(FakeSensor { _ in SensorReading(clock: 1800) })
    let held = try arms(FakeSensor { SensorReading(clock: $0 < 20 ? 1500 : 1800) })
    #expect(clean.verdict == .pass && held.verdict == .pass)
    #expect(held.rounds.counted.first.count == 60)
  }

  @Test("a sweep leaves the rounds out of every cell, and is not valid where too few are left")
  func sweep() throws {
    func result(_ sensor: any Sensor) -> BenchmarkResult {
      let stage = FakeStage()
      var options = FakeRun.options
      options.rounds = 20
      return ScaleRun(
        options: options, stage: stage, clock: stage.clock, console: Console(output: { _ in }), sensor: sensor
      ).run(arguments: ["scale"], started: "2026-01-01T00:00:00Z")
    }
    // Two suites of twenty rounds each: the first six rounds of the first.
    let some = result(
      FakeSensor { SensorReading(clock: $0 < 6 ? 1000 : 2000, temperature: 60, power: 90, energy: Double($0)) })
    #expect(some.exit.code == .ok)
    let grid = some.cells.filter { $0.key.suite == .portalGrid && $0.status == .ok }
    #expect(!grid.isEmpty && grid.allSatisfy { $0.rounds.count == 14 && $0.throttledRounds == 6 })
    #expect(some.notes.contains { $0.contains("throttled in 6 of 20 rounds") })
    let read = try BenchmarkResult([UInt8](some.json.text.utf8), name: "r.json")
    #expect(read.json.text == some.json.text)
    let most = result(FakeSensor { SensorReading(clock: 2000, throttles: $0 > 3 ? ["power cap"] : []) })
    #expect(most.exit.code == .invalid)
    #expect(most.exit.reasons.contains { $0.contains("throttled in 16 of 20 rounds") })
  }

  @Test("NVIDIA's library is read by its documented functions: clocks, heat, power, energy and what holds clocks down")
  func nvml() throws {
    let sensor = try #require(NVMLSensor(lookup: StandInNVML.lookup))
    let reading = sensor.read()
    #expect(reading.clock == 1410 && reading.memoryClock == 1593 && sensor.highestClock == 1980)
    #expect(reading.temperature == 54 && reading.power == 312.5 && reading.energy == 9000)
    // Idle and a chosen clock are no throttle; the cap is.
    #expect(reading.throttles == ["power cap", "hardware thermal slowdown"])
    #expect(NVMLSensor(gpu: 1, lookup: StandInNVML.lookup) == nil)
    #expect(NVMLSensor(lookup: { _ in nil }) == nil)
    let bare = try #require(
      NVMLSensor { ["nvmlInit_v2", "nvmlDeviceGetHandleByIndex_v2"].contains($0) ? StandInNVML.lookup($0) : nil })
    #expect(bare.read() == SensorReading())
  }

  @Test("the kernel's files are read in their units, and files that hold no number say nothing")
  func sysfs() throws {
    func facts(_ files: [String: String]) -> SystemFacts {
      SystemFacts(
        file: { files[$0] }, exists: { files[$0] != nil }, variable: { _ in nil }, kernel: "Linux", libc: "none")
    }
    let folder = "/sys/class/drm/card1/device/hwmon/hwmon3/"
    let gpu = try #require(
      SysfsSensor(
        gpu: facts([
          folder + "freq1_input": "1340000000\n", folder + "temp1_input": "61000\n",
          folder + "power1_average": "45000000\n", folder + "energy1_input": "nonsense",
        ])))
    #expect(gpu.read() == SensorReading(clock: 1340, temperature: 61, power: 45))
    #expect(SysfsSensor(gpu: facts([:])) == nil)
    let cpu = "/sys/devices/system/cpu/cpu"
    let processor = SysfsSensor(
      processor: facts([
        cpu + "0/cpufreq/scaling_cur_freq": "800000", cpu + "1/cpufreq/scaling_cur_freq": "3600000",
        cpu + "0/cpufreq/cpuinfo_max_freq": "4000000", "/sys/class/powercap/intel-rapl:0/energy_uj": "2500000",
      ]), cores: 2)
    #expect(processor.read() == SensorReading(clock: 3600, energy: 2.5) && processor.highestClock == 4000)
  }
}

/// A management library of a GPU that is warm and at its cap.
private enum StandInNVML {
  static func lookup(_ name: String) -> UnsafeMutableRawPointer? {
    switch name {
    case "nvmlInit_v2", "nvmlShutdown":
      let body: @convention(c) () -> Int32 = { 0 }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    case "nvmlDeviceGetHandleByIndex_v2":
      let body: @convention(c) (UInt32, UnsafeMutablePointer<OpaquePointer?>) -> Int32 = { index, device in
        device.pointee = OpaquePointer(bitPattern: 64)
        return index == 0 ? 0 : 2
      }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    case "nvmlDeviceGetClockInfo":
      let body: @convention(c) (OpaquePointer?, UInt32, UnsafeMutablePointer<UInt32>) -> Int32 = { _, kind, value in
        value.pointee = kind == 0 ? 1410 : 1593
        return 0
      }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    case "nvmlDeviceGetMaxClockInfo":
      let body: @convention(c) (OpaquePointer?, UInt32, UnsafeMutablePointer<UInt32>) -> Int32 = { _, _, value in
        value.pointee = 1980
        return 0
      }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    case "nvmlDeviceGetTemperature":
      let body: @convention(c) (OpaquePointer?, UInt32, UnsafeMutablePointer<UInt32>) -> Int32 = { _, _, value in
        value.pointee = 54
        return 0
      }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    case "nvmlDeviceGetPowerUsage":
      let body: @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt32>) -> Int32 = { _, value in
        value.pointee = 312_500
        return 0
      }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    case "nvmlDeviceGetTotalEnergyConsumption":
      let body: @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt64>) -> Int32 = { _, value in
        value.pointee = 9_000_000
        return 0
      }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    case "nvmlDeviceGetCurrentClocksThrottleReasons":
      let body: @convention(c) (OpaquePointer?, UnsafeMutablePointer<UInt64>) -> Int32 = { _, value in
        value.pointee = 0x1 | 0x2 | 0x4 | 0x40
        return 0
      }
      return unsafeBitCast(body, to: UnsafeMutableRawPointer.self)
    default: return nil
    }
  }
}

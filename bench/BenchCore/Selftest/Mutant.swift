/// A fault that is put in on purpose, and what the benchmark then ends with.
public struct Mutant {
  public var name: String
  private let plant: () throws(BenchError) -> ExitStatus.Code

  init(_ name: String, _ plant: @escaping () throws(BenchError) -> ExitStatus.Code) {
    (self.name, self.plant) = (name, plant)
  }

  /// With which code the benchmark ends over it; `ok` would be a fault that passes green.
  public var code: ExitStatus.Code {
    do throws(BenchError) {
      return try plant()
    } catch {
      return error.exitCode
    }
  }

  /// All of them.
  public static func all(seed: UInt64) -> [Mutant] {
    ResultMutants(seed: seed).all + RunMutants(seed: seed).all + DuelMutants(seed: seed).all
  }

  /// How many pass green, which none may (bar B12); and whether what they were put into is green without them.
  public static func bars(seed: UInt64) -> [SelftestBar] {
    let mutants = all(seed: seed)
    let green = mutants.filter { $0.code == .ok }
    let sound = [ResultMutants(seed: seed).sound, RunMutants(seed: seed).sound, DuelMutants(seed: seed).sound]
    let dead = sound.filter { $0.code != .ok }
    return [
      SelftestBar(
        "B12", "faults that were put in and pass green", Double(green.count), in: .atMost(0), unit: "faults",
        note: green.isEmpty ? "of \(mutants.count)" : green.map(\.name).joined(separator: "; ")),
      SelftestBar(
        "B12", "sound results that do not pass", Double(dead.count), in: .atMost(0), unit: "results",
        note: dead.map(\.name).joined(separator: "; ")),
    ]
  }
}

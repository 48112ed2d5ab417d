/// What must stand still for instructions to be countable: with the driver's own choice of threads, of vectors' width, or with
/// shaders that a run before has compiled, two counts of one program differ by tens of per cent.
public enum InstructionPins {
  public static let names = ["MESA_SHADER_CACHE_DISABLE", "LP_NUM_THREADS", "LP_NATIVE_VECTOR_WIDTH"]

  public static func variables(vectorBits: Int) -> [String: String] {
    [
      "MESA_SHADER_CACHE_DISABLE": "true", "LP_NUM_THREADS": "0", "LP_NATIVE_VECTOR_WIDTH": "\(vectorBits)",
      // Else each process orders what it hashes in a way of its own: three per cent from count to count.
      "SWIFT_DETERMINISTIC_HASHING": "1",
    ]
  }

  /// Why counts from such surroundings are not to be had: a variable that is not set, or vectors of another width than it
  /// says. Nil where all stands still.
  public static func refusal(_ fields: [EnvironmentField]) -> String? {
    func value(_ name: String) -> String? {
      fields.first { $0.name == name }.flatMap { $0.value == "unset" ? nil : $0.value }
    }
    guard value("gpu.software") == "true" else {
      return value("pins.MESA_SHADER_CACHE_DISABLE") == nil
        ? "pins.MESA_SHADER_CACHE_DISABLE is not set: a driver's cache makes two counts of one program differ" : nil
    }
    for name in names where value("pins.\(name)") == nil {
      return "pins.\(name) is not set: what the driver chooses itself makes two counts of one program differ"
    }
    guard value("pins.LP_NUM_THREADS") == "0" else {
      return
        "pins.LP_NUM_THREADS is \(value("pins.LP_NUM_THREADS") ?? "unset"); only 0 draws on the thread that is counted"
    }
    if let bits = value("gpu.simd_bits"), let wanted = value("pins.LP_NATIVE_VECTOR_WIDTH"), bits != wanted {
      return "gpu.simd_bits is \(bits), though LP_NATIVE_VECTOR_WIDTH asks for \(wanted)"
    }
    return nil
  }
}

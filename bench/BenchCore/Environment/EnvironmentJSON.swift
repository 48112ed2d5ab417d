import JSON

extension RunEnvironment {
  /// The member `env` of every file that the tool writes.
  var json: JSONValue {
    .object(description + [("fingerprint", .string(fingerprint)), ("comparable_key", .string(comparableKey))])
  }

  /// The same on one line.
  public var jsonText: String { json.line }

  /// The name of what two runs must share for their times to be comparable.
  public var comparableKey: String { EnvironmentField.comparableKey(EnvironmentField.fields(of: .object(description))) }
  public var fingerprint: String { EnvironmentField.fingerprint(EnvironmentField.fields(of: .object(description))) }

  private var description: [(String, JSONValue)] {
    [
      ("host", host.json),
      ("gpu", gpu.json),
      ("egl", .object([("platform", .string(platform)), ("extensions_hash", .string(displayExtensionsHash))])),
      ("gl", .object([("extensions_hash", .string(extensionsHash)), ("timer", timer.json)])),
      ("pins", .object(pins.map { ($0.name, .optional($0.value)) })),
    ]
  }
}

extension HostDescription {
  var json: JSONValue {
    func flag(_ value: Bool?) -> JSONValue { value.map { .boolean($0) } ?? .null }
    return .object([
      ("cpu", .string(cpu)), ("model_id", .string(modelID)), ("cores", .integer(cores)),
      ("cgroup_quota", .optional(quota)), ("governor", .optional(governor)), ("turbo", flag(hasTurbo)),
      ("clock_locked", flag(isClockLocked)), ("smt", .optional(threading)), ("virt", .string(virtualization)),
      ("mem", .integer(memoryBytes)), ("kernel", .string(kernel)), ("libc", .string(libc)),
      ("container", .string(container)),
      (
        "ci",
        ci.map { ci in
          .object([
            ("vendor", .string(ci.vendor)), ("run", .optional(ci.run)), ("job", .optional(ci.job)),
            ("shard", .optional(ci.shard)),
          ])
        } ?? .null
      ),
    ])
  }
}

extension GPUDescription {
  fileprivate var json: JSONValue {
    .object([
      ("vendor", .string(vendor)), ("renderer", .string(renderer)), ("version", .string(version)),
      ("driver", .string(driver)), ("mesa", .optional(mesa)), ("llvm", .optional(llvm)),
      ("simd_bits", simdBits.map { .integer($0) } ?? .null), ("software", .boolean(isSoftware)),
    ])
  }
}

import JSON

/// One plain value of a result's `env`, by its path, as text.
public struct EnvironmentField: Sendable, Hashable {
  /// `host.cpu`, `pins.LP_NUM_THREADS`.
  public var name: String
  public var value: String

  public init(name: String, value: String) {
    self.name = name
    self.value = value
  }

  /// Bears on times: where it differs, two runs' times say nothing of each other. A kernel and a container do not, and of
  /// memory there is enough on either side.
  public var bearsOnTimes: Bool {
    let host = [
      "cpu", "model_id", "cores", "cgroup_quota", "governor", "turbo", "clock_locked", "smt", "virt", "libc",
    ]
    return host.contains { name == "host.\($0)" } || name.hasPrefix("gpu.") || name.hasPrefix("pins.")
      || name == "egl.platform"
  }

  /// Bears on how many instructions a frame takes: the processor's clock does not, its width does.
  public var bearsOnInstructions: Bool {
    ["host.libc", "host.model_id"].contains(name) || name.hasPrefix("gpu.") || name.hasPrefix("pins.")
  }

  /// Of which a fingerprint is made: not the names themselves, not which run this was, and nothing that was measured.
  private var isLasting: Bool {
    !["fingerprint", "comparable_key"].contains(name) && !name.hasPrefix("host.ci.") && !name.hasPrefix("gl.timer.")
  }

  public static func fingerprint(_ fields: [EnvironmentField]) -> String { hash(fields.filter(\.isLasting)) }
  public static func comparableKey(_ fields: [EnvironmentField]) -> String { hash(fields.filter(\.bearsOnTimes)) }

  private static func hash(_ fields: [EnvironmentField]) -> String {
    SHA256.hex(fields.sorted { $0.name < $1.name }.map { "\($0.name)=\($0.value)\n" }.joined())
  }

  /// The plain values of an object, those within others by path.
  static func fields(of value: JSONValue, at path: String = "") -> [EnvironmentField] {
    switch value {
    case .object(let members):
      members.flatMap { fields(of: $1, at: path.isEmpty ? $0 : "\(path).\($0)") }
    case .array: []
    case .string(let text): [EnvironmentField(name: path, value: text)]
    case .integer(let number): [EnvironmentField(name: path, value: String(number))]
    case .unsigned(let number): [EnvironmentField(name: path, value: String(number))]
    case .number(let number): [EnvironmentField(name: path, value: NumberText.shortest(number))]
    case .boolean(let flag): [EnvironmentField(name: path, value: "\(flag)")]
    case .null: [EnvironmentField(name: path, value: "unset")]
    }
  }

  /// The same of a file that was read.
  static func fields(of document: JSONDocument, _ node: Int32, at path: String = "") -> [EnvironmentField] {
    switch document[node].value {
    case .object:
      return document.children(of: node).flatMap { child -> [EnvironmentField] in
        let key = document[child].key ?? ""
        return fields(of: document, child, at: path.isEmpty ? key : "\(path).\(key)")
      }
    case .array: return []
    case .null: return [EnvironmentField(name: path, value: "unset")]
    case .bool(let flag): return [EnvironmentField(name: path, value: "\(flag)")]
    case .number(let number): return [EnvironmentField(name: path, value: NumberText.shortest(number))]
    case .string(let text): return [EnvironmentField(name: path, value: text)]
    }
  }
}

import JSON

extension RunEnvironment {
  /// The fields that `json` writes, in its order.
  var fields: [EnvironmentField] { EnvironmentField.fields(of: json) }

  /// An `env` that was written. Throws a sentence that names the file and the place in it.
  init(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    _ = try reader.environment(node)
    let host = try reader.member("host", of: node)
    let gpu = try reader.member("gpu", of: node)
    let egl = try reader.member("egl", of: node)
    let gl = try reader.member("gl", of: node)
    var ci: CIRun?
    if let run = reader.document.member("ci", of: host), reader.document[run].value == .object {
      ci = CIRun(
        vendor: try reader.text("vendor", of: run), run: reader.optionalText("run", of: run),
        job: reader.optionalText("job", of: run), shard: reader.optionalText("shard", of: run))
    }
    var pins: [Pin] = []
    for child in reader.document.children(of: try reader.member("pins", of: node)) {
      let name = reader.document[child].key ?? ""
      if case .string(let value) = reader.document[child].value {
        pins.append(Pin(name: name, value: value))
      } else {
        pins.append(Pin(name: name, value: nil))
      }
    }
    let timer = try reader.member("timer", of: gl)
    self.init(
      host: HostDescription(
        cpu: try reader.text("cpu", of: host), modelID: try reader.text("model_id", of: host),
        cores: try reader.whole("cores", of: host), quota: try? reader.number("cgroup_quota", of: host),
        governor: reader.optionalText("governor", of: host), hasTurbo: try? reader.flag("turbo", of: host),
        threading: reader.optionalText("smt", of: host), virtualization: try reader.text("virt", of: host),
        memoryBytes: try reader.whole("mem", of: host), kernel: try reader.text("kernel", of: host),
        libc: try reader.text("libc", of: host), container: try reader.text("container", of: host), ci: ci),
      gpu: GPUDescription(
        vendor: try reader.text("vendor", of: gpu), renderer: try reader.text("renderer", of: gpu),
        version: try reader.text("version", of: gpu), isSoftware: try reader.flag("software", of: gpu)),
      platform: try reader.text("platform", of: egl), timer: try TimerVerdict(reader, timer), pins: pins)
    displayExtensionsHash = try reader.text("extensions_hash", of: egl)
    extensionsHash = try reader.text("extensions_hash", of: gl)
  }
}

extension TimerVerdict {
  /// One that was written.
  init(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    self.init(
      isPresent: try reader.flag("present", of: node), isValid: try reader.flag("valid", of: node),
      bits: try reader.whole("bits", of: node), ratio: try? reader.number("ratio_1_4", of: node),
      ratioOf16: try? reader.number("ratio_1_16", of: node), rate: try? reader.number("rate", of: node),
      disjointReadings: try reader.whole("disjoint_dropped", of: node),
      fault: reader.optionalText("fault", of: node).flatMap { TimerFault(rawValue: $0) },
      reason: try reader.text("reason", of: node))
  }
}

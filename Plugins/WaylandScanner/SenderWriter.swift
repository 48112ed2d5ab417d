/// Writes the method that sends a message: an event at the server's end, a request at the client's. Arguments lie on the
/// stack.
struct SenderWriter {
  var interface: ProtocolModel.Interface
  var message: ProtocolModel.Message
  var opcode: Int
  /// The end that sends.
  var end: End
  var catalogue: Catalogue

  /// The object that a request makes.
  private var made: ProtocolModel.Argument? {
    end == .client ? message.arguments.first { $0.kind == .newID } : nil
  }

  private var result: String? { made.map { $0.interface.map(SwiftName.type) ?? "Made" } }

  func write(into out: inout SwiftText) {
    out.document(message.prose)
    for argument in message.arguments where !argument.summary.isEmpty && argument.name != made?.name {
      out.line("/// - Parameter \(SwiftName.plain(argument.name)): \(argument.summary).")
    }
    let plain = SwiftName.plain(message.name)
    let name =
      end == .server
      ? "send" + plain.prefix(1).uppercased() + plain.dropFirst() : SwiftName.member(message.name)
    let generic = made != nil && made?.interface == nil ? "<Made: WaylandInterface>" : ""
    let parameters = message.arguments.compactMap(parameter).joined(separator: ", ")
    let returned = result.map { " -> Proxy<\($0)>" } ?? ""
    out.block("public func \(name)\(generic)(\(parameters))\(returned)") { out in body(&out) }
  }

  private func parameter(_ argument: ProtocolModel.Argument) -> String? {
    let label = SwiftName.label(argument.name)
    let optional = argument.allowsNull ? "?" : ""
    let type = argument.interface.map(SwiftName.type)
    switch argument.kind {
    case .int: return "\(label): \(catalogue.type(of: argument, in: interface) ?? "Int32")"
    case .uint: return "\(label): \(catalogue.type(of: argument, in: interface) ?? "UInt32")"
    case .fixed: return "\(label): WireFixed"
    case .string: return "\(label): String\(optional)"
    case .array: return "\(label): RawSpan"
    case .fd: return "\(label): borrowing FileDescriptor"
    case .object: return "\(label): \(type.map { "\(end.object)<\($0)>" } ?? "Any\(end.object)")\(optional)"
    case .newID:
      if end == .server { return "\(label): Resource<\(type ?? "")>" }
      return type == nil ? "\(label): Made.Type, version: UInt32" : nil
    }
  }

  private func body(_ out: inout SwiftText) {
    let escape = result.map { "return Proxy<\($0)>.dead(connection)" } ?? "return"
    if message.since > 1 { out.line("guard version >= \(message.since) else { \(escape) }") }
    // An object that is gone can't be sent, and what names it is of no use any more.
    for argument in message.arguments where argument.kind == .object || argument.kind == .newID && end == .server {
      let label = SwiftName.member(argument.name)
      let pointer = "\(SwiftName.plain(argument.name))Pointer"
      if argument.allowsNull {
        out.line("let \(pointer) = \(label)?.pointer")
      } else {
        out.line("guard let \(pointer) = \(label).pointer else { \(escape) }")
      }
    }
    for argument in message.arguments where argument.kind == .fd {
      out.line("let \(SwiftName.plain(argument.name))Number = \(SwiftName.member(argument.name)).rawValue")
    }
    nest(message.arguments.filter { $0.kind == .string || $0.kind == .array }, &out)
  }

  /// Strings and arrays have their addresses inside a closure each.
  private func nest(_ rest: [ProtocolModel.Argument], _ out: inout SwiftText) {
    guard let argument = rest.first else {
      send(&out)
      return
    }
    let label = SwiftName.member(argument.name)
    let pointer = "\(SwiftName.plain(argument.name))Pointer"
    let function =
      argument.kind == .array
      ? "withWireArray(\(label))" : argument.allowsNull ? "withWireString(\(label))" : "\(label).withCString"
    let head = result == nil ? function : "return \(function)"
    out.block(head) { out in
      out.line("\(pointer) in")
      nest(Array(rest.dropFirst()), &out)
    }
  }

  private func send(_ out: inout SwiftText) {
    var values: [String] = []
    for argument in message.arguments {
      let label = SwiftName.member(argument.name)
      let plain = SwiftName.plain(argument.name)
      let raw = catalogue.type(of: argument, in: interface) == nil ? "" : ".rawValue"
      switch argument.kind {
      case .int where raw.isEmpty: values.append("wl_argument(i: \(label))")
      case .int, .uint: values.append("wl_argument(u: \(label)\(raw))")
      case .fixed: values.append("wl_argument(f: \(label).rawValue)")
      case .string: values.append("wl_argument(s: \(plain)Pointer)")
      case .array: values.append("wl_argument(a: \(plain)Pointer)")
      case .fd: values.append("wl_argument(h: \(plain)Number)")
      case .object: values.append("wl_argument(o: \(plain)Pointer)")
      case .newID where end == .server: values.append("wl_argument(o: \(plain)Pointer)")
      case .newID:
        if argument.interface == nil {
          values += ["wl_argument(s: Made.table.pointee.name)", "wl_argument(u: version)"]
        }
        values.append("wl_argument(o: nil)")
      }
    }
    let call = self.call
    guard !values.isEmpty else {
      out.line(call("nil"))
      return
    }
    out.block(
      "\(result == nil ? "" : "return ")withUnsafeTemporaryAllocation(of: wl_argument.self, capacity: \(values.count))"
    ) { out in
      out.line("a in")
      for (index, value) in values.enumerated() { out.line("a[\(index)] = \(value)") }
      out.line(call("a.baseAddress"))
    }
  }

  private func call(_ arguments: String) -> String {
    if end == .server { return "post(\(opcode), \(arguments))" }
    guard let result else {
      return "request(\(opcode), \(arguments)\(message.isDestructor ? ", isDestructor: true" : ""))"
    }
    let version = made?.interface == nil ? "version" : "self.version"
    return "return construct(\(result).self, \(opcode), \(arguments), version: \(version))"
  }
}

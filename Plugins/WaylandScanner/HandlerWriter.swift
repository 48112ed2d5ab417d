/// Writes what an end implements to hear messages, and the function that libwayland calls with them.
struct HandlerWriter {
  var interface: ProtocolModel.Interface
  /// The end that hears.
  var end: End
  var catalogue: Catalogue

  private var name: String { SwiftName.type(interface.name) }
  private var messages: [ProtocolModel.Message] { end == .server ? interface.requests : interface.events }
  private var variable: String { end == .server ? "resource" : "proxy" }

  func write(into out: inout SwiftText) {
    switch end {
    case .server:
      out.line("/// What a server does for a client's requests. What is thrown ends that client's connection.")
      out.block("public protocol RequestHandler: AnyObject") { out in
        declarations(&out)
        out.line("/// The object is gone: by its destructor, or with its client.")
        out.line("func destroyed(_ resource: Resource<\(name)>)")
      }
      out.line("public typealias Requests = any RequestHandler")
      out.block("public static func tellDestroyed(_ resource: Resource<\(name)>, _ handler: any RequestHandler)") {
        out in out.line("handler.destroyed(resource)")
      }
    case .client:
      out.line("/// What a client does for the server's events.")
      out.block("public protocol EventHandler: AnyObject") { out in declarations(&out) }
      out.line("public typealias Events = any EventHandler")
    }
    let (property, function) =
      end == .server ? ("requestDispatcher", "dispatchRequest") : ("eventDispatcher", "dispatchEvent")
    let used = messages.isEmpty ? "_, _, _" : "\(variable), handler, a"
    out.block("public static let \(property): wl_dispatcher_func_t =", tail: "") { out in
      out.line("_, target, opcode, message, arguments in")
      let kind = end == .server ? " throws(ProtocolViolation)" : ""
      out.block("return \(function)(\(name).self, target, message, arguments)") { out in
        out.line("(\(used))\(kind) in")
        out.line("switch opcode {")
        for (opcode, message) in messages.enumerated() {
          out.line("case \(opcode):")
          out.indented { out in call(message, &out) }
        }
        out.line("default: break")
        out.line("}")
      }
    }
  }

  private func declarations(_ out: inout SwiftText) {
    for message in messages {
      out.document(message.prose)
      for argument in message.arguments where !argument.summary.isEmpty {
        out.line("/// - Parameter \(SwiftName.plain(argument.name)): \(argument.summary).")
      }
      let parameters = ["_ \(variable): \(end.object)<\(name)>"] + message.arguments.flatMap(parameters)
      let kind = end == .server ? " throws(ProtocolViolation)" : ""
      out.line("func \(SwiftName.member(message.name))(\(parameters.joined(separator: ", ")))\(kind)")
    }
  }

  private func parameters(_ argument: ProtocolModel.Argument) -> [String] {
    let label = SwiftName.label(argument.name)
    let type = argument.interface.map(SwiftName.type)
    switch argument.kind {
    case .int: return ["\(label): \(catalogue.type(of: argument, in: interface) ?? "Int32")"]
    case .uint: return ["\(label): \(catalogue.type(of: argument, in: interface) ?? "UInt32")"]
    case .fixed: return ["\(label): WireFixed"]
    case .string: return ["\(label): String\(argument.allowsNull ? "?" : "")"]
    case .array: return ["\(label): RawSpan"]
    case .fd: return ["\(label): consuming FileDescriptor"]
    case .object:
      guard let type else { return ["\(label): AnyProxy?"] }
      // At the client, an object that was destroyed meanwhile comes as none.
      return ["\(label): \(end.object)<\(type)>\(argument.allowsNull || end == .client ? "?" : "")"]
    case .newID:
      guard let type else { return ["interface: String", "version: UInt32", "\(label): UInt32"] }
      return ["\(label): \(end == .server ? "consuming NewID<\(type)>" : "Proxy<\(type)>")"]
    }
  }

  /// Descriptors first: whatever fails after that, they are closed.
  private func call(_ message: ProtocolModel.Message, _ out: inout SwiftText) {
    var index = 0
    var statements: [String] = []
    var values: [String] = [variable]
    for argument in message.arguments {
      let label = SwiftName.label(argument.name)
      let type = argument.interface.map(SwiftName.type)
      let enumeration = catalogue.type(of: argument, in: interface)
      var value: String
      switch argument.kind {
      case .int: value = enumeration.map { "\($0)(rawValue: a.uint(\(index)))" } ?? "a.int(\(index))"
      case .uint: value = enumeration.map { "\($0)(rawValue: a.uint(\(index)))" } ?? "a.uint(\(index))"
      case .fixed: value = "a.fixed(\(index))"
      case .string: value = argument.allowsNull ? "a.optionalString(\(index))" : "a.string(\(index))"
      case .array:
        statements.append("let bytes\(index) = a.bytes(\(index))")
        value = "bytes\(index).bytes"
      case .fd:
        statements.insert("let fd\(index) = a.descriptor(\(index))", at: 0)
        value = "fd\(index)"
      case .object:
        if let type {
          value =
            end == .client
            ? "a.proxy(\(index), \(type).self)"
            : argument.allowsNull
              ? "try a.optionalResource(\(index), \(type).self)" : "try a.resource(\(index), \(type).self)"
        } else {
          value = "a.anyProxy(\(index))"
        }
      case .newID:
        if let type {
          value =
            end == .server
            ? "NewID<\(type)>(a.uint(\(index)), from: resource)"
            : "a.newProxy(\(index), \(type).self, from: proxy)"
        } else {
          values += ["interface: a.string(\(index))", "version: a.uint(\(index + 1))"]
          index += 2
          value = "a.uint(\(index))"
        }
      }
      values.append("\(label): \(value)")
      index += 1
    }
    for statement in statements { out.line(statement) }
    let attempt = end == .server ? "try " : ""
    out.line("\(attempt)handler.\(SwiftName.member(message.name))(\(values.joined(separator: ", ")))")
    if message.isDestructor { out.line(end == .server ? "resource.destroy()" : "proxy.abandon()") }
  }
}

/// Writes what libwayland has to know of a protocol: names, versions, signatures and types.
struct TablesWriter {
  var model: ProtocolModel
  var catalogue: Catalogue

  var name: String { SwiftName.type(model.name) + "Tables" }

  func write(into out: inout SwiftText) {
    out.line("/// The messages of the protocol `\(model.name)`, as libwayland reads them.")
    out.block("public enum \(name)") { out in
      out.line("public static let tables = InterfaceTables([")
      out.indented { out in
        for interface in model.interfaces {
          out.line("InterfaceTables.Interface(")
          out.indented { out in
            out.line("name: \"\(interface.name)\", version: \(interface.version),")
            list("requests", interface.requests, end: ",", into: &out)
            list("events", interface.events, end: "),", into: &out)
          }
        }
      }
      out.line("])")
    }
  }

  private func list(_ label: String, _ messages: [ProtocolModel.Message], end: String, into out: inout SwiftText) {
    guard !messages.isEmpty else {
      out.line("\(label): []\(end)")
      return
    }
    out.line("\(label): [")
    out.indented { out in
      for message in messages {
        let types = message.types.map { catalogue.reference(to: $0, from: name) }.joined(separator: ", ")
        out.line(".init(name: \"\(message.name)\", signature: \"\(message.signature)\", types: [\(types)]),")
      }
    }
    out.line("]\(end)")
  }
}

/// Writes an interface's namespace: its enumerations, and what handles its messages at either end.
struct InterfaceWriter {
  var interface: ProtocolModel.Interface
  /// Of its protocol's tables.
  var tables: String
  var index: Int
  var catalogue: Catalogue

  private var name: String { SwiftName.type(interface.name) }

  func write(into out: inout SwiftText) {
    out.document(interface.prose)
    out.block("public enum \(name): WaylandInterface") { out in
      out.line("public static let name = \"\(interface.name)\"")
      out.line("public static let version: UInt32 = \(interface.version)")
      out.line("public static var table: UnsafePointer<wl_interface> { \(tables).tables.pointer(\(index)) }")
      for enumeration in interface.enumerations {
        out.line()
        write(enumeration, into: &out)
      }
      let requests = HandlerWriter(interface: interface, end: .server, catalogue: catalogue)
      let events = HandlerWriter(interface: interface, end: .client, catalogue: catalogue)
      out.line()
      requests.write(into: &out)
      out.line()
      events.write(into: &out)
    }
    out.line()
    // A destructor needs no code at the server: the object's end is told by `destroyed`.
    out.block("extension \(name).RequestHandler") { out in
      out.line("public func destroyed(_ resource: Resource<\(name)>) {}")
      for request in interface.requests where request.isDestructor && request.arguments.isEmpty {
        out.line(
          "public func \(SwiftName.member(request.name))(_ resource: Resource<\(name)>) throws(ProtocolViolation) {}")
      }
    }
    for end in [End.server, .client] {
      let messages = end == .server ? interface.events : interface.requests
      guard !messages.isEmpty else { continue }
      out.line()
      out.block("extension \(end.object) where Interface == \(name)") { out in
        for (opcode, message) in messages.enumerated() {
          if opcode > 0 { out.line() }
          SenderWriter(interface: interface, message: message, opcode: opcode, end: end, catalogue: catalogue)
            .write(into: &out)
        }
      }
    }
  }

  private func write(_ enumeration: ProtocolModel.Enumeration, into out: inout SwiftText) {
    let name = SwiftName.enumeration(enumeration.name)
    out.document(enumeration.prose)
    out.block("public struct \(name): \(enumeration.isBitfield ? "OptionSet" : "RawRepresentable"), Hashable, Sendable")
    {
      out in
      out.line("public var rawValue: UInt32")
      out.line("public init(rawValue: UInt32) { self.rawValue = rawValue }")
      for entry in enumeration.entries {
        if !entry.summary.isEmpty {
          out.line("/// \(entry.summary.prefix(1).uppercased())\(entry.summary.dropFirst()).")
        }
        let value = enumeration.isBitfield && entry.value == 0 ? "[]" : "(rawValue: \(entry.value))"
        out.line("public static let \(SwiftName.member(entry.name)): \(name) = \(value == "[]" ? "[]" : name + value)")
      }
      if enumeration.isBitfield {
        let all = enumeration.entries.reduce(UInt32(0)) { $0 | $1.value }
        out.line("/// Every bit that has a name.")
        out.line("public static let known = \(name)(rawValue: \(all))")
      } else {
        out.line("/// Every value that has a name; the wire may bring others.")
        let names = enumeration.entries.map { ".\(SwiftName.plain($0.name))" }.joined(separator: ", ")
        out.line("public static let known: [\(name)] = [\(names)]")
      }
    }
  }
}

/// Which end of the connection the code is for.
enum End {
  case server, client

  /// What stands for the protocol's object there.
  var object: String { self == .server ? "Resource" : "Proxy" }
}

/// A protocol as its XML says it.
struct ProtocolModel {
  var name = ""
  var prose = Prose()
  var interfaces: [Interface] = []

  /// What a person should know of a thing.
  struct Prose {
    var summary = ""
    var text = ""
  }

  struct Interface {
    var name: String
    var version: Int
    var prose = Prose()
    var requests: [Message] = []
    var events: [Message] = []
    var enumerations: [Enumeration] = []
  }

  struct Message {
    var name: String
    var isDestructor: Bool
    var since: Int
    var prose = Prose()
    var arguments: [Argument] = []
  }

  struct Argument {
    enum Kind: String {
      case int, uint, fixed, string, object, array, fd
      case newID = "new_id"
    }

    var name: String
    var kind: Kind
    var interface: String?
    /// `kind` of the same interface, or `interface.kind`.
    var enumeration: String?
    var allowsNull: Bool
    var summary: String
  }

  struct Enumeration {
    var name: String
    var isBitfield: Bool
    var prose = Prose()
    var entries: [Entry] = []
  }

  struct Entry {
    var name: String
    var value: UInt32
    var summary: String
  }
}

extension ProtocolModel.Message {
  /// As `wl_message` has it: the version it came with, then a letter for each argument.
  var signature: String {
    (since > 1 ? String(since) : "")
      + arguments.map { ($0.allowsNull ? "?" : "") + $0.signature }.joined()
  }

  /// What `wl_message.types` refers to, one for each letter.
  var types: [String?] {
    arguments.flatMap { argument in
      argument.isUntypedNewID ? [nil, nil, nil] : [argument.isObject ? argument.interface : nil]
    }
  }
}

extension ProtocolModel.Argument {
  var isObject: Bool { kind == .object || kind == .newID }

  /// Carries the interface's name and version with it, as the registry's `bind` does.
  var isUntypedNewID: Bool { kind == .newID && interface == nil }

  var signature: String {
    switch kind {
    case .int: "i"
    case .uint: "u"
    case .fixed: "f"
    case .string: "s"
    case .object: "o"
    case .newID: isUntypedNewID ? "sun" : "n"
    case .array: "a"
    case .fd: "h"
    }
  }
}

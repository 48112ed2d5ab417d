/// Names as Swift has them.
enum SwiftName {
  private static let reserved: Set = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init", "inout",
    "internal", "let", "open", "operator", "private", "precedencegroup", "protocol", "public", "rethrows", "static",
    "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default", "defer", "do", "else",
    "fallthrough", "for", "guard", "if", "in", "repeat", "return", "throw", "switch", "where", "while", "Any", "as",
    "await", "catch", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
  ]

  /// `porthole_layer_v1` → `PortholeLayerV1`.
  static func type(_ name: String) -> String {
    words(name).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The same for an enumeration inside an interface, clear of what `Error` and `Type` mean there.
  static func enumeration(_ name: String) -> String {
    switch name {
    case "error": "ErrorCode"
    case "type", "protocol": type(name) + "Value"
    default: type(name)
    }
  }

  /// `set_contents` → `setContents`; `id` stays, `fd` stays, `90` → `_90`.
  static func member(_ name: String) -> String {
    let plain = plain(name)
    return reserved.contains(plain) ? "`\(plain)`" : plain
  }

  /// As an argument's label, where most words are free.
  static func label(_ name: String) -> String {
    let plain = plain(name)
    return ["inout", "let", "var"].contains(plain) ? "`\(plain)`" : plain
  }

  /// Without the backticks: for use inside a longer name.
  static func plain(_ name: String) -> String {
    let words = words(name)
    let joined =
      (words.first ?? "") + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return joined.first?.isNumber ?? true ? "_" + joined : joined
  }

  private static func words(_ name: String) -> [String] {
    name.split { $0 == "_" || $0 == "-" || $0 == "." }.map(String.init)
  }
}

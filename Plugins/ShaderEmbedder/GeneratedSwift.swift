/// The Swift file that holds the programs' text.
struct GeneratedSwift {
  private var programs: [String] = []

  mutating func add(name: String, vertex: String, fragment: String) {
    programs.append(
      """
          ShaderProgramSource(
            name: \(Self.literal(name)),
            vertex: \(Self.literal(vertex)),
            fragment: \(Self.literal(fragment)))
      """)
  }

  var text: String {
    """
    // Generated from Shaders/; edit the shaders, not this.

    /// The programs of the house, in the order of `Shaders/variants.txt`.
    public enum Shaderset {
      public static let programs: [ShaderProgramSource] = [
    \(programs.joined(separator: ",\n"))
      ]
    }

    """
  }

  private static func literal(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": escaped += "\\n"
      case "\t": escaped += "\\t"
      case "\r": escaped += "\\r"
      case "\"": escaped += "\\\""
      case "\\": escaped += "\\\\"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return "\"\(escaped)\""
  }
}

import BenchCore
import Testing

@Suite("Configuration in TOML")
struct TOMLTests {
  /// The value as JSON would write it, so that a whole file is one text.
  private static func plain(_ value: ConfigValue) -> String {
    switch value.kind {
    case .text(let text): "\"\(text)\""
    case .number(let number): "\(number)"
    case .flag(let flag): "\(flag)"
    case .list(let values): "[" + values.map(plain).joined(separator: ",") + "]"
    case .table(let members): "{" + members.map { "\($0.key):\(plain($0.value))" }.joined(separator: ",") + "}"
    }
  }

  private static func read(_ text: String) throws(BenchError) -> String {
    plain(try TOMLReader.read([UInt8](text.utf8), name: "f.toml"))
  }

  private static func failure(_ text: String) -> String {
    do throws(BenchError) { return "it was read: \(try read(text))" } catch { return error.description }
  }

  @Test("tables, lists of tables, dotted and quoted keys mean what TOML says")
  func tables() throws {
    let text = """
      \u{FEFF}# a comment
      a = 1\r
      b.c = "x" # behind it
      b."d e" = 'C:\\no'

      [t]
      u = [1, 2,
        # within
        3, ]
      [t.v.w]
      y = true
      [t.v]
      z = []
      [[s]]
      n = 1
      [s.sub]
      k = 'first'
      [[s]]
      n = -2
      [[ s . list ]]
      q = [["a"], [false]]
      """
    #expect(
      try Self.read(text)
        == "{a:1.0,b:{c:\"x\",d e:\"C:\\no\"},t:{u:[1.0,2.0,3.0],v:{w:{y:true},z:[]}},"
        + "s:[{n:1.0,sub:{k:\"first\"}},{n:-2.0,list:[{q:[[\"a\"],[false]]}]}]}")
    #expect(try Self.read("") == "{}")
  }

  @Test("numbers and escapes are read to the last digit and character")
  func values() throws {
    #expect(
      try Self.read("a = [0, +7, -1_000, 3.25, 5e3, 1_0.2_5E-1, -0.0]")
        == "{a:[0.0,7.0,-1000.0,3.25,5000.0,1.025,-0.0]}")
    #expect(try Self.read(#"a = "\" \\ \t \u00e9 \U0001F600 é""#) == "{a:\"\" \\ \t é 😀 é\"}")
  }

  @Test(
    "what is no TOML, or none that is read here, is an error with file, line and what was expected",
    arguments: [
      ("a = 1\na = 2", "f.toml:2: “a” is there twice."),
      ("[t]\n[u]\n[t]", "f.toml:3: “t” is a table already, since line 1."),
      ("a = 1\n[a]", "f.toml:2: “a” is a value already, and no table."),
      ("[a.b]\nc = 1\n[a]\nb.d = 2", "f.toml:4: “b” is a table of its own, since line 1; write the key there."),
      ("[[s]]\n[s]", "f.toml:2: “s” is a list of tables, since line 1; write [[s]]."),
      ("s = 1\n[[s]]", "f.toml:2: “s” is a value already, and no table."),
      ("[s]\n[[s]]", "f.toml:2: “s” is a table already, since line 1."),
      ("a.b = 1\n[a]", "f.toml:2: “a” is a table already, since line 1."),
      ("a", "f.toml:1: expected = after the key, got “the end of the file”."),
      ("\n= 1", "f.toml:2: expected a key, got “=”."),
      ("a = 1 b = 2", "f.toml:1: expected the end of the line, got “b”."),
      ("a = one", "f.toml:1: expected a value (a text is in quotes), got “one”."),
      ("a =", "f.toml:1: expected a value (a text is in quotes), got “the end of the file”."),
      ("a = 012", "f.toml:1: expected a value (a text is in quotes), got “012”."),
      ("a = 1__0", "f.toml:1: expected a value (a text is in quotes), got “1__0”."),
      ("a = 0x10", "f.toml:1: expected a value (a text is in quotes), got “0x10”."),
      ("a = inf", "f.toml:1: expected a value (a text is in quotes), got “inf”."),
      ("a = 1e999", "f.toml:1: expected a value (a text is in quotes), got “1e999”."),
      ("a = 2026-11-30", "f.toml:1: dates are not read here; write it in quotes."),
      ("a = 07:32:00", "f.toml:1: dates are not read here; write it in quotes."),
      ("a = { b = 1 }", "f.toml:1: inline tables are not read here; write [a table] of its own."),
      ("a = \"\"\"x\"\"\"", "f.toml:1: texts of several lines are not read here; write \\n."),
      ("a = \"x", "f.toml:1: a text ends with the quote that it began with."),
      ("a = \"\\q\"", "f.toml:1: there is no escape \\q."),
      (
        "a = \"\\uD800\"",
        "f.toml:1: expected a character's number in hexadecimal, \\u with four digits, \\U with eight."
      ),
      ("a = [1\n2]", "f.toml:2: expected a comma or ] in the list, got “2”."),
      ("a = [,]", "f.toml:1: expected a value (a text is in quotes), got “,”."),
      ("[t", "f.toml:1: expected ], got “the end of the file”."),
      ("[[t]\n", "f.toml:1: expected ]], got “the end of the line”."),
      ("[]", "f.toml:1: expected a key, got “]”."),
      ("a = \"\u{1}\"", "f.toml:1: a control character is in a text."),
    ])
  func refused(text: String, expected: String) { #expect(Self.failure(text) == expected) }

  @Test("nothing makes it trap: cut anywhere, with any byte in any place, too deep, too large, not UTF-8")
  func robust() {
    let whole = [UInt8]("a.b = [1, \"x\\n\", ['y']]\n[[s]] # c\n'k' = true\n[s.t]\nz = -1.5e3\n".utf8)
    for length in 0...whole.count { _ = try? TOMLReader.read(Array(whole[..<length]), name: "f") }
    for place in whole.indices {
      for byte in UInt8.min...UInt8.max {
        var bytes = whole
        bytes[place] = byte
        _ = try? TOMLReader.read(bytes, name: "f")
      }
    }
    #expect(Self.failure("a = " + String(repeating: "[", count: 100_000)).contains("lists lie within each other"))
    #expect(Self.failure("[a" + String(repeating: ".a", count: 100) + "]").contains("tables lie within each other"))
    #expect(Self.failure(String(repeating: "#", count: 1 << 21)).contains("no configuration"))
    #expect(throws: BenchError.self) { try TOMLReader.read([0x61, 0x3D, 0xFF], name: "f") }
  }
}

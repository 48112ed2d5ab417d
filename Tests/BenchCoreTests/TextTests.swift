import BenchCore
import JSON
import Testing

@Suite("numbers and JSON as text")
struct TextTests {
  @Test(
    "numbers keep the digits that count",
    arguments: [
      (0.0012345, "0.00123"), (9.996, "10.0"), (12.34, "12.3"), (1234.5, "1235"), (0, "0"), (-0.5, "-0.500"),
      (99.96, "100"),
    ])
  func significant(value: Double, text: String) { #expect(NumberText.significant(value, 3) == text) }

  @Test("what is no number is a dash")
  func noNumber() {
    #expect(NumberText.significant(.nan, 3) == "-")
    #expect(NumberText.fixed(.infinity, 2) == "-")
    #expect(NumberText.grouped(Double.nan) == "-")
  }

  @Test("thousands are grouped", arguments: [(7, "7"), (4096, "4,096"), (-1_234_567, "-1,234,567")])
  func grouped(value: Int, text: String) { #expect(NumberText.grouped(value) == text) }

  @Test("JSON keeps the order of keys, escapes strings and knows no NaN")
  func json() {
    let value = JSONValue.object([
      ("z", .integer(1)), ("a", .array([.number(0.5), .number(2), .number(.nan)])), ("s", .string("a\"\\\n\u{1}")),
      ("e", .object([])), ("u", .unsigned(.max)), ("n", .null),
    ])
    #expect(
      value.text == """
        {
          "z": 1,
          "a": [0.5, 2, null],
          "s": "a\\"\\\\\\n\\u0001",
          "e": {},
          "u": 18446744073709551615,
          "n": null
        }

        """)
  }
}

import JSON
import Porthole

/// `porthole compare`: whether a picture is as near to another as its class asks.
struct CompareCommand {
  private let arguments: Arguments
  private let pictureClass: ImageComparison.SceneClass

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: ["EXPECTED.png", "GOT.png"], options: [.pictureClass, .diff, .json])
    pictureClass = try arguments.word(.pictureClass, default: .flat)
  }

  func run() throws -> ExitCode {
    let expected = try ImageFile.read(arguments[0])
    let got = try ImageFile.read(arguments[1])
    let comparison: ImageComparison
    do {
      comparison = try ImageComparison(expected: expected, got: got)
      if let path = arguments[.diff], let difference = try ImageComparison.difference(expected: expected, got: got) {
        try PNG.write(difference, to: path)
      }
    } catch let mismatch as ImageComparison.SizeMismatch {
      if arguments.has(.json) {
        Output.data(JSONValue.object([("passes", .boolean(false)), ("error", .string(mismatch.description))]).text)
      }
      Output.message(mismatch.description)
      return .failure
    }
    let passes = comparison.passes(pictureClass)
    if arguments.has(.json) {
      Output.data(json(comparison, passes: passes).text)
    } else {
      Output.data("\(passes ? "within" : "outside") the tolerance of \(pictureClass.rawValue)  \(comparison)\n")
    }
    return passes ? .success : .failure
  }

  private func json(_ comparison: ImageComparison, passes: Bool) -> JSONValue {
    let tolerance = pictureClass.tolerance
    return .object([
      ("expected", .string(arguments[0])),
      ("got", .string(arguments[1])),
      ("class", .string(pictureClass.rawValue)),
      ("passes", .boolean(passes)),
      ("interior", .integer(comparison.interior)),
      ("envelope", .integer(comparison.envelope)),
      ("env8", .number(comparison.env8)),
      ("over8", .number(comparison.over8)),
      ("over32", .number(comparison.over32)),
      ("over64", .number(comparison.over64)),
      ("smooth2", .number(comparison.smooth2)),
      ("tile", .number(comparison.tile)),
      ("mean", .number(comparison.mean)),
      (
        "tolerance",
        .object([
          ("interior", .integer(tolerance.interior)),
          ("envelope", .integer(tolerance.envelope)),
          ("over32", .number(tolerance.over32)),
          ("over64", .number(tolerance.over64)),
          ("smooth2", .number(tolerance.smooth2)),
          ("tile", .number(tolerance.tile)),
        ])
      ),
    ])
  }
}

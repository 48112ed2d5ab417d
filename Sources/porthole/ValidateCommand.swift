import JSON
import Porthole

/// `porthole validate`: everything that is wrong with scene files.
struct ValidateCommand {
  private let arguments: Arguments

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: ["SCENE.json"], repeatsLast: true, options: [.json])
  }

  func run() throws -> ExitCode {
    let verdicts = arguments.words.map { (file: $0, verdict: SceneFile.validate($0)) }
    let isValid = verdicts.allSatisfy(\.verdict.isValid)
    let code: ExitCode
    if arguments.has(.json) {
      code = Output.data(JSONValue.array(verdicts.map { json($0.file, $0.verdict) }).text)
    } else {
      code = Output.data(verdicts.flatMap(\.verdict.errors).map { "\($0)\n" }.joined())
    }
    return code == .success && !isValid ? .badInput : code
  }

  private func json(_ file: String, _ verdict: SceneValidation) -> JSONValue {
    let errors = verdict.errors.map { error in
      JSONValue.object([
        ("path", .string(error.path)), ("code", .string("\(error.code)")), ("message", .string(error.message)),
      ])
    }
    return .object([
      ("file", .string(file)), ("isValid", .boolean(verdict.isValid)), ("errors", .array(errors)),
    ])
  }
}

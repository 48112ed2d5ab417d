import JSON
import Porthole

/// `porthole info`: which device draws, and what it can.
struct InfoCommand {
  private let arguments: Arguments
  private let display: DisplayChoice

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: [], options: [.display, .json])
    display = try arguments.display()
  }

  func run() throws -> ExitCode {
    let renderer: OffscreenRenderer
    do {
      renderer = try OffscreenRenderer(size: Size(width: 1, height: 1), display: display)
    } catch {
      guard error.code == .noDisplay, arguments.has(.json) else { throw error }
      Output.data(JSONValue.object([("tried", attempts(error.attempts)), ("error", .string(error.description))]).text)
      return .noDevice
    }
    defer { renderer.close() }
    guard let device = renderer.device else { return .noDevice }
    return Output.data(arguments.has(.json) ? json(device).text : text(device))
  }

  private func attempts(_ attempts: [DisplayAttempt]) -> JSONValue {
    .array(
      attempts.map { attempt in
        .object([
          ("kind", .string(attempt.kind.rawValue)),
          ("detail", .string(attempt.detail)),
          ("refusal", attempt.refusal.map { .string($0) } ?? .null),
        ])
      })
  }

  private func json(_ device: DeviceReport) -> JSONValue {
    .object([
      ("porthole", .string(Tool.version)),
      ("display", .string(device.displayKind.rawValue)),
      ("tried", attempts(device.attempts)),
      ("vendor", .string(device.vendor)),
      ("renderer", .string(device.renderer)),
      ("version", .string(device.version)),
      ("shadingLanguage", .string(device.shadingLanguageVersion)),
      ("isSoftware", .boolean(device.isSoftware)),
      ("limits", .object(device.limits.map { ($0.name, .integer($0.value)) })),
      (
        "features",
        .array(
          device.features.map { feature in
            .object([
              ("name", .string(feature.name)),
              ("isPresent", .boolean(feature.isPresent)),
              ("note", .string(feature.note)),
            ])
          })
      ),
      ("extensions", .strings(device.extensions)),
    ])
  }

  private func text(_ device: DeviceReport) -> String {
    var lines = ["porthole \(Tool.version)", "displays tried:"]
    lines += device.attempts.map { "  \($0)" }
    lines += [
      "renderer: \(device.renderer)\(device.isSoftware ? " (software)" : "")",
      "vendor: \(device.vendor)",
      "version: \(device.version)",
      "shading language: \(device.shadingLanguageVersion)",
      "limits:",
    ]
    lines += device.limits.map { "  \($0.name): \($0.value)" }
    lines.append("features:")
    lines += device.features.map { "  \($0.isPresent ? "yes" : "no ")  \($0.name): \($0.note)" }
    lines.append("extensions: \(device.extensions.count) (--json lists them)")
    return lines.joined(separator: "\n") + "\n"
  }
}

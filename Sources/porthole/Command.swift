/// What the tool can do.
enum Command: String, CaseIterable {
  case render, validate, compare, hit, plan, damage, info, run, server

  func run(_ words: [String]) throws -> ExitCode {
    switch self {
    case .render: try RenderCommand(words).run()
    case .validate: try ValidateCommand(words).run()
    case .compare: try CompareCommand(words).run()
    case .hit: try HitCommand(words).run()
    case .plan: try PlanCommand(words).run()
    case .damage: try DamageCommand(words).run()
    case .info: try InfoCommand(words).run()
    case .run: try RunCommand(words).run()
    case .server: try ServerCommand.run(words)
    }
  }
}

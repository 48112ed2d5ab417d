import Examples
import Foundation

exit(ExampleTool.run(Array(CommandLine.arguments.dropFirst())))

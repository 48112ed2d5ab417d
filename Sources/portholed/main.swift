import Foundation
import RenderServer

exit(ServerProcess.run(Array(CommandLine.arguments.dropFirst())))

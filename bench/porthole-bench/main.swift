import BenchCore
import Foundation

exit(BenchTool(arguments: Array(CommandLine.arguments.dropFirst()), allocations: HeapCount()).run())

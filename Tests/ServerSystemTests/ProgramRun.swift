import Foundation

/// Runs a program to its end: its exit status, and what it wrote to standard output and standard error.
func runProgram(_ program: String, _ arguments: [String]) throws -> (status: Int32, text: String) {
  let (process, pipe) = (Process(), Pipe())
  process.executableURL = URL(filePath: program)
  process.arguments = arguments
  process.standardError = pipe
  process.standardOutput = pipe
  try process.run()
  let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
  process.waitUntilExit()
  return (process.terminationStatus, text)
}

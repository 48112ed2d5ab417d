import Foundation

/// The number of this process, as a peer's credentials have it.
var ownProcess: Int32 { ProcessInfo.processInfo.processIdentifier }

/// What a program writes to standard output.
func output(of program: String, _ arguments: [String]) throws -> String {
  let process = Process()
  let pipe = Pipe()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = [program] + arguments
  process.standardOutput = pipe
  try process.run()
  let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
  process.waitUntilExit()
  guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
  return String(decoding: data, as: UTF8.self)
}

/// The checkout that these tests were built from.
let repository = URL(filePath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

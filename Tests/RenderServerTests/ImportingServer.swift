import Foundation
import Testing

extension RunningServer {
  /// A server whose driver imports dma-bufs, which a test preloads: see `Tests/CClient/fake_driver.c`.
  /// - Parameter node: the device file that it says it draws with; nil for none.
  static func importing(arguments: [String] = [], node: String? = nil) throws -> RunningServer {
    let folder = try makeFolder()
    let build = Process()
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    build.executableURL = URL(filePath: "/bin/sh")
    build.arguments = [tests.appending(path: "CClient/build_driver.sh").path, folder]
    try build.run()
    build.waitUntilExit()
    try #require(build.terminationStatus == 0)
    var environment = ["LD_PRELOAD": folder + "/fake_driver.so"]
    environment["FAKE_DRIVER_NODE"] = node
    return try RunningServer(folder: folder, arguments: arguments, environment: environment)
  }
}

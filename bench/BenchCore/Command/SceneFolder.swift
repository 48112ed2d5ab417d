import Foundation

/// Finds the scenes: they are files of the source tree, and the program may be started from anywhere in it.
enum SceneFolder {
  private static let path = "bench/scenes"

  /// `given`, or the first `bench/scenes` that lies in the working folder, beside the program, or in a folder around them.
  static func find(_ given: String?) throws(BenchError) -> String {
    if let given {
      guard holdsScenes(given) else { throw BenchError(.scene, "there is no desk.json in \(given).") }
      return given
    }
    let files = FileManager.default
    let program = (try? files.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    for start in [files.currentDirectoryPath, program] {
      var folder = URL(filePath: start)
      for _ in 0..<32 {
        let scenes = folder.appending(path: path).path(percentEncoded: false)
        if holdsScenes(scenes) { return scenes }
        let above = folder.deletingLastPathComponent()
        if above.path(percentEncoded: false) == folder.path(percentEncoded: false) { break }
        folder = above
      }
    }
    throw BenchError(
      .scene,
      "no folder \(path) lies here, beside the program or above; --scenes takes the folder that holds desk.json.")
  }

  private static func holdsScenes(_ folder: String) -> Bool {
    FileManager.default.isReadableFile(atPath: folder + "/desk.json")
  }
}

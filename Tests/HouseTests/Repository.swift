import Foundation

/// The checkout these tests were built from.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: root.appending(path: path).path)
  }

  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Files with this extension below the folders, as paths from the root, in order.
  static func files(in folders: [String], withExtension kind: String) -> [String] {
    folders.flatMap { folder in
      (FileManager.default.enumerator(atPath: root.appending(path: folder).resolvingSymlinksInPath().path)?.allObjects
        ?? [])
        .compactMap { $0 as? String }
        .filter { $0.hasSuffix("." + kind) }
        .map { folder + "/" + $0 }
    }.sorted()
  }
}

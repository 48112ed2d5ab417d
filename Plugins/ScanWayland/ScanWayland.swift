import Foundation
import PackagePlugin

/// Turns Wayland's protocol files into Swift, one file for each: those of `protocol/` for the target `WaylandProtocol`,
/// and for any other target those in its own folder.
///
/// `third-party.txt` beside them names protocols that Debian packages bring: they are read at build and never copied in.
@main
struct ScanWayland: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let isRuntime = target.name == "WaylandProtocol"
    let folder =
      isRuntime
      ? context.package.directoryURL.appending(path: "protocol")
      : context.package.directoryURL.appending(path: "Tests").appending(path: target.name)
    let own = try FileManager.default.contentsOfDirectory(
      at: folder.resolvingSymlinksInPath(), includingPropertiesForKeys: nil
    )
    .filter { $0.pathExtension == "xml" }
    .sorted { $0.path < $1.path }
    let list = folder.appending(path: "third-party.txt")
    let foreign = foreignNames(in: list)
    let output = context.pluginWorkDirectoryURL
    return [
      .buildCommand(
        displayName: "Reading Wayland protocols for \(target.name)",
        executable: try context.tool(named: "WaylandScanner").url,
        arguments: [output.path, isRuntime ? "-" : "WaylandProtocol", list.path] + own.map(\.path),
        inputFiles: own + (foreign.isEmpty ? [] : [list]),
        outputFiles: (own.map { $0.deletingPathExtension().lastPathComponent } + foreign).map {
          output.appending(path: $0 + ".swift")
        })
    ]
  }

  /// The stems of the files named, of lines such as `wayland-protocols stable/viewporter/viewporter.xml`.
  private func foreignNames(in list: URL) -> [String] {
    guard let text = try? String(contentsOf: list, encoding: .utf8) else { return [] }
    return text.split(separator: "\n").compactMap { line in
      guard !line.hasPrefix("#"), let path = line.split(separator: " ").last else { return nil }
      return URL(filePath: String(path)).deletingPathExtension().lastPathComponent
    }
  }
}

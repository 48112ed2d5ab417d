import Foundation
import PackagePlugin

/// Turns `Shaders/` into one Swift file of the target it is applied to: checked, includes resolved.
///
/// Every file of the folder is an input, so that an edit of an include rebuilds, and nothing else does.
@main
struct EmbedShaders: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
    let shaders = context.package.directoryURL.appending(path: "Shaders")
    let output = context.pluginWorkDirectoryURL.appending(path: "Shaderset.swift")
    let work = context.pluginWorkDirectoryURL.appending(path: "checked")
    return [
      .buildCommand(
        displayName: "Checking and embedding the shaders",
        executable: try context.tool(named: "ShaderEmbedder").url,
        arguments: [shaders.path, work.path, output.path],
        inputFiles: shaderFiles(in: shaders),
        outputFiles: [output])
    ]
  }

  private func shaderFiles(in folder: URL) -> [URL] {
    let kinds: Set = ["vert", "frag", "glsl", "txt"]
    let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.allObjects ?? []
    return all.compactMap { $0 as? URL }
      .filter { kinds.contains($0.pathExtension) }
      .sorted { $0.path < $1.path }
  }
}

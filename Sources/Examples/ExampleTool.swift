import Foundation
import Media
import Porthole

/// `porthole-examples`: makes films and stills of the examples.
public enum ExampleTool {
  private static let help = """
    porthole-examples: the eight examples of docs/examples.md, as films and stills.

      porthole-examples list
      porthole-examples film NAME -o OUT [--fps 30] [--scale 1] [--quality 68]     .webp .mp4 .webm .png, or dir/%04d.png
      porthole-examples still NAME -o OUT.png --at SECONDS [--fps 30] [--scale 1] [--renderer gl|reference]

      --scenes DIR    where the scene files are; by default, examples here or above the program

    """

  public static func run(_ words: [String]) -> Int32 {
    do {
      return try run(ExampleArguments(words))
    } catch {
      say("\(error)")
      return error is ExampleError ? 64 : 1
    }
  }

  private static func run(_ arguments: ExampleArguments) throws -> Int32 {
    switch arguments.words.first {
    case "list": for type in Examples.all { print(type.name) }
    case "film": try film(try example(arguments), arguments)
    case "still": try still(try example(arguments), arguments)
    default: print(help, terminator: "")
    }
    return 0
  }

  /// A fresh run of the example of that name, its scene read from a folder.
  public static func open(_ name: String, in folder: String) throws -> any Example {
    guard let type = Examples.named(name) else {
      throw ExampleError("no example is called “\(name)”: \(Examples.all.map { $0.name }.joined(separator: ", "))")
    }
    return try type.init(SceneFile.read("\(folder)/\(name).json"))
  }

  private static func example(_ arguments: ExampleArguments) throws -> any Example {
    guard arguments.words.count == 2 else { throw ExampleError("the example's name is missing; try list") }
    return try open(arguments.words[1], in: try arguments["--scenes"] ?? sceneFolder())
  }

  private static func sceneFolder() throws(ExampleError) -> String {
    let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    for start in [FileManager.default.currentDirectoryPath, program] {
      var folder = URL(filePath: start)
      while folder.path != "/" {
        let scenes = folder.appending(path: "examples").path
        if FileManager.default.isReadableFile(atPath: "\(scenes)/\(Magnifier.name).json") { return scenes }
        folder = folder.deletingLastPathComponent()
      }
    }
    throw ExampleError("there is no folder of examples here; name it with --scenes")
  }

  private static func film(_ example: any Example, _ arguments: ExampleArguments) throws {
    let output = try arguments.output()
    let rate = try arguments.number("--fps", 30)
    let count = Int((type(of: example).duration * rate).rounded())
    let run = try ExampleRun(example, scale: try arguments.number("--scale", 1))
    defer { run.renderer.close() }
    let film = FilmWriter(
      try FilmForm(output), frameCount: count, rate: rate, quality: Int(try arguments.number("--quality", 68)))
    for number in 0..<count {
      try film.add(try run.frame(at: Double(number) / rate))
    }
    try film.finish()
    say("wrote \(count) frames to \(output)")
  }

  private static func still(_ example: any Example, _ arguments: ExampleArguments) throws {
    let output = try arguments.output()
    let time = try arguments.number("--at", 0)
    guard let backend = Backend(rawValue: arguments["--renderer"] ?? "gl") else {
      throw ExampleError("--renderer is gl or reference")
    }
    let run = try ExampleRun(example, scale: try arguments.number("--scale", 1), backend: backend)
    defer { run.renderer.close() }
    try PNG.write(try run.still(at: time, rate: try arguments.number("--fps", 30)), to: output)
    say("wrote \(output)")
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data("porthole-examples: \(text)\n".utf8))
  }
}

extension ExampleRun {
  /// The frame at a time, after all those that a film has until then; of these nothing is drawn.
  public func still(at time: Double, rate: Double = 30) throws -> Image {
    var number = 0
    while Double(number) / rate < time - 1e-9 {
      try prepare(for: Double(number) / rate)
      try renderer.commit(example.scene.root, at: Double(number) / rate)
      number += 1
    }
    return try frame(at: time)
  }
}

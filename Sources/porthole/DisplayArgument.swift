import Porthole

extension Arguments {
  /// Which display to open.
  func display() throws(UsageError) -> DisplayChoice {
    guard let text = self[.display] else { return .automatic }
    guard let choice = DisplayChoice(text) else {
      throw UsageError("--display is one of automatic, gbm, device, surfaceless, not “\(text)”")
    }
    return choice
  }

  /// The scene in the file that the first word names. What was skipped of it is said on standard error.
  func scene(_ word: Int = 0) throws(SceneError) -> Scene {
    let scene = try SceneFile.read(self[word], options: .init(skipsUnsupported: has(.skipUnsupported)))
    for path in scene.skipped { Output.message("\(self[word]): \(path): skipped, not drawn yet by this version") }
    return scene
  }
}

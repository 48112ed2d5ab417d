/// What is wrong with a scene file: the first fault, which ends its reading, or all of them.
final class SceneFaults {
  private let collects: Bool
  private(set) var errors: [SceneError] = []

  /// More than this nobody reads.
  static let limit = 1000

  init(collects: Bool) { self.collects = collects }

  /// Reads a part of the file that others do without.
  func attempt(_ body: () throws(SceneError) -> Void) throws(SceneError) {
    do {
      try body()
    } catch {
      guard collects, errors.count < Self.limit else { throw error }
      errors.append(error)
    }
  }

  func add(_ error: SceneError) { errors.append(error) }
}

/// What `SceneFile.validate` found.
public struct SceneValidation: Sendable {
  /// In the order of the file, as far as one does not follow from another; a thousand at most. Empty for a valid file.
  public var errors: [SceneError]

  public var isValid: Bool { errors.isEmpty }
}

extension SceneFile {
  /// Everything that is wrong with a scene file, and with the images that it names.
  public static func validate(_ path: String) -> SceneValidation {
    do throws(SceneError) {
      let (bytes, directory) = try contents(of: path)
      return validate(json: bytes, directory: directory, file: path)
    } catch {
      return SceneValidation(errors: [error])
    }
  }

  /// Everything that is wrong with a scene.
  /// - Parameters:
  ///   - directory: what the paths of image files are relative to.
  ///   - file: what errors call it.
  public static func validate(json: [UInt8], directory: String = ".", file: String = "scene") -> SceneValidation {
    let faults = SceneFaults(collects: true)
    do throws(SceneError) {
      var reader = SceneReader(
        try Scene.document(json, file: file), directory: directory, file: file,
        options: Options(), faults: faults)
      _ = try reader.read()
    } catch {
      faults.add(error)
    }
    return SceneValidation(errors: faults.errors)
  }
}

import Commit
import Geometry
import ImageFiles
import JSON

/// A picture that a scene file describes: a layer tree and the size and background to draw it with.
public struct Scene {
  public var name: String
  public var note: String
  /// Which tolerance a comparison with another renderer's picture takes.
  public var pictureClass: ImageComparison.SceneClass
  /// In points.
  public var size: Size
  public var background: Color
  public var root: Layer
  /// By the names that layers refer to.
  public var images: [String: Image]
  /// What the file asks for and this version does not draw: one path each. Empty unless it was allowed to be skipped.
  public var skipped: [String]
  var layers: [String: Layer]
  /// The videos of its layers, which nobody plays yet.
  public internal(set) var videos: [SceneVideo] = []
  var animations: [SceneAnimation] = []

  /// Whether something in it is animated.
  public var isMoving: Bool { !animations.isEmpty }

  /// The layer of that id in the file.
  public func layer(_ id: String) -> Layer? { layers[id] }

  /// The ids of all layers that have one, sorted.
  public var layerIDs: [String] { layers.keys.sorted() }

  /// What a person calls a layer of the scene: its id or, without one, where it stands in the file.
  public func label(of layer: Layer) -> String {
    if let name = layer.name { return name }
    var path = ""
    var child = layer
    while let parent = child.container {
      let index = parent.sublayers.firstIndex { $0 === child }
      path = (index.map { ".sublayers[\($0)]" } ?? ".mask") + path
      child = parent
    }
    return "root" + path
  }

  /// Reads a scene from JSON.
  /// - Parameters:
  ///   - directory: what the paths of image files are relative to.
  ///   - file: what errors call it.
  public init(
    json: [UInt8], directory: String = ".", file: String = "scene", options: SceneFile.Options = .init()
  ) throws(SceneError) {
    var reader = SceneReader(
      try Self.document(json, file: file), directory: directory, file: file, options: options)
    self = try reader.read()
  }

  static func document(_ json: [UInt8], file: String) throws(SceneError) -> JSONDocument {
    do {
      return try JSONParser.parse(json)
    } catch {
      throw SceneError(
        code: .invalidJSON, file: file, path: "",
        message: "no JSON at line \(error.line), column \(error.column): \(error.message)")
    }
  }

  init(
    name: String, note: String, pictureClass: ImageComparison.SceneClass, size: Size, background: Color, root: Layer,
    images: [String: Image], skipped: [String], layers: [String: Layer]
  ) {
    self.name = name
    self.note = note
    self.pictureClass = pictureClass
    self.size = size
    self.background = background
    self.root = root
    self.images = images
    self.skipped = skipped
    self.layers = layers
  }
}

/// Scene files: `porthole-scene/1`.
public enum SceneFile {
  public struct Options: Sendable, Hashable {
    /// Leaves out what this version does not draw yet, and lists it in `Scene.skipped`, instead of refusing the file.
    public var skipsUnsupported: Bool

    public init(skipsUnsupported: Bool = false) { self.skipsUnsupported = skipsUnsupported }
  }

  /// The longest side of a scene and of an image, in points and pixels.
  public static let longestSide = 16_384
  /// How deep layers may stand in each other.
  public static let levelLimit = 10_000

  private static let byteLimit = 512 << 20

  /// Reads a scene file; image files are found relative to it.
  public static func read(_ path: String, options: Options = .init()) throws(SceneError) -> Scene {
    let (bytes, directory) = try contents(of: path)
    return try Scene(json: bytes, directory: directory, file: path, options: options)
  }

  static func contents(of path: String) throws(SceneError) -> (bytes: [UInt8], directory: String) {
    do {
      let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
      return (try FileBytes.read(path, limit: byteLimit), slash.map { String(path[...$0]) } ?? ".")
    } catch {
      throw SceneError(code: .unreadable, file: path, path: "", message: "can't read the scene: \(error.reason)")
    }
  }
}

import Commit
import Geometry

/// Turns the JSON of a scene file into layers. It goes by lists and not by recursion: how deep a file nests is up to
/// whoever wrote it.
struct SceneReader {
  let document: JSONDocument
  let directory: String
  let file: String
  let options: SceneFile.Options
  var skipped: [String] = []
  var images: [String: Image] = [:]
  var layers: [String: Layer] = [:]
  /// Portals and the ids of their sources, which may come later in the file.
  var sources: [(portal: PortalLayer, node: Int32, id: String)] = []

  init(_ document: JSONDocument, directory: String, file: String, options: SceneFile.Options) {
    self.document = document
    self.directory = directory
    self.file = file
    self.options = options
  }

  mutating func read() throws(SceneError) -> Scene {
    let top: Int32 = 0
    var members: [String: Int32] = [:]
    for member in try object(top, "an object with the keys of porthole-scene/1") {
      guard Self.topKeys.contains(member.key) else {
        throw failure(
          .unknownKey, member.node, "unknown key; expected one of \(Self.topKeys.joined(separator: ", "))")
      }
      members[member.key] = member.node
    }
    func required(_ key: String, _ expected: String) throws(SceneError) -> Int32 {
      guard let node = members[key] else {
        throw SceneError(code: .missing, file: file, path: key, message: "expected \(expected), got nothing")
      }
      return node
    }
    let format = try required("format", "\"porthole-scene/1\"")
    guard try string(format, "\"porthole-scene/1\"") == "porthole-scene/1" else {
      throw unexpected(.outOfRange, format, "\"porthole-scene/1\"")
    }
    let sizeNode = try required("size", "[width, height]")
    let sides = try array(sizeNode, "[width, height]")
    guard sides.count == 2 else { throw unexpected(.wrongType, sizeNode, "[width, height]") }
    let width = try side(sides[0])
    let height = try side(sides[1])
    if let node = members["images"], document[node].value != .null { try readImages(node) }
    let name = try members["name"].map { (node) throws(SceneError) in try string(node) }
    let note = try members["note"].map { (node) throws(SceneError) in try string(node) }
    let root = try readLayers(required("root", "a layer"))
    try bindSources()
    return Scene(
      name: name ?? "", note: note ?? "",
      pictureClass: try members["class"].map { (node) throws(SceneError) in try word(node) } ?? .flat,
      size: Size(width: Double(width), height: Double(height)),
      background: try members["background"].map { (node) throws(SceneError) in try color(node) } ?? .clear,
      root: root, images: images, skipped: skipped, layers: layers)
  }

  private static let topKeys = ["format", "name", "note", "class", "size", "background", "images", "root"]

  func side(_ node: Int32) throws(SceneError) -> Int {
    try whole(node, 1...SceneFile.longestSide, "a whole number from 1 to \(SceneFile.longestSide)")
  }

  // MARK: Layers

  private mutating func readLayers(_ rootNode: Int32) throws(SceneError) -> Layer {
    var root: Layer?
    var stack: [(node: Int32, parent: Layer?, level: Int, isMask: Bool)] = [(rootNode, nil, 1, false)]
    while let (node, parent, level, isMask) = stack.popLast() {
      guard level <= SceneFile.levelLimit else {
        throw failure(.tooDeep, node, "expected no more than \(SceneFile.levelLimit) levels of layers")
      }
      let members = try object(node, "a layer")
      let layer = try makeLayer(document.member("kind", of: node))
      var sublayers: [Int32] = []
      for member in members {
        if member.key == "sublayers" {
          if document[member.node].value != .null { sublayers = try array(member.node, "a list of layers") }
        } else if member.key == "mask" {
          if document[member.node].value != .null { stack.append((member.node, layer, level + 1, true)) }
        } else {
          try setProperty(member.key, member.node, of: layer)
        }
      }
      if let parent, isMask {
        parent.mask = layer
      } else if let parent {
        parent.addSublayer(layer)
      } else {
        root = layer
      }
      for sublayer in sublayers.reversed() { stack.append((sublayer, layer, level + 1, false)) }
    }
    return root ?? Layer()
  }

  private func makeLayer(_ kind: Int32?) throws(SceneError) -> Layer {
    guard let kind else { return Layer() }
    let expected = "one of layer, gradient, portal, replicator, backdrop, lens, transform"
    switch try string(kind, expected) {
    case "layer": return Layer()
    case "gradient": return GradientLayer()
    case "portal": return PortalLayer()
    case "backdrop": return BackdropLayer()
    case "lens": return LensLayer()
    case "transform": return TransformLayer()
    case "replicator": return ReplicatorLayer()
    default: throw unexpected(.outOfRange, kind, expected)
    }
  }

  private mutating func bindSources() throws(SceneError) {
    for (portal, node, id) in sources {
      guard let source = layers[id] else {
        throw failure(.unknownReference, node, "expected the id of a layer of this scene; none is called “\(id)”")
      }
      portal.sourceLayer = source
    }
  }

  /// Something that the format knows and this version does not draw: an error, or left out and listed.
  mutating func skip(_ node: Int32) throws(SceneError) {
    guard options.skipsUnsupported else {
      throw failure(
        .unsupported, node, "this is not drawn yet by this version; leave it out or skip what is unsupported")
    }
    skipped.append(document.path(of: node))
  }
}

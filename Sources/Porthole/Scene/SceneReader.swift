import Commit
import Geometry
import JSON

/// Turns the JSON of a scene file into layers. It goes by lists and not by recursion: how deep a file nests is up to
/// whoever wrote it.
struct SceneReader {
  let document: JSONDocument
  let directory: String
  let file: String
  let options: SceneFile.Options
  let faults: SceneFaults
  var skipped: [String] = []
  var images: [String: Image] = [:]
  var layers: [String: Layer] = [:]
  var animations: [SceneAnimation] = []
  var videos: [SceneVideo] = []
  /// Portals and the ids of their sources, which may come later in the file.
  var sources: [(portal: PortalLayer, node: Int32, id: String)] = []

  init(
    _ document: JSONDocument, directory: String, file: String, options: SceneFile.Options,
    faults: SceneFaults = SceneFaults(collects: false)
  ) {
    self.faults = faults
    self.document = document
    self.directory = directory
    self.file = file
    self.options = options
  }

  mutating func read() throws(SceneError) -> Scene {
    let top: Int32 = 0
    var members: [String: Int32] = [:]
    try each(top, "an object with the keys of porthole-scene/1") { (key, node) throws(SceneError) in
      guard Self.topKeys.contains(key) else {
        throw failure(.unknownKey, node, "unknown key; expected one of \(Self.topKeys.joined(separator: ", "))")
      }
      members[key] = node
    }
    func required(_ key: String, _ expected: String) throws(SceneError) -> Int32 {
      guard let node = members[key] else {
        throw SceneError(code: .missing, file: file, path: key, message: "expected \(expected), got nothing")
      }
      return node
    }
    var scene = Scene(
      name: "", note: "", pictureClass: .flat, size: .zero, background: .clear, root: Layer(), images: [:],
      skipped: [], layers: [:])
    try faults.attempt { () throws(SceneError) in
      let format = try required("format", "\"porthole-scene/1\"")
      guard try string(format, "\"porthole-scene/1\"") == "porthole-scene/1" else {
        throw unexpected(.outOfRange, format, "\"porthole-scene/1\"")
      }
    }
    try faults.attempt { () throws(SceneError) in scene.size = try size(required("size", "[width, height]")) }
    if let node = members["images"], document[node].value != .null {
      try faults.attempt { () throws(SceneError) in try readImages(node) }
    }
    for (key, node) in members.sorted(by: { $0.value < $1.value }) {
      try faults.attempt { () throws(SceneError) in
        switch key {
        case "name": scene.name = try string(node)
        case "note": scene.note = try string(node)
        case "class": scene.pictureClass = try word(node)
        case "background": scene.background = try color(node)
        default: break
        }
      }
    }
    try faults.attempt { () throws(SceneError) in scene.root = try readLayers(required("root", "a layer")) }
    try bindSources()
    (scene.images, scene.skipped, scene.layers) = (images, skipped, layers)
    (scene.animations, scene.videos) = (animations, videos)
    return scene
  }

  private static let topKeys = ["format", "name", "note", "class", "size", "background", "images", "root"]

  private func size(_ node: Int32) throws(SceneError) -> Size {
    let sides = try array(node, "[width, height]")
    guard sides.count == 2 else { throw unexpected(.wrongType, node, "[width, height]") }
    return Size(width: Double(try side(sides[0])), height: Double(try side(sides[1])))
  }

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
      var layer = Layer()
      let kind = document.member("kind", of: node)
      try faults.attempt { () throws(SceneError) in layer = try makeLayer(kind) }
      var sublayers: [Int32] = []
      try faults.attempt { () throws(SceneError) in
        try each(node, "a layer") { (key, value) throws(SceneError) in
          if key == "sublayers" {
            if document[value].value != .null { sublayers = try array(value, "a list of layers") }
          } else if key == "mask" {
            if document[value].value != .null { stack.append((value, layer, level + 1, true)) }
          } else {
            try setProperty(key, value, of: layer)
          }
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
    let expected = "one of layer, gradient, shape, text, surface, portal, replicator, backdrop, lens, transform"
    switch try string(kind, expected) {
    case "layer": return Layer()
    case "gradient": return GradientLayer()
    case "portal": return PortalLayer()
    case "shape": return ShapeLayer()
    case "text": return TextLayer()
    case "surface": return SurfaceLayer()
    case "backdrop": return BackdropLayer()
    case "lens": return LensLayer()
    case "transform": return TransformLayer()
    case "replicator": return ReplicatorLayer()
    default: throw unexpected(.outOfRange, kind, expected)
    }
  }

  private mutating func bindSources() throws(SceneError) {
    for (portal, node, id) in sources {
      try faults.attempt { () throws(SceneError) in
        guard let source = layers[id] else {
          throw failure(.unknownReference, node, "expected the id of a layer of this scene; none is called “\(id)”")
        }
        portal.sourceLayer = source
      }
    }
  }

  /// A key that this version does not know: an error, or left out and listed.
  mutating func skipUnknown(_ node: Int32) throws(SceneError) {
    guard options.skipsUnsupported else {
      throw failure(.unknownKey, node, "unknown key; expected one that docs/scene-files.md lists for layers")
    }
    skipped.append(document.path(of: node))
  }
}

import Commit
import Geometry
import JSON

/// A video that a scene file gives to a layer of kind `surface`. The library itself decodes none: the `Media` target opens
/// it and feeds the layer.
public struct SceneVideo {
  /// What is played.
  public enum Content: Sendable, Hashable {
    /// A path that can be opened from here.
    case file(String)
    /// A generated one, of that name, in pixels and frames a second.
    case pattern(Pattern, PixelSize, rate: Double)
  }

  public enum Pattern: String, Sendable, Hashable, CaseIterable {
    case bars, hills
  }

  public var layer: SurfaceLayer
  public var content: Content
  /// When its first frame is due, in seconds of the scene's time.
  public var beginTime = 0.0
  public var loops = false
}

extension SceneReader {
  private static let videoKeys = ["file", "pattern", "size", "rate", "beginTime", "loops"]

  mutating func setVideo(_ node: Int32, of layer: SurfaceLayer) throws(SceneError) {
    if document[node].value == .null { return }
    var members: [String: Int32] = [:]
    for (key, value) in try object(node, "a video") {
      guard Self.videoKeys.contains(key) else {
        throw failure(.unknownKey, value, "unknown key; expected one of \(Self.videoKeys.joined(separator: ", "))")
      }
      members[key] = value
    }
    var video = SceneVideo(layer: layer, content: .file(""))
    switch (members["file"], members["pattern"]) {
    case (let file?, nil):
      for key in ["size", "rate"] {
        if let stray = members[key] { throw failure(.unknownKey, stray, "expected only beside pattern") }
      }
      video.content = .file(try videoPath(file))
    case (nil, let pattern?): video.content = try self.pattern(pattern, members)
    default: throw failure(.missing, node, "expected either file or pattern")
    }
    if let begin = members["beginTime"] { video.beginTime = try notNegative(begin) }
    if let loops = members["loops"] { video.loops = try bool(loops) }
    videos.append(video)
  }

  private func pattern(_ node: Int32, _ members: [String: Int32]) throws(SceneError) -> SceneVideo.Content {
    let kind: SceneVideo.Pattern = try word(node)
    var size = PixelSize(width: 320, height: 180)
    if let sides = members["size"] {
      let list = try array(sides, "[width, height] in pixels")
      guard list.count == 2 else { throw unexpected(.wrongType, sides, "[width, height] in pixels") }
      size = PixelSize(width: try patternSide(list[0]), height: try patternSide(list[1]))
    }
    let rate = try members["rate"].map { (node) throws(SceneError) in
      try number(node, 0.001...1000, "frames a second, from 0.001 to 1000")
    }
    return .pattern(kind, size, rate: rate ?? 30)
  }

  private func patternSide(_ node: Int32) throws(SceneError) -> Int {
    try whole(node, 1...8192, "a whole number from 1 to 8192")
  }

  private func videoPath(_ node: Int32) throws(SceneError) -> String {
    let expected = "a path relative to the scene file"
    let path = try string(node, expected)
    guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw unexpected(.outOfRange, node, expected)
    }
    return inDirectory(path)
  }

  /// A path of the scene file's, from here.
  func inDirectory(_ path: String) -> String {
    directory == "." ? path : directory.hasSuffix("/") ? directory + path : directory + "/" + path
  }
}

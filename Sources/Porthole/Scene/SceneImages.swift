import Commit
import Geometry
import ImageFiles

extension SceneReader {
  /// Reads the table of images: inline pixels, or files.
  mutating func readImages(_ node: Int32) throws(SceneError) {
    try each(node, "a table of images") { (name, entry) throws(SceneError) in
      var members: [String: Int32] = [:]
      for (key, value) in try object(entry, "an image") { members[key] = value }
      if let path = members["file"] {
        guard members.count == 1 else {
          throw failure(.unknownKey, entry, "expected nothing beside file")
        }
        images[name] = try imageFile(path)
      } else {
        images[name] = try inlineImage(entry, members)
      }
    }
  }

  private func imageFile(_ node: Int32) throws(SceneError) -> Image {
    let expected = "a path relative to the scene file"
    let path = try string(node, expected)
    guard !path.isEmpty, !path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw unexpected(.outOfRange, node, expected)
    }
    let whole = inDirectory(path)
    let image: Image
    do {
      image = try ImageFile.read(whole)
    } catch {
      throw failure(.badImage, node, error.description)
    }
    guard max(image.width, image.height) <= SceneFile.longestSide else {
      throw failure(.badImage, node, "expected a picture of at most \(SceneFile.longestSide) pixels a side: \(whole)")
    }
    return image
  }

  private func inlineImage(_ node: Int32, _ members: [String: Int32]) throws(SceneError) -> Image {
    for (key, member) in members.sorted(by: { $0.value < $1.value }) where !["width", "height", "rgba"].contains(key) {
      throw failure(.unknownKey, member, "unknown key; expected width, height and rgba, or file")
    }
    guard let width = members["width"], let height = members["height"], let rgba = members["rgba"] else {
      throw failure(.missing, node, "expected width, height and rgba, or file")
    }
    let size = PixelSize(width: try side(width), height: try side(height))
    let text = try string(rgba, "pixels in base64")
    guard let pixels = Base64.decode(text) else {
      throw failure(.badImage, rgba, "expected base64, whole and padded")
    }
    guard let image = Image(size: size, alpha: .straight, pixels: pixels) else {
      throw failure(
        .badImage, rgba,
        "expected \(size.area * 4) bytes for \(size.width) × \(size.height) pixels, got \(pixels.count)")
    }
    return image
  }
}

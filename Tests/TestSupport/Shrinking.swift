import Commit

/// The smallest scene found that still fails: layers and properties are taken out one by one for as long as it does. The roots
/// stay as they are: on what they draw, differences show for what they are.
/// - Parameter tries: how often `fails` is asked at most.
public func shrunk(_ roots: [TestLayer], tries: Int = 300, while fails: ([TestLayer]) -> Bool) -> [TestLayer] {
  var (best, left) = (roots, tries)
  var isSmaller = true
  func attempt(_ change: (TestLayer) -> TestLayer?) {
    guard left > 0 else { return }
    left -= 1
    let candidate = best.compactMap { $0.rewritten(change) }
    if candidate.count == best.count, fails(candidate) { (best, isSmaller) = (candidate, true) }
  }
  while isSmaller, left > 0 {
    isSmaller = false
    for id in best.flatMap(\.allIDs).reversed() where !best.contains(where: { $0.id == id }) {
      attempt { $0.id == id ? nil : $0 }
    }
    for id in best.flatMap(\.allIDs) where !best.contains(where: { $0.id == id }) {
      // What was taken out moves the rest up.
      var index = (best.lazy.compactMap { $0.find(id) }.first?.properties.count ?? 0) - 1
      while index >= 0 {
        attempt { layer in
          guard layer.id == id, layer.properties.indices.contains(index) else { return layer }
          var copy = layer
          copy.properties.remove(at: index)
          return copy
        }
        index -= 1
      }
      for _ in best.lazy.compactMap({ $0.find(id) }).first?.animations ?? [] {
        attempt { layer in
          guard layer.id == id, !layer.animations.isEmpty else { return layer }
          var copy = layer
          copy.animations.removeFirst()
          return copy
        }
      }
    }
  }
  return best
}

extension TestLayer {
  fileprivate var allIDs: [LayerID] { [id] + (sublayers + masks).flatMap(\.allIDs) }

  /// Changed from the top down; nil takes the layer out.
  fileprivate func rewritten(_ change: (TestLayer) -> TestLayer?) -> TestLayer? {
    guard var copy = change(self) else { return nil }
    copy.sublayers = copy.sublayers.compactMap { $0.rewritten(change) }
    copy.masks = copy.masks.compactMap { $0.rewritten(change) }
    return copy
  }

  /// For a person who hunts a fault: a layer a line, indented.
  public func outline(_ indent: String = "") -> String {
    var text = "\(indent)\(id.rawValue) \(kind): \(properties)\n"
    for animation in animations { text += "\(indent)  moved by \(animation)\n" }
    for mask in masks { text += mask.outline(indent + "  mask ") }
    for sublayer in sublayers { text += sublayer.outline(indent + "  ") }
    return text
  }
}

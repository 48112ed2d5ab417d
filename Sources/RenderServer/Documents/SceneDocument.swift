import Commit
import Geometry
import JSON
import RenderTree

/// Where the layers of an output's last frame stand, for whoever looks at it.
extension ServerCore {
  /// More than a person can tell apart.
  private static let layerLimit = 4000

  /// Layers from back to front, each with its four corners in the output's own units, around from its origin; of a portal, its
  /// source too. What is hidden, or has a corner behind the eye, is left out.
  func sceneDocument(_ output: OutputObject) -> String {
    let snapshot = output.lastSnapshot
    var layers: [JSONValue] = []
    var index = 0
    let end = snapshot.hasRoot ? Int(snapshot.nodes.first?.end ?? 0) : 0
    while index < end, layers.count < Self.layerLimit {
      let node = snapshot.nodes[index]
      if node.isHidden || node.flags.contains(.hiddenByPortal) {
        index = Int(node.end)
        continue
      }
      index += 1
      let isInstance = node.portal >= 0 && snapshot.portals[Int(node.portal)].isInstance
      guard !isInstance, let corners = corners(of: node) else { continue }
      var members: [(String, JSONValue)] = [("layer", .unsigned(node.layer.rawValue)), ("corners", corners)]
      if node.portal >= 0 {
        let source = snapshot.portals[Int(node.portal)].source
        members.append(("source", source < 0 ? .null : .unsigned(snapshot.nodes[Int(source)].layer.rawValue)))
      }
      layers.append(.object(members))
    }
    return JSONValue.object([("layers", .array(layers)), ("isWhole", .boolean(index >= end))]).line
  }

  private func corners(of node: SnapshotNode) -> JSONValue? {
    let bounds = node.bounds
    var numbers: [JSONValue] = []
    for corner in [
      Point(bounds.minX, bounds.minY), Point(bounds.maxX, bounds.minY), Point(bounds.maxX, bounds.maxY),
      Point(bounds.minX, bounds.maxY),
    ] {
      guard node.window.project(corner).w > 0, let point = node.window.apply(corner), point.isFinite else { return nil }
      numbers.append(.number((point.x * 100).rounded() / 100))
      numbers.append(.number((point.y * 100).rounded() / 100))
    }
    return .array(numbers)
  }

  /// The layers at a point of an output's last frame, through portals that forward hit testing: each with the point in its own
  /// space and its path, from its topmost layer down.
  func hitDocument(_ point: Point, _ output: OutputObject) -> String {
    JSONValue.array(
      output.lastSnapshot.hitTest(point).map { link in
        .object([
          ("layer", .unsigned(link.layer.rawValue)), ("isPortal", .boolean(link.isPortal)),
          ("point", .array([.number(link.point.x), .number(link.point.y)])),
          ("path", .array(path(of: link.layer, in: output.lastSnapshot))),
        ])
      }
    ).line
  }

  /// From the topmost layer down, whoever they belong to.
  private func path(of layer: LayerID, in snapshot: Snapshot) -> [JSONValue] {
    var path: [JSONValue] = []
    var index = snapshot.index(of: layer) ?? -1
    while index >= 0, path.count < 64 {
      let id = snapshot.nodes[Int(index)].layer
      let object = sessions[id.client]?.layers[id]
      path.append(
        .object([
          ("layer", .unsigned(id.rawValue)), ("name", .string(object?.name ?? "")),
          ("kind", .string(object.map { "\($0.kind)" } ?? "layer")),
        ]))
      index = snapshot.nodes[Int(index)].parent
    }
    return path.reversed()
  }
}

import Commit
import Diagnostics
import FramePlan
import Geometry
import JSON
import RenderTree
import WaylandProtocol

extension ServerCore {
  /// Every client with its account and layers, and of each layer what it costs.
  var treeDocument: String {
    let costs = SourceCosts(outputs.values)
    let clients = sessions.values.sorted { $0.member.number < $1.member.number }
    return JSONValue.array(clients.map { describe($0, costs) }).line
  }

  /// What the last frame of each output did with sources, by layer.
  private struct SourceCosts {
    var places: [LayerID: Int] = [:]
    var inlined: [LayerID: Int] = [:]
    var pictures: [LayerID: [JSONValue]] = [:]

    init(_ outputs: some Sequence<OutputObject>) {
      for output in outputs {
        for source in output.lastSources {
          places[source.layer, default: 0] += source.uses
          inlined[source.layer, default: 0] += source.inlineUses
          for picture in source.pictures where picture.isDrawn {
            let bytes = UInt64(clamping: picture.size.area) &* 4
            pictures[source.layer, default: []].append(
              .object([
                ("output", .unsigned(output.number.rawValue)), ("width", .integer(picture.size.width)),
                ("height", .integer(picture.size.height)), ("bytes", .unsigned(bytes)),
                ("uses", .integer(picture.uses)),
                ("isExact", .boolean(picture.isExact)),
              ]))
          }
        }
      }
    }
  }

  private func describe(_ session: ClientSession, _ costs: SourceCosts) -> JSONValue {
    let account = session.member.account
    let seconds = Double(ProcessClock.monotonicNanoseconds &- session.connectedAt) / 1e9
    let layers = session.layers.values.sorted { $0.id.rawValue < $1.id.rawValue }
    return .object([
      ("client", .unsigned(UInt64(session.member.number.rawValue))), ("name", .string(session.name ?? "")),
      ("process", .unsigned(UInt64(clamping: session.process))), ("user", .unsigned(UInt64(session.user))),
      ("seconds", .number(seconds)), ("layers", .unsigned(account[.layers])), ("portals", .unsigned(account[.portals])),
      ("outputs", .unsigned(account[.outputs])), ("exports", .unsigned(account[.exports])),
      ("sharedBytes", .unsigned(account[.sharedBytes])), ("textureBytes", .unsigned(account[.textureBytes])),
      ("descriptors", .unsigned(account[.descriptors])), ("commits", .unsigned(account.commits)),
      ("commitsRefused", .unsigned(account.commitsRefused)), ("changes", .unsigned(account.changesApplied)),
      ("tree", .array(layers.map { describe($0, of: session.member, tree.tree.bounds(of: $0.id), costs) })),
    ])
  }

  private func describe(
    _ layer: LayerObject, of member: TreeClient, _ bounds: Rect, _ costs: SourceCosts
  ) -> JSONValue {
    let (parent, sublayers) = member.nesting.place(of: layer.id)
    var members: [(String, JSONValue)] = [
      ("layer", .unsigned(layer.id.rawValue)), ("kind", .string("\(layer.kind)")), ("name", .string(layer.name ?? "")),
      ("parent", .unsigned(parent?.rawValue ?? 0)), ("sublayers", .integer(sublayers)),
      ("bounds", .array([bounds.x, bounds.y, bounds.width, bounds.height].map { .number($0) })),
      ("contentVersion", .unsigned(tree.tree.contentVersion(of: layer.id) ?? 0)),
    ]
    if let picture = member.picture(of: layer.id) {
      members.append(
        (
          "contents",
          .object([
            ("width", .integer(picture.size.width)), ("height", .integer(picture.size.height)),
            ("bytes", .unsigned(picture.bytes)), ("uses", .integer(picture.uses)),
          ])
        ))
    }
    if let pictures = costs.pictures[layer.id] { members.append(("pictures", .array(pictures))) }
    if layer.kind == .portal {
      let link = member.links[layer.id]
      members += [
        ("source", .unsigned(link?.source?.rawValue ?? 0)), ("isForeign", .boolean(link?.export != nil)),
        ("sourcePlaces", .integer(link?.source.flatMap { costs.places[$0] } ?? 0)),
        ("sourceInlined", .integer(link?.source.flatMap { costs.inlined[$0] } ?? 0)),
      ]
    }
    return .object(members)
  }
}

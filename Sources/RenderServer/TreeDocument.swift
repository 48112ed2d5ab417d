import Commit
import Diagnostics
import FramePlan
import Geometry
import RenderTree
import WaylandProtocol

extension RenderServer {
  /// Every client with its account and layers, and of each layer what it costs.
  var treeDocument: String {
    var text = ""
    let costs = SourceCosts(outputs.values)
    let clients = sessions.values.sorted { $0.member.number < $1.member.number }
    DocumentValue.list(clients.map { describe($0, costs) }).write(to: &text)
    return text + "\n"
  }

  /// What the last frame of each output did with sources, by layer.
  private struct SourceCosts {
    var places: [LayerID: Int] = [:]
    var inlined: [LayerID: Int] = [:]
    var pictures: [LayerID: [DocumentValue]] = [:]

    init(_ outputs: some Sequence<OutputObject>) {
      for output in outputs {
        for source in output.lastSources {
          places[source.layer, default: 0] += source.uses
          inlined[source.layer, default: 0] += source.inlineUses
          for picture in source.pictures where picture.isDrawn {
            let bytes = UInt64(clamping: picture.size.area) &* 4
            pictures[source.layer, default: []].append(
              .object([
                ("output", .whole(output.number.rawValue)), ("width", .count(picture.size.width)),
                ("height", .count(picture.size.height)), ("bytes", .whole(bytes)), ("uses", .count(picture.uses)),
                ("isExact", .flag(picture.isExact)),
              ]))
          }
        }
      }
    }
  }

  private func describe(_ session: ClientSession, _ costs: SourceCosts) -> DocumentValue {
    let account = session.member.account
    let seconds = Double(ProcessClock.monotonicNanoseconds &- session.connectedAt) / 1e9
    let layers = session.layers.values.sorted { $0.id.rawValue < $1.id.rawValue }
    return .object([
      ("client", .whole(UInt64(session.member.number.rawValue))), ("name", .text(session.name ?? "")),
      ("process", .whole(UInt64(clamping: session.wire.process))), ("user", .whole(UInt64(session.wire.user))),
      ("seconds", .number(seconds)), ("layers", .whole(account[.layers])), ("portals", .whole(account[.portals])),
      ("outputs", .whole(account[.outputs])), ("exports", .whole(account[.exports])),
      ("sharedBytes", .whole(account[.sharedBytes])), ("textureBytes", .whole(account[.textureBytes])),
      ("descriptors", .whole(account[.descriptors])), ("commits", .whole(account.commits)),
      ("commitsRefused", .whole(account.commitsRefused)), ("changes", .whole(account.changesApplied)),
      ("tree", .list(layers.map { describe($0, of: session.member, tree.trace.bounds(of: $0.id), costs) })),
    ])
  }

  private func describe(
    _ layer: LayerObject, of member: TreeClient, _ bounds: Rect, _ costs: SourceCosts
  ) -> DocumentValue {
    let (parent, sublayers) = member.nesting.place(of: layer.id)
    var members: [(String, DocumentValue)] = [
      ("layer", .whole(layer.id.rawValue)), ("kind", .text("\(layer.kind)")), ("name", .text(layer.name ?? "")),
      ("parent", .whole(parent?.rawValue ?? 0)), ("sublayers", .count(sublayers)),
      ("bounds", .list([bounds.x, bounds.y, bounds.width, bounds.height].map { .number($0) })),
      ("contentVersion", .whole(tree.tree.contentVersion(of: layer.id) ?? 0)),
    ]
    if let picture = member.picture(of: layer.id) {
      members.append(
        (
          "contents",
          .object([
            ("width", .count(picture.size.width)), ("height", .count(picture.size.height)),
            ("bytes", .whole(picture.bytes)), ("uses", .count(picture.uses)),
          ])
        ))
    }
    if let pictures = costs.pictures[layer.id] { members.append(("pictures", .list(pictures))) }
    if layer.kind == .portal {
      let link = member.links[layer.id]
      members += [
        ("source", .whole(link?.source?.rawValue ?? 0)), ("isForeign", .flag(link?.export != nil)),
        ("sourcePlaces", .count(link?.source.flatMap { costs.places[$0] } ?? 0)),
        ("sourceInlined", .count(link?.source.flatMap { costs.inlined[$0] } ?? 0)),
      ]
    }
    return .object(members)
  }
}

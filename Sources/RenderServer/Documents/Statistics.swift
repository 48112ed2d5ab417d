import Commit
import Diagnostics
import FramePlan
import Geometry
import RenderTree
import WaylandProtocol

extension ServerCore {
  /// What these clients have and what it costs, a line for each event.
  func statistics(of sessions: [ClientSession]) -> [StatisticsLine] {
    var lines: [StatisticsLine] = []
    for session in sessions {
      lines.append(StatisticsLine(kind: .client, name: session.name, values: clientValues(session)))
      append(layersOf: session, to: &lines)
    }
    return lines
  }

  private func clientValues(_ session: ClientSession) -> [Double] {
    let account = session.member.account
    let seconds = Double(ProcessClock.monotonicNanoseconds &- session.connectedAt) / 1e9
    return [
      Double(session.member.number.rawValue), Double(session.process), Double(session.user),
      Double(account[.layers]), Double(account[.portals]), Double(account[.outputs]), Double(account[.exports]),
      Double(account[.sharedBytes]), Double(account[.textureBytes]), Double(account.commits),
      Double(account.changesApplied), Double(account.commitsRefused), Double(account[.descriptors]), seconds,
    ]
  }

  private func append(layersOf session: ClientSession, to lines: inout [StatisticsLine]) {
    var uses: [LayerID: (places: Int, inlined: Int)] = [:]
    for output in outputs.values {
      for source in output.lastSources {
        let known = uses[source.layer] ?? (0, 0)
        uses[source.layer] = (known.places + source.uses, known.inlined + source.inlineUses)
      }
    }
    for object in session.layers.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      let (parent, sublayers) = session.member.nesting.place(of: object.id)
      let bounds = tree.tree.bounds(of: object.id)
      let picture = session.member.picture(of: object.id)
      lines.append(
        StatisticsLine(
          kind: .layer, name: object.name,
          values: [
            Double(object.id.rawValue), Double(object.resource?.number ?? 0), Double(object.kind.rawValue),
            Double(parent?.rawValue ?? 0), Double(sublayers), Double(tree.tree.contentVersion(of: object.id) ?? 0),
            Double(picture?.bytes ?? 0), bounds.x, bounds.y, bounds.width, bounds.height,
          ]))
      if object.kind == .portal {
        let link = session.member.links[object.id]
        let use = link?.source.flatMap { uses[$0] } ?? (0, 0)
        lines.append(
          StatisticsLine(
            kind: .portal,
            values: [
              Double(object.id.rawValue), Double(link?.source?.rawValue ?? 0), link?.export != nil ? 1 : 0,
              Double(use.places), 0, Double(use.inlined),
            ]))
      }
      if let picture {
        lines.append(
          StatisticsLine(
            kind: .texture,
            values: [
              Double(object.id.rawValue), 0, Double(picture.size.width), Double(picture.size.height),
              Double(picture.bytes), 0, Double(picture.uses),
            ]))
      }
    }
  }
}

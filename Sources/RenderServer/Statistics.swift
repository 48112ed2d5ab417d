import Commit
import Diagnostics
import FramePlan
import Geometry
import RenderTree
import WaylandProtocol

extension RenderServer {
  /// Tells what these clients have and what it costs, then `done`.
  func tell(_ sessions: [ClientSession], to statistics: Resource<PortholeStatisticsV1>) {
    for session in sessions {
      statistics.sendClient(name: session.name, values: clientValues(session).span.bytes)
      tellLayers(of: session, to: statistics)
    }
    statistics.sendDone()
  }

  private func clientValues(_ session: ClientSession) -> [Double] {
    let account = session.member.account
    let seconds = Double(ProcessClock.monotonicNanoseconds &- session.connectedAt) / 1e9
    return [
      Double(session.member.number.rawValue), Double(session.wire.process), Double(session.wire.user),
      Double(account[.layers]), Double(account[.portals]), Double(account[.outputs]), Double(account[.exports]),
      Double(account[.sharedBytes]), Double(account[.textureBytes]), Double(account.commits),
      Double(account.changesApplied), Double(account.commitsRefused), Double(account[.descriptors]), seconds,
    ]
  }

  private func tellLayers(of session: ClientSession, to statistics: Resource<PortholeStatisticsV1>) {
    var uses: [LayerID: (places: Int, inlined: Int)] = [:]
    for output in outputs.values {
      for source in output.lastSources {
        let known = uses[source.layer] ?? (0, 0)
        uses[source.layer] = (known.places + source.uses, known.inlined + source.inlineUses)
      }
    }
    for object in session.layers.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) {
      let (parent, sublayers) = session.member.nesting.place(of: object.id)
      let bounds = tree.trace.bounds(of: object.id)
      let picture = session.member.picture(of: object.id)
      statistics.sendLayer(
        name: object.name,
        values: [
          Double(object.id.rawValue), Double(object.resource?.number ?? 0), Double(object.kind.rawValue),
          Double(parent?.rawValue ?? 0), Double(sublayers), Double(tree.tree.contentVersion(of: object.id) ?? 0),
          Double(picture?.bytes ?? 0), bounds.x, bounds.y, bounds.width, bounds.height,
        ].span.bytes)
      if object.kind == .portal {
        let link = session.member.links[object.id]
        let use = link?.source.flatMap { uses[$0] } ?? (0, 0)
        statistics.sendPortal(
          values: [
            Double(object.id.rawValue), Double(link?.source?.rawValue ?? 0), link?.export != nil ? 1 : 0,
            Double(use.places), 0, Double(use.inlined),
          ].span.bytes)
      }
      if let picture {
        statistics.sendTexture(
          values: [
            Double(object.id.rawValue), 0, Double(picture.size.width), Double(picture.size.height),
            Double(picture.bytes), 0, Double(picture.uses),
          ].span.bytes)
      }
    }
  }
}

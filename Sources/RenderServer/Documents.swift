import Commit
import FramePlan
import Geometry
import RenderTree
import WaylandProtocol

extension RenderServer {
  /// A document for the operator; nil for one that there is none of.
  func document(_ kind: PortholeInspectorV1.Document) -> String? {
    switch kind {
    case .tree: treeDocument
    case .plan: planDocument
    case .damage: list(sortedOutputs.map { "{\"output\":\($0.number.rawValue),\"redrawn\":\"everything\"}" })
    case .metrics: metrics
    case .outputs: list(sortedOutputs.map(describe))
    case .exports:
      list(
        tree.registry.list.map { export in
          "{\"layer\":\(export.layer.rawValue),\"client\":\(export.owner.rawValue),\"imports\":\(export.imports)}"
        })
    default: nil
    }
  }

  private var sortedOutputs: [OutputObject] { outputs.values.sorted { $0.number.rawValue < $1.number.rawValue } }

  private func list(_ items: [String]) -> String { "[" + items.joined(separator: ",\n ") + "]\n" }

  private func describe(_ output: OutputObject) -> String {
    let mode = output.mode
    return "{\"output\":\(output.number.rawValue),\"client\":\(output.session.member.number.rawValue),"
      + "\"width\":\(mode.size.width),\"height\":\(mode.size.height),\"scale\":\(mode.scale),"
      + "\"periodNanoseconds\":\(mode.period),\"root\":\(output.root?.rawValue ?? 0),"
      + "\"isSecure\":\(output.isSecure),\"frames\":\(output.sequence)}"
  }

  private var treeDocument: String {
    list(
      sessions.values.sorted { $0.member.number < $1.member.number }.map { session in
        let layers = session.layers.values.sorted { $0.id.rawValue < $1.id.rawValue }.map { layer in
          let parent = session.member.nesting.place(of: layer.id).parent?.rawValue ?? 0
          let source = session.member.links[layer.id]?.source.map { ",\"source\":\($0.rawValue)" } ?? ""
          return "{\"layer\":\(layer.id.rawValue),\"kind\":\"\(layer.kind)\",\"parent\":\(parent)"
            + ",\"name\":\(quoted(layer.name ?? ""))\(source)}"
        }
        return "{\"client\":\(session.member.number.rawValue),\"process\":\(session.wire.process),"
          + "\"name\":\(quoted(session.name ?? "")),\"layers\":\(list(layers))}"
      })
  }

  private var planDocument: String {
    list(
      sortedOutputs.map { output in
        let sources = output.lastSources.map {
          "{\"layer\":\($0.layer.rawValue),\"uses\":\($0.uses),\"inlineUses\":\($0.inlineUses)}"
        }
        return "{\"output\":\(output.number.rawValue),\"sources\":[\(sources.joined(separator: ","))]}"
      })
  }

  /// A text as JSON has it.
  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// In the text form of Prometheus.
  private var metrics: String {
    var text = ""
    func add(_ name: String, _ kind: String, _ help: String, _ value: some CustomStringConvertible) {
      text += "# HELP porthole_\(name) \(help)\n# TYPE porthole_\(name) \(kind)\nporthole_\(name) \(value)\n"
    }
    func sum(_ kind: ClientLimits.Kind) -> UInt64 {
      sessions.values.reduce(0) { $0 &+ $1.member.account[kind] }
    }
    add("clients", "gauge", "Clients connected.", sessions.count)
    add("layers", "gauge", "Layers alive, portals included.", tree.tree.layerCount)
    add("portals", "gauge", "Portals alive.", sum(.portals))
    add("outputs", "gauge", "Outputs alive.", outputs.count)
    add("exports", "gauge", "Layers that may be shown by others.", tree.registry.exportCount)
    add("shared_bytes", "gauge", "Memory that clients share.", sum(.sharedBytes))
    add("texture_bytes", "gauge", "Contents of layers.", sum(.textureBytes))
    add("connections_total", "counter", "Clients that have connected.", counters.connections)
    add("commits_total", "counter", "Commits received.", counters.commits)
    add("commits_refused_total", "counter", "Commits refused.", counters.commitsRefused)
    add("violations_total", "counter", "Clients ended by a protocol error of the server's.", counters.violations)
    add("frames_drawn_total", "counter", "Frames drawn.", counters.framesDrawn)
    add("frames_unchanged_total", "counter", "Frames in which nothing changed.", counters.framesUnchanged)
    add("frames_failed_total", "counter", "Frames that could not be drawn.", counters.framesFailed)
    add("devices_lost_total", "counter", "Times that the GPU was lost.", counters.devicesLost)
    add("pictures_written_total", "counter", "Pictures written to files.", counters.picturesWritten)
    add("pictures_skipped_total", "counter", "Pictures left out for a slow reader.", counters.picturesSkipped)
    add("frame_passes", "gauge", "Passes of the last frame.", counters.lastFrame.passes)
    add("frame_batches", "gauge", "Draw calls of the last frame.", counters.lastFrame.batches)
    add("frame_quads", "gauge", "Quads of the last frame.", counters.lastFrame.quads)
    return text
  }
}

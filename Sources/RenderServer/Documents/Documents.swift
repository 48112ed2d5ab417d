import Commit
import Diagnostics
import FramePlan
import Geometry
import JSON
import RenderTree
import WaylandProtocol

extension ServerCore {
  /// A document for the operator; nil for one that there is none of.
  func document(_ kind: PortholeInspectorV1.Document) -> String? {
    switch kind {
    case .tree: treeDocument
    case .plan: planDocument
    case .damage: damageDocument
    case .metrics: metrics
    case .outputs: JSONValue.array(sortedOutputs.map(describe)).line
    case .exports:
      JSONValue.array(
        tree.registry.list.map { export in
          .object([
            ("layer", .unsigned(export.layer.rawValue)), ("client", .unsigned(UInt64(export.owner.rawValue))),
            ("imports", .integer(export.imports)),
          ])
        }
      ).line
    case .view: (view.map { JSONValue.string($0.address) } ?? .null).line
    default: nil
    }
  }

  private var sortedOutputs: [OutputObject] { outputs.values.sorted { $0.number.rawValue < $1.number.rawValue } }

  private func describe(_ output: OutputObject) -> JSONValue {
    let mode = output.mode
    return .object([
      ("output", .unsigned(output.number.rawValue)),
      ("client", .unsigned(UInt64(output.session.member.number.rawValue))),
      ("clientName", .string(output.session.name ?? "")), ("width", .integer(mode.size.width)),
      ("height", .integer(mode.size.height)), ("scale", .number(mode.scale)),
      ("periodNanoseconds", .unsigned(mode.period)), ("root", .unsigned(output.root?.rawValue ?? 0)),
      ("isSecure", .boolean(output.isSecure)), ("frames", .unsigned(output.sequence)),
    ])
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
    add("texture_bytes", "gauge", "Contents of layers, and what outputs hold.", sum(.textureBytes))
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
    add("picture_bytes_total", "counter", "Pixels of contents given to the GPU, in bytes.", counters.pictureBytes)
    add("copied_pixels_total", "counter", "Pixels that the GPU copied, out of dma-bufs too.", counters.copiedPixels)
    add("processor_seconds_total", "counter", "Processor time.", Double(ProcessClock.cpuNanoseconds) / 1e9)
    add("frame_passes", "gauge", "Passes of the last frame.", counters.lastFrame.passes)
    add("frame_batches", "gauge", "Draw calls of the last frame.", counters.lastFrame.batches)
    add("frame_quads", "gauge", "Quads of the last frame.", counters.lastFrame.quads)
    return text + clientMetrics
  }

  private var clientMetrics: String {
    var text = ""
    let all = sessions.values.sorted { $0.member.number < $1.member.number }
    func add(_ name: String, _ kind: String, _ help: String, _ value: (ClientAccount) -> UInt64) {
      text += "# HELP porthole_client_\(name) \(help)\n# TYPE porthole_client_\(name) \(kind)\n"
      for session in all {
        let labels = "client=\"\(session.member.number.rawValue)\",process=\"\(session.process)\""
        text += "porthole_client_\(name){\(labels)} \(value(session.member.account))\n"
      }
    }
    guard !all.isEmpty else { return "" }
    add("layers", "gauge", "Layers of one client.") { $0[.layers] }
    add("portals", "gauge", "Portals of one client.") { $0[.portals] }
    add("shared_bytes", "gauge", "Memory that one client shares.") { $0[.sharedBytes] }
    add("texture_bytes", "gauge", "Contents and outputs of one client.") { $0[.textureBytes] }
    add("commits_total", "counter", "Commits of one client.") { $0.commits }
    add("commits_refused_total", "counter", "Commits of one client that were refused.") { $0.commitsRefused }
    return text
  }
}

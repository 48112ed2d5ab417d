import WaylandProtocol

/// `porthole server list`: who is there, and what it costs.
struct ServerListCommand {
  private enum Topic: String, CaseIterable {
    case clients, layers, portals, textures, outputs, exports
  }

  private struct ExportRow: Decodable {
    var layer: UInt64
    var client: UInt64
    var imports: Int
  }

  private let arguments: Arguments
  private let topics: [Topic]

  init(_ words: [String]) throws(UsageError) {
    let topic = words.first.flatMap(Topic.init)
    topics = topic.map { [$0] } ?? Topic.allCases
    arguments = try Arguments(
      topic == nil ? words : Array(words.dropFirst()), words: [], options: [.socket, .json])
  }

  func run() throws -> ExitCode {
    let server = try ServerInspector(socket: arguments[.socket])
    if arguments.has(.json) {
      let parts = try [("clients", .tree), ("outputs", .outputs), ("exports", .exports)].map { name, kind in
        "\"\(name)\": \(try server.document(kind))"
      }
      return Output.data("{\(parts.joined(separator: ", "))}\n")
    }
    let clients = try server.clients()
    var sections: [String] = []
    for topic in topics {
      let text =
        switch topic {
        case .clients: Self.clients(clients)
        case .layers: Self.layers(clients)
        case .portals: Self.portals(clients)
        case .textures: Self.textures(clients)
        case .outputs: Self.outputs(try server.outputs())
        case .exports: Self.exports(try server.decode([ExportRow].self, .exports))
        }
      if !text.isEmpty { sections.append(topics.count > 1 ? "\(topic.rawValue)\n\(text)" : text) }
    }
    return Output.data(sections.joined(separator: "\n"))
  }

  private static func clients(_ clients: [ServerClientRow]) -> String {
    var table = Table(
      [
        "CLIENT", "NAME", "PROCESS", "USER", "LAYERS", "PORTALS", "OUTPUTS", "EXPORTS", "SHARED", "TEXTURES", "COMMITS",
        "REFUSED", "SECONDS",
      ], numbers: [0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    for row in clients {
      table.add([
        "\(row.client)", row.name, "\(row.process)", "\(row.user)", "\(row.layers)", "\(row.portals)", "\(row.outputs)",
        "\(row.exports)", Table.bytes(row.sharedBytes), Table.bytes(row.textureBytes), "\(row.commits)",
        "\(row.commitsRefused)", "\(Int(max(0, min(1e15, row.seconds))))",
      ])
    }
    return table.text
  }

  private static func layers(_ clients: [ServerClientRow]) -> String {
    var table = Table(
      ["LAYER", "CLIENT", "KIND", "NAME", "PARENT", "SUBLAYERS", "CONTENTS", "BOUNDS"], numbers: [0, 1, 4, 5, 6])
    for client in clients {
      for row in client.tree {
        table.add([
          "\(row.layer)", "\(client.client)", row.kind, row.name, row.parent == 0 ? "–" : "\(row.parent)",
          "\(row.sublayers)", row.contents.map { Table.bytes($0.bytes) } ?? "–", row.boundsText,
        ])
      }
    }
    return table.text
  }

  private static func portals(_ clients: [ServerClientRow]) -> String {
    var table = Table(
      ["PORTAL", "CLIENT", "NAME", "SOURCE", "OF", "SOURCE'S PLACES", "DRAWN AGAIN"], numbers: [0, 1, 3, 5, 6])
    for client in clients {
      for row in client.tree {
        guard let source = row.source else { continue }
        let owner = row.isForeign == true ? "client \(source >> 32)" : "its own"
        table.add([
          "\(row.layer)", "\(client.client)", row.name, source == 0 ? "–" : "\(source)", source == 0 ? "–" : owner,
          "\(row.sourcePlaces ?? 0)", "\(row.sourceInlined ?? 0)",
        ])
      }
    }
    return table.text
  }

  private static func textures(_ clients: [ServerClientRow]) -> String {
    var table = Table(["LAYER", "HOLDS", "PIXELS", "BYTES", "USES"], numbers: [0, 3, 4])
    for client in clients {
      for row in client.tree {
        if let contents = row.contents {
          table.add([
            "\(row.layer)", "contents", "\(contents.width)×\(contents.height)", Table.bytes(contents.bytes),
            "\(contents.uses)",
          ])
        }
        for picture in row.pictures ?? [] {
          table.add([
            "\(row.layer)", "source, output \(picture.output)", "\(picture.width)×\(picture.height)",
            Table.bytes(picture.bytes), "\(picture.uses)",
          ])
        }
      }
    }
    return table.text
  }

  private static func outputs(_ outputs: [ServerOutputRow]) -> String {
    var table = Table(
      ["OUTPUT", "CLIENT", "PIXELS", "SCALE", "RATE", "ROOT", "FRAMES", "SECURE"], numbers: [0, 1, 3, 5, 6])
    for row in outputs {
      table.add([
        "\(row.output)", "\(row.client)", "\(row.width)×\(row.height)", ServerLayerRow.number(row.scale), row.rateText,
        row.root == 0 ? "–" : "\(row.root)", "\(row.frames)", row.isSecure ? "yes" : "no",
      ])
    }
    return table.text
  }

  private static func exports(_ exports: [ExportRow]) -> String {
    var table = Table(["LAYER", "CLIENT", "IMPORTS"], numbers: [0, 1, 2])
    for row in exports { table.add(["\(row.layer)", "\(row.client)", "\(row.imports)"]) }
    return table.text
  }
}

import Foundation
import WaylandProtocol

/// `porthole server dump`: the tree, the plan of the last frames, or what they redrew.
struct ServerDumpCommand {
  private enum Document: String, CaseIterable {
    case tree, plan, damage
  }

  private struct PlanRow: Decodable {
    struct Source: Decodable {
      var layer: UInt64
      var uses: Int
      var inlineUses: Int
    }
    struct Batch: Decodable {
      var program: String
      var quads: Int
    }
    struct Pass: Decodable {
      var width: Int
      var height: Int
      var batches: [Batch]
    }

    var output: UInt64
    var width: Int
    var height: Int
    var frames: UInt64
    var counters: [String: Int]
    var sources: [Source]
    var passes: [Pass]
  }

  private struct DamageRow: Decodable {
    struct Pass: Decodable {
      var target: String
      var width: Int
      var height: Int
      var x: Int
      var y: Int
      var redrawnWidth: Int
      var redrawnHeight: Int
    }

    var output: UInt64
    var outputPixels: Int
    var redrawnPixels: Int
    var passes: [Pass]
  }

  private let arguments: Arguments
  private let document: Document

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: ["tree, plan or damage"], options: [.socket, .json])
    guard let document = Document(rawValue: arguments[0]) else {
      throw UsageError("“\(arguments[0])” can't be dumped; tree, plan and damage can")
    }
    self.document = document
  }

  func run() throws -> ExitCode {
    let server = try ServerInspector(socket: arguments[.socket])
    if arguments.has(.json) {
      let kinds: [Document: PortholeInspectorV1.Document] = [.tree: .tree, .plan: .plan, .damage: .damage]
      return Output.data(try server.document(kinds[document] ?? .tree))
    }
    switch document {
    case .tree: return Output.data(try server.clients().map(Self.tree).joined())
    case .plan: return Output.data(try server.decode([PlanRow].self, .plan).map(Self.plan).joined())
    case .damage:
      return Output.data(try server.decode([DamageRow].self, .damage).map(Self.damage).joined())
    }
  }

  private static func tree(_ client: ServerClientRow) -> String {
    var children: [UInt64: [ServerLayerRow]] = [:]
    let known = Set(client.tree.map(\.layer))
    for row in client.tree { children[known.contains(row.parent) ? row.parent : 0, default: []].append(row) }
    var lines = ["client \(client.client) “\(Table.plain(client.name))” process \(client.process)"]
    // A list instead of a recursion: how deep layers nest is the client's to choose.
    var rest = (children[0] ?? []).reversed().map { (row: $0, depth: 1) }
    while let (row, depth) = rest.popLast() {
      var line = String(repeating: "  ", count: depth) + "\(row.layer) \(row.kind)"
      if !row.name.isEmpty { line += " “\(Table.plain(row.name))”" }
      line += " [\(row.boundsText)]"
      if let contents = row.contents { line += " contents \(contents.width)×\(contents.height)" }
      if let source = row.source { line += source == 0 ? " of nothing" : " of \(source)" }
      if row.isForeign == true { line += ", another client's" }
      lines.append(line)
      rest += (children[row.layer] ?? []).reversed().map { ($0, depth + 1) }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func damage(_ row: DamageRow) -> String {
    var text = "output \(row.output): \(row.redrawnPixels) of \(row.outputPixels) pixels redrawn\n"
    for pass in row.passes {
      text += "  \(Table.plain(pass.target)) \(pass.width)×\(pass.height): "
      text += "\(pass.redrawnWidth)×\(pass.redrawnHeight) at \(pass.x), \(pass.y)\n"
    }
    return text
  }

  private static func plan(_ plan: PlanRow) -> String {
    var lines = ["output \(plan.output) \(plan.width)×\(plan.height), \(plan.frames) frames drawn"]
    for source in plan.sources {
      lines.append("  source \(source.layer): \(source.uses) uses, \(source.inlineUses) drawn inline")
    }
    for (index, pass) in plan.passes.enumerated() {
      lines.append("  pass \(index) \(pass.width)×\(pass.height)")
      for batch in pass.batches { lines.append("    \(batch.program) × \(batch.quads)") }
    }
    let counters = plan.counters.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    lines.append("  \(counters.joined(separator: ", "))")
    return lines.joined(separator: "\n") + "\n"
  }
}

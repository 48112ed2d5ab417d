import CWayland
import Foundation
import Testing
import WaylandProtocol

/// A message as a table has it.
struct MessageRow: Equatable, CustomStringConvertible {
  var name: String
  var signature: String
  var types: [String?]

  var description: String { "\(name) \(signature) \(types.map { $0 ?? "–" })" }
}

/// An interface as a table has it.
struct InterfaceRow: Equatable {
  var name: String
  var version: Int
  var requests: [MessageRow]
  var events: [MessageRow]

  init(_ table: UnsafePointer<wl_interface>) {
    name = String(cString: table.pointee.name)
    version = Int(table.pointee.version)
    requests = Self.rows(table.pointee.methods, table.pointee.method_count)
    events = Self.rows(table.pointee.events, table.pointee.event_count)
  }

  private static func rows(_ messages: UnsafePointer<wl_message>?, _ count: Int32) -> [MessageRow] {
    (0..<Int(count)).map { index in
      guard let message = messages?[index] else { return MessageRow(name: "", signature: "", types: []) }
      let signature = String(cString: message.signature)
      let count = signature.filter { $0.isLetter }.count
      return MessageRow(
        name: String(cString: message.name), signature: signature,
        types: (0..<count).map { place in message.types[place].map { String(cString: $0.pointee.name) } })
    }
  }

  init(name: String, version: Int, requests: [MessageRow], events: [MessageRow]) {
    self.name = name
    self.version = version
    self.requests = requests
    self.events = events
  }

  /// From what wayland-scanner makes of a protocol.
  static func all(inCode code: String) -> [InterfaceRow] {
    var types: [String?] = []
    if let list = code.firstMatch(of: #/_types\[\] = \{(?s:(.*?))\};/#) {
      types = list.1.split(separator: ",").compactMap { entry in
        let word = entry.trimmingCharacters(in: .whitespacesAndNewlines)
        if word.isEmpty { return nil }
        return .some(word == "NULL" ? nil : String(word.dropFirst().dropLast("_interface".count)))
      }
    }
    var lists: [String: [MessageRow]] = [:]
    for list in code.matches(of: #/wl_message (\w+)\[\] = \{(?s:(.*?))\n\};/#) {
      lists[String(list.1)] = list.2.matches(of: #/\{ "(\w+)", "([^"]*)", \w+_types \+ (\d+) \}/#).map { row in
        let count = row.2.filter(\.isLetter).count
        let start = Int(row.3) ?? 0
        return MessageRow(
          name: String(row.1), signature: String(row.2),
          types: (start..<start + count).map { types.indices.contains($0) ? types[$0] : "out of range" })
      }
    }
    return code.matches(of: #/\n\t"(\w+)", (\d+),\n\t\d+, (\w+),\n\t\d+, (\w+),/#).map { found in
      InterfaceRow(
        name: String(found.1), version: Int(found.2) ?? 0, requests: lists[String(found.3)] ?? [],
        events: lists[String(found.4)] ?? [])
    }
  }
}

@Suite("Tables of messages")
struct TableTests {
  private func expected(_ path: String) throws -> [InterfaceRow] {
    let code = try output(of: "wayland-scanner", ["private-code", path, "/dev/stdout"])
    return InterfaceRow.all(inCode: code)
  }

  @Test("the project's own protocol is what wayland-scanner reads")
  func porthole() throws {
    let rows = try expected(repository.appending(path: "protocol/porthole-v1.xml").path)
    try #require(rows.count == 14 && rows.allSatisfy { !$0.requests.isEmpty })
    #expect(rows.indices.map { InterfaceRow(PortholeV1Tables.tables.pointer($0)) } == rows)
  }

  @Test("Wayland's own protocol is what wayland-scanner reads")
  func wayland() throws {
    let folder = try output(of: "pkg-config", ["--variable=pkgdatadir", "wayland-scanner"])
    let rows = try expected(folder.trimmingCharacters(in: .whitespacesAndNewlines) + "/wayland.xml")
    try #require(rows.count > 20)
    #expect(rows.indices.map { InterfaceRow(WaylandTables.tables.pointer($0)) } == rows)
  }

  @Test("versions, nulls and descriptors stand in a signature as libwayland wants them")
  func signatures() {
    let row = InterfaceRow(ExerciseV1.table)
    #expect(row.requests.map(\.signature) == ["", "iufs?snahuu", "o?o", "", "hoh", "2i"])
    #expect(row.events.map(\.signature) == ["iufs?snahu", "o?o", "2"])
  }

  @Test("the project's own protocol obeys Wayland's document type")
  func documentType() throws {
    let path = repository.appending(path: "protocol/porthole-v1.xml").path
    for kind in ["client-header", "server-header"] {
      #expect(try output(of: "wayland-scanner", ["--strict", kind, path, "/dev/stdout"]).contains("porthole_v1"))
    }
  }

  @Test("every request, event and enumeration of the project's own protocol is described")
  func described() throws {
    let text = try String(contentsOf: repository.appending(path: "protocol/porthole-v1.xml"), encoding: .utf8)
    let heads = text.matches(of: #/<(?:request|event|enum|interface) name="(\w+)"[^>]*>\s*(<description)?/#)
    #expect(heads.count > 100)
    #expect(heads.filter { $0.2 == nil }.map { String($0.1) } == [])
  }
}

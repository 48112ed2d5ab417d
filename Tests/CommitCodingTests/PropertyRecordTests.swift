import Commit
import CommitCoding
import Foundation
import Geometry
import Testing

@Suite("Properties as records")
struct PropertyRecordTests {
  private func bytes(_ changes: [PropertyChange]) throws -> [UInt8] {
    var records = PropertyRecords()
    for change in changes { #expect(try records.append(change)) }
    return records.bytes
  }

  private func decoded(_ bytes: [UInt8]) throws(PropertyRecordError) -> [PropertyChange] {
    var changes: [PropertyChange] = []
    try bytes.span.bytes.withUnsafeBytes { (bytes) throws(PropertyRecordError) in
      try PropertyRecords.decode(bytes) { changes.append($0) }
    }
    return changes
  }

  /// A record with these numbers.
  private func record(_ key: UInt32, _ numbers: [Double], count: UInt32? = nil) -> [UInt8] {
    var bytes: [UInt8] = []
    withUnsafeBytes(of: key.littleEndian) { bytes += $0 }
    withUnsafeBytes(of: (count ?? UInt32(numbers.count)).littleEndian) { bytes += $0 }
    for number in numbers { withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes += $0 } }
    return bytes
  }

  private func fault(_ bytes: [UInt8]) -> PropertyRecordError? {
    do throws(PropertyRecordError) {
      _ = try decoded(bytes)
      return nil
    } catch {
      return error
    }
  }

  @Test("every property comes back as it was", arguments: PropertyKey.allCases)
  func roundTrip(key: PropertyKey) throws {
    var random = RandomProperties(seed: UInt64(key.rawValue))
    for _ in 0..<200 {
      let change = random.change(key)
      let back = try decoded(try bytes([change]))
      #expect(back.count == 1)
      #expect("\(back[0])" == "\(change)")
    }
  }

  @Test("a record lies as the protocol says, in the order of the changes")
  func layout() throws {
    #expect(
      try bytes([.position(Point(3, -4.5)), .isHidden(true), .sourceRect(nil)])
        == record(2, [3, -4.5]) + record(16, [1]) + record(70, []))
    #expect(try bytes([.recursion(.depth(7))]) == record(71, [1, 7]))
    #expect(
      try bytes([
        .gradient(
          Gradient(
            type: .conic, start: Point(1, 2), end: Point(3, 4), stops: [.init(location: 0.5, color: .black)]))
      ])
        == record(36, [2, 1, 2, 3, 4, 0.5, 0, 0, 0, 1]))
    #expect(try bytes([.filters([.hueRotate(degrees: 90), .invert(1)])]) == record(37, [7, 90, 5, 1]))
  }

  @Test("contents, masks and sources have no record")
  func objects() throws {
    var records = PropertyRecords()
    #expect(try !records.append(.contents(nil)))
    #expect(try !records.append(.mask(LayerID(rawValue: 3))))
    #expect(try !records.append(.sourceLayer(LayerID(rawValue: 3))))
    #expect(records.isEmpty)
  }

  @Test("what is too long for a record is refused with nothing appended")
  func tooLong() throws {
    var records = PropertyRecords()
    let stops = [Gradient.Stop](repeating: .init(location: 0, color: .white), count: 97)
    #expect(throws: PropertyRecordError.self) { try records.append(.gradient(Gradient(stops: stops))) }
    let filters = [Filter](repeating: .invert(1), count: 241)
    #expect(throws: PropertyRecordError.self) { try records.append(.filters(filters)) }
    #expect(records.isEmpty)
    #expect(try records.append(.filters([Filter](repeating: .invert(1), count: 240))))
    #expect(records.byteCount == 8 + 480 * 8)
  }

  @Test("records cut at any byte but a boundary are an error that says where")
  func truncation() throws {
    var random = RandomProperties(seed: 7)
    let parts = try PropertyKey.allCases.map { try bytes([random.change($0)]) }
    let whole = parts.flatMap(\.self)
    var boundaries: [Int: Int] = [0: 0]
    var end = 0
    for (index, part) in parts.enumerated() {
      end += part.count
      boundaries[end] = index + 1
    }
    for length in 0...whole.count {
      let cut = Array(whole[..<length])
      if let count = boundaries[length] {
        #expect(try decoded(cut).count == count)
      } else {
        let error = fault(cut)
        #expect(error?.fault == .cutShort)
        #expect(error.map { boundaries[$0.offset] != nil && $0.offset < length } == true)
      }
    }
  }

  @Test("records are read at any address")
  func unaligned() throws {
    let record = record(2, [3, -4.5])
    let padded = [0] + record
    var changes: [PropertyChange] = []
    try padded.withUnsafeBytes { bytes in
      try PropertyRecords.decode(UnsafeRawBufferPointer(rebasing: bytes.dropFirst())) { changes.append($0) }
    }
    #expect("\(changes)" == "\(try decoded(record))")
  }

  @Test(
    "what is no value of its property is an error",
    arguments: [
      (16, [0.5], .wrongValue), (16, [-0.0], .wrongValue), (16, [.nan], .wrongValue), (16, [2], .wrongValue),
      (16, [], .wrongCount), (16, [1, 1], .wrongCount), (2, [1], .wrongCount), (22, [16], .wrongValue),
      (22, [-1], .wrongValue), (22, [1.5], .wrongValue), (33, [12], .wrongValue), (35, [2], .wrongValue),
      (72, [3], .wrongValue), (73, [2], .wrongValue), (71, [0, 1], .wrongValue), (71, [2, 1], .wrongValue),
      (71, [3, 0], .wrongValue), (71, [1, 1.5], .wrongValue), (71, [1, 4e9], .wrongValue), (71, [1], .wrongCount),
      (36, [0, 0, 0, 1, 1], .wrongCount), (36, [3, 0, 0, 1, 1, 0, 0, 0, 0, 0], .wrongValue),
      (36, [Double](repeating: 0, count: 490), .wrongCount), (37, [0], .wrongCount), (37, [9, 1], .wrongCount),
      (37, [10, 1], .wrongValue), (37, [Double](repeating: 0, count: 482), .wrongCount), (70, [1], .wrongCount),
      (38, [1, 2], .wrongCount), (0, [], .unknownKey), (9, [1], .unknownKey), (.max, [], .unknownKey),
    ] as [(UInt32, [Double], PropertyRecordError.Fault)])
  func wrongValues(key: UInt32, numbers: [Double], wanted: PropertyRecordError.Fault) throws {
    let good = try bytes([.zPosition(1)])
    let error = try #require(fault(good + record(key, numbers)))
    #expect(error.fault == wanted)
    #expect(error.key == key)
    #expect(error.offset >= good.count)
    #expect(!error.description.isEmpty)
  }

  @Test("a count far beyond the bytes is an error")
  func hugeCount() {
    #expect(fault(record(2, [1, 2], count: .max))?.fault == .cutShort)
  }

  @Test("a finite number stays finite, and one that is not is passed on for the tree to name")
  func extremes() throws {
    guard case .opacity(let opacity)? = try decoded(record(17, [1e300])).first else {
      Issue.record("no opacity")
      return
    }
    #expect(opacity == .greatestFiniteMagnitude)
    guard case .zPosition(let z)? = try decoded(record(3, [.infinity])).first else {
      Issue.record("no z position")
      return
    }
    #expect(z == .infinity)
  }

  @Test("100,000 strings of random bytes are refused, or say the same again")
  func randomBytes() throws {
    var random = RandomProperties(seed: 20_261_130)
    var accepted = 0
    for round in 0..<100_000 {
      var bytes: [UInt8]
      if round % 2 == 0 {
        bytes = (0..<Int.random(in: 0..<64, using: &random.generator)).map { _ in
          UInt8.random(in: 0...255, using: &random.generator)
        }
      } else {
        // Nearly right: a record with a few bytes changed.
        let key = PropertyKey.allCases[round / 2 % PropertyKey.allCases.count]
        if [.gradient, .filters, .backdropFilters, .backdropGroup].contains(key), round % 40 != 1 { continue }
        bytes = try self.bytes([random.change(key)])
        for _ in 0..<Int.random(in: 0...2, using: &random.generator) {
          let index = Int.random(in: 0..<bytes.count, using: &random.generator)
          bytes[index] = [0, 1, 0xFF, 0x3F, 0xF0].randomElement(using: &random.generator) ?? 0
        }
      }
      guard let first = try? decoded(bytes) else { continue }
      accepted += 1
      // Numbers of single precision are rounded once, so it is what was read that must come back to the bit.
      let again = try self.bytes(first)
      #expect(again.count == bytes.count)
      #expect(again[..<min(8, again.count)] == bytes[..<min(8, bytes.count)])
      #expect(try self.bytes(try decoded(again)) == again)
    }
    #expect(accepted > 10_000)
  }

  @Test("keys are those of the protocol's XML, by number and name")
  func keysOfTheProtocol() throws {
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "protocol/porthole-v1.xml"), encoding: .utf8)
    let start = try #require(text.range(of: "<enum name=\"property\">"))
    let end = try #require(text.range(of: "</enum>", range: start.upperBound..<text.endIndex))
    var documented: [String: UInt32] = [:]
    for match in text[start.upperBound..<end.lowerBound].matches(of: #/<entry name="(\w+)" value="(\d+)"/#) {
      let words = match.1.split(separator: "_")
      let name = words[0] + words.dropFirst().map { $0.capitalized }.joined()
      documented[String(name)] = UInt32(match.2)
    }
    #expect(documented == Dictionary(uniqueKeysWithValues: PropertyKey.allCases.map { ("\($0)", $0.rawValue) }))
  }
}

extension PropertyRecords {
  var bytes: [UInt8] { withBytes { $0.withUnsafeBytes { Array($0) } } }
}

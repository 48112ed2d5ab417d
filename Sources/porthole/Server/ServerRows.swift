/// What the server tells of a client, as its document `tree` has it.
struct ServerClientRow: Decodable {
  var client: UInt64
  var name: String
  var process: Int
  var user: UInt32
  var seconds: Double
  var layers: UInt64
  var portals: UInt64
  var outputs: UInt64
  var exports: UInt64
  var sharedBytes: UInt64
  var textureBytes: UInt64
  var commits: UInt64
  var commitsRefused: UInt64
  var tree: [ServerLayerRow]
}

/// What it tells of a layer.
struct ServerLayerRow: Decodable {
  struct Contents: Decodable {
    var width: Int
    var height: Int
    var bytes: UInt64
    var uses: Int
  }

  /// A texture that the last frame drew the layer into, for portals.
  struct Picture: Decodable {
    var output: UInt64
    var width: Int
    var height: Int
    var bytes: UInt64
    var uses: Int
  }

  var layer: UInt64
  var kind: String
  var name: String
  var parent: UInt64
  var sublayers: Int
  var bounds: [Double?]
  var contents: Contents?
  var pictures: [Picture]?
  // Of portals.
  var source: UInt64?
  var isForeign: Bool?
  var sourcePlaces: Int?
  var sourceInlined: Int?

  var boundsText: String { bounds.map { $0.map(Self.number) ?? "?" }.joined(separator: " ") }

  static func number(_ value: Double) -> String {
    guard let whole = Int(exactly: value) else { return "\((value * 1000).rounded() / 1000)" }
    return "\(whole)"
  }
}

/// What it tells of an output, as its document `outputs` has it.
struct ServerOutputRow: Decodable {
  var output: UInt64
  var client: UInt64
  var width: Int
  var height: Int
  var scale: Double
  var periodNanoseconds: UInt64
  var root: UInt64
  var isSecure: Bool
  var frames: UInt64

  var rateText: String {
    periodNanoseconds == 0 ? "on demand" : ServerLayerRow.number(1e9 / Double(periodNanoseconds)) + "/s"
  }
}

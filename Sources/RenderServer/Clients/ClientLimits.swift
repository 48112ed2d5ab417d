/// How much one client may have at a time, or do in a second. `UInt64.max` is no limit.
public struct ClientLimits: Sendable, Hashable {
  /// What is limited. The numbers are those of the protocol's enum `limit`.
  public enum Kind: UInt32, Sendable, Hashable, CaseIterable {
    case layers, portals, nesting
    case sharedBytes, textureBytes
    case commitsPerSecond
    case descriptors, changes
    case outputs, outputSide
    case exports, questions

    /// As it is written on a command line: `commits_per_second`.
    public var name: String {
      switch self {
      case .layers: "layers"
      case .portals: "portals"
      case .nesting: "nesting"
      case .sharedBytes: "shared_bytes"
      case .textureBytes: "texture_bytes"
      case .commitsPerSecond: "commits_per_second"
      case .descriptors: "descriptors"
      case .changes: "changes"
      case .outputs: "outputs"
      case .outputSide: "output_side"
      case .exports: "exports"
      case .questions: "questions"
      }
    }
  }

  private var values: [UInt64]

  /// The limits of a client that nothing was said about.
  public init() {
    values = Kind.allCases.map { kind in
      switch kind {
      case .layers: 65_536
      case .portals: 16_384
      case .nesting: 128
      case .sharedBytes: 1 << 30
      case .textureBytes: 1 << 30
      case .commitsPerSecond: 1000
      case .descriptors: 64
      case .changes: 262_144
      case .outputs: 16
      case .outputSide: 8192
      case .exports: 1024
      case .questions: 256
      }
    }
  }

  public subscript(kind: Kind) -> UInt64 {
    get { values[Int(kind.rawValue)] }
    set { values[Int(kind.rawValue)] = newValue }
  }

  /// Changes limits by a text such as `layers=1000,texture_bytes=64M,changes=none`; K, M and G are powers of 1024.
  /// - Throws: for the first part that says no limit.
  public mutating func change(_ text: String) throws(OptionError) {
    for part in text.split(separator: ",", omittingEmptySubsequences: true) {
      let words = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard words.count == 2, let kind = Kind.allCases.first(where: { $0.name == words[0] }) else {
        let names = Kind.allCases.map(\.name).joined(separator: ", ")
        throw OptionError("“\(part)” is no limit; write NAME=NUMBER with one of \(names)")
      }
      guard let value = Self.number(words[1]) else {
        throw OptionError("“\(words[1])” is no number for \(kind.name); write one such as 1000, 64M or none")
      }
      self[kind] = value
    }
  }

  private static func number(_ text: String) -> UInt64? {
    if text == "none" { return .max }
    var digits = text[...]
    var shift: UInt64 = 0
    switch text.last {
    case "K": shift = 10
    case "M": shift = 20
    case "G": shift = 30
    default: break
    }
    if shift > 0 { digits = digits.dropLast() }
    guard digits.allSatisfy(\.isNumber), let number = UInt64(digits) else { return nil }
    let (value, overflow) = number.multipliedReportingOverflow(by: 1 << shift)
    return overflow ? nil : value
  }
}

/// An argument that the server can't make sense of.
public struct OptionError: Error, Sendable, Hashable, CustomStringConvertible {
  public var description: String

  public init(_ description: String) { self.description = description }
}

/// A client has more than it may have, or does more.
public struct LimitViolation: Error, Sendable, Hashable, CustomStringConvertible {
  public var kind: ClientLimits.Kind
  public var limit: UInt64

  public init(kind: ClientLimits.Kind, limit: UInt64) {
    self.kind = kind
    self.limit = limit
  }

  public var description: String {
    "more than \(limit) (limit \(kind.name)); the server's --limits sets how many are allowed"
  }
}

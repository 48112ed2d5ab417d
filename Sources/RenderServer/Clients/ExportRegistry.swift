import Commit

/// The 128 random bits by which a layer is shown by others than its owner.
public struct ExportHandle: Sendable, Hashable {
  public let high: UInt64
  public let low: UInt64

  public static let byteCount = 16

  /// From the system's random numbers (`getrandom`).
  public static func random() -> ExportHandle {
    var system = SystemRandomNumberGenerator()
    return ExportHandle(high: system.next(), low: system.next())
  }

  init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Nil for another count than 16 bytes.
  public init?(_ bytes: RawSpan) {
    guard bytes.byteCount == Self.byteCount else { return nil }
    high = bytes.unsafeLoadUnaligned(fromByteOffset: 0, as: UInt64.self)
    low = bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self)
  }

  public var bytes: [UInt64] { [high, low] }

  /// In 32 hexadecimal digits, as the library reads it.
  var hex: String {
    bytes.withUnsafeBytes { $0.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
  }
}

/// Names an export or an import for as long as the server lives. Never used twice.
public struct ExportID: Sendable, Hashable { public let number: UInt64 }
public struct ImportID: Sendable, Hashable { public let number: UInt64 }

/// Which layers their owners let others show, and who does.
///
/// A handle that was never given, was guessed, used up or revoked, or whose layer is gone, is answered by one and the same
/// nil: nothing tells them apart, since the registry itself knows only those that are good.
public struct ExportRegistry: Sendable {
  private struct Export: Sendable {
    var layer: LayerID
    var owner: ClientNumber
    /// Nil once used up.
    var handle: ExportHandle?
    var isSingleUse: Bool
    var imports: Set<ImportID> = []
  }

  private var exports: [ExportID: Export] = [:]
  private var byHandle: [ExportHandle: ExportID] = [:]
  private var byLayer: [LayerID: Set<ExportID>] = [:]
  /// The imports that are good.
  private var imports: [ImportID: ExportID] = [:]
  private var nextNumber: UInt64 = 1

  public init() {}

  /// Exports that are not revoked.
  public var exportCount: Int { exports.count }
  /// Imports that show something.
  public var importCount: Int { imports.count }

  /// Lets whoever has the handle show `layer`.
  public mutating func export(
    _ layer: LayerID, owner: ClientNumber, handle: ExportHandle, isSingleUse: Bool
  ) -> ExportID {
    let id = ExportID(number: nextNumber)
    nextNumber += 1
    exports[id] = Export(layer: layer, owner: owner, handle: handle, isSingleUse: isSingleUse)
    byHandle[handle] = id
    byLayer[layer, default: []].insert(id)
    return id
  }

  /// Turns a handle into an import; nil for any that is not good.
  public mutating func redeem(_ handle: ExportHandle) -> (id: ImportID, export: ExportID)? {
    guard let id = byHandle[handle], var export = exports[id] else { return nil }
    let made = ImportID(number: nextNumber)
    nextNumber += 1
    export.imports.insert(made)
    if export.isSingleUse {
      byHandle[handle] = nil
      export.handle = nil
    }
    exports[id] = export
    imports[made] = id
    return (made, id)
  }

  /// An import by the operator, without a handle; nil for a layer that nobody exports.
  public mutating func redeem(exportOf layer: LayerID) -> (id: ImportID, export: ExportID)? {
    guard let id = byLayer[layer]?.min(by: { $0.number < $1.number }) else { return nil }
    let made = ImportID(number: nextNumber)
    nextNumber += 1
    exports[id]?.imports.insert(made)
    imports[made] = id
    return (made, id)
  }

  /// The layer of an export; nil once it is revoked.
  public func layer(of export: ExportID) -> LayerID? { exports[export]?.layer }

  /// What an import stands for; nil where it is not good.
  public func export(of id: ImportID) -> ExportID? { imports[id] }

  /// The importer lets go. What it shows by the export goes on.
  public mutating func drop(_ id: ImportID) {
    if let export = imports.removeValue(forKey: id) { exports[export]?.imports.remove(id) }
  }

  /// Takes an export back, and gives the imports that have nothing to show from now on.
  public mutating func revoke(_ id: ExportID) -> [ImportID] {
    guard let export = exports.removeValue(forKey: id) else { return [] }
    if let handle = export.handle { byHandle[handle] = nil }
    byLayer[export.layer]?.remove(id)
    if byLayer[export.layer]?.isEmpty == true { byLayer[export.layer] = nil }
    for lost in export.imports { imports[lost] = nil }
    return export.imports.sorted { $0.number < $1.number }
  }

  /// The exports of a layer, to be revoked when it is gone.
  public func exports(of layer: LayerID) -> [ExportID] {
    guard let ids = byLayer[layer] else { return [] }
    return ids.sorted { $0.number < $1.number }
  }

  /// Every export: its layer and owner, for the operator. No handles.
  public var list: [(export: ExportID, layer: LayerID, owner: ClientNumber, imports: Int)] {
    exports.map { ($0.key, $0.value.layer, $0.value.owner, $0.value.imports.count) }
      .sorted { $0.0.number < $1.0.number }
  }
}

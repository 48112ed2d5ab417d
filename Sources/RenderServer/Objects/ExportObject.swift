import WaylandProtocol

/// A client's `porthole_export_v1`: its end takes the handle back.
final class ExportObject: PortholeExportV1.RequestHandler {
  private let session: ClientSession
  private let id: ExportID
  var resource: Resource<PortholeExportV1>?

  init(_ session: ClientSession, _ id: ExportID) {
    self.session = session
    self.id = id
  }

  func destroyed(_ resource: Resource<PortholeExportV1>) {
    self.resource = nil
    session.server.exports[id] = nil
    guard !session.isEnded else { return }
    session.server.tell(session.server.tree.revoke(id, of: session.member))
    session.server.treeChanged()
  }
}

/// A client's `porthole_import_v1`.
final class ImportObject: PortholeImportV1.RequestHandler {
  private let session: ClientSession
  private let id: ImportID?
  /// What portals of it show; nil where the handle was not good.
  let export: ExportID?
  private var resource: Resource<PortholeImportV1>?

  private init(_ session: ClientSession, _ made: (id: ImportID, export: ExportID)?) {
    self.session = session
    id = made?.id
    export = made?.export
  }

  /// Makes the object and answers: whether there is something to show, and nothing of why there is not.
  static func create(
    _ session: ClientSession, _ id: consuming NewID<PortholeImportV1>, _ made: (id: ImportID, export: ExportID)?
  ) throws(ProtocolViolation) {
    let object = ImportObject(session, made)
    let resource = try id.create(object)
    object.resource = resource
    guard let made else { return resource.sendUnavailable() }
    session.server.imports[made.id] = object
    session.server.exports[made.export]?.resource?.sendRedeemed()
    resource.sendAvailable()
  }

  func becomeUnavailable() { resource?.sendUnavailable() }

  func destroyed(_ resource: Resource<PortholeImportV1>) {
    self.resource = nil
    if let id { session.server.imports[id] = nil }
    // A client that has left leaves its imports behind all the same.
    session.server.tree.drop(id, of: session.member)
  }
}

/// A client's `porthole_hit_v1`; everything is told at once.
final class HitObject: PortholeHitV1.RequestHandler {}

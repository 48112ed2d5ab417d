import WaylandProtocol

/// Another process's layer, to be the `sourceLayer` of portals. It stands in no tree, and its own properties mean nothing.
///
/// Only the connection that it was imported by can show it; elsewhere its portals are empty.
public final class ImportedLayer: Layer {
  public enum Availability: Sendable, Hashable {
    /// The server has not answered yet.
    case unknown
    /// Portals show the layer.
    case available
    /// The handle was never good or is so no more; portals of it are empty for good.
    case unavailable
  }

  public internal(set) var availability = Availability.unknown {
    didSet { if availability != oldValue { whenAvailabilityChanged?(availability) } }
  }
  /// Called on the connection's thread, whenever it hears from the server.
  public var whenAvailabilityChanged: ((Availability) -> Void)?

  public let handle: LayerHandle

  init(_ handle: LayerHandle) {
    self.handle = handle
    super.init()
  }

  /// What the server's events are heard by; it doesn't keep the layer alive.
  final class Listener: PortholeImportV1.EventHandler {
    private weak var layer: ImportedLayer?

    init(_ layer: ImportedLayer) { self.layer = layer }

    func available(_ proxy: Proxy<PortholeImportV1>) { layer?.availability = .available }
    func unavailable(_ proxy: Proxy<PortholeImportV1>) { layer?.availability = .unavailable }
  }
}

import CWayland

/// An interface of a protocol: a namespace that generated code fills.
public protocol WaylandInterface {
  /// As the wire has it, such as `porthole_layer_v1`.
  static var name: String { get }
  /// The newest version that the XML describes.
  static var version: UInt32 { get }
  /// What libwayland knows of it; valid as long as the process.
  static var table: UnsafePointer<wl_interface> { get }

  /// What a server's object implements: `any RequestHandler`.
  associatedtype Requests
  /// What a client's object implements: `any EventHandler`.
  associatedtype Events

  static var requestDispatcher: wl_dispatcher_func_t { get }
  static var eventDispatcher: wl_dispatcher_func_t { get }
  static func tellDestroyed(_ resource: Resource<Self>, _ handler: Requests)
}

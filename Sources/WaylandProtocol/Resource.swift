import CWayland
import CWaylandShim

/// An object at the server's end, of whatever interface. It belongs to the thread of its display.
///
/// The client can destroy the object at any time, and ends it with its connection; then `pointer` is nil, and everything
/// here does nothing.
public class AnyResource {
  public fileprivate(set) final var pointer: OpaquePointer?
  /// The version that the client has bound.
  public final let version: UInt32
  /// The object's number on the wire, for people and statistics; the client's end has the same.
  public final let number: UInt32

  fileprivate init(pointer: OpaquePointer, version: UInt32) {
    self.pointer = pointer
    self.version = version
    self.number = wl_resource_get_id(pointer)
  }

  public final var isAlive: Bool { pointer != nil }

  /// Whose it is; nil when it is gone.
  public final var client: ServerClient? { pointer.flatMap { ServerClient.of(wl_resource_get_client($0)) } }

  /// Ends the connection with this error, posted on this object.
  public final func post(_ violation: ProtocolViolation) {
    guard let pointer else { return }
    switch violation.kind {
    case .code(let code): cwayland_post_error(pointer, code, violation.shortened)
    case .noMemory: wl_resource_post_no_memory(pointer)
    case .exhausted: client?.refuse(violation)
    }
  }

  /// Ends the object without the client's asking. The client is to be told before by an event that the protocol has for it.
  public final func destroy() {
    if let pointer { wl_resource_destroy(pointer) }
  }

  /// For generated code.
  @inline(__always)
  public final func post(_ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>?) {
    guard let pointer else { return }
    wl_resource_post_event_array(pointer, opcode, arguments)
  }

  /// libwayland has destroyed the object.
  fileprivate func wasDestroyed() {}

  fileprivate static let whenDestroyed: wl_resource_destroy_func_t = { pointer in
    guard let data = wl_resource_get_user_data(pointer) else { return }
    // Undoes what `Resource.init` retained.
    let resource = Unmanaged<AnyResource>.fromOpaque(data).takeRetainedValue()
    resource.pointer = nil
    resource.wasDestroyed()
  }
}

/// An object at the server's end. It keeps its handler, which hears the client's requests, until it is destroyed.
public final class Resource<Interface: WaylandInterface>: AnyResource {
  public private(set) var handler: Interface.Requests?

  /// - Parameter id: the client's number for the object, or 0 for one that the server makes.
  fileprivate init?(client: OpaquePointer, id: UInt32, version: UInt32, handler: Interface.Requests) {
    guard let pointer = wl_resource_create(client, Interface.table, Int32(clamping: version), id) else { return nil }
    self.handler = handler
    super.init(pointer: pointer, version: version)
    wl_resource_set_dispatcher(
      pointer, Interface.requestDispatcher, Interface.table, Unmanaged<AnyResource>.passRetained(self).toOpaque(),
      AnyResource.whenDestroyed)
  }

  /// An object that the server makes, to be sent in an event.
  public convenience init?(for client: ServerClient, version: UInt32, handler: Interface.Requests) {
    guard let pointer = client.pointer else { return nil }
    self.init(client: pointer, id: 0, version: version, handler: handler)
  }

  /// The resource of a pointer that libwayland gives; nil if it is of another interface or not ours.
  @inline(__always)
  static func existing(_ pointer: OpaquePointer) -> Resource<Interface>? {
    guard wl_resource_instance_of(pointer, Interface.table, Interface.table) != 0,
      let data = wl_resource_get_user_data(pointer)
    else { return nil }
    return unsafeDowncast(Unmanaged<AnyResource>.fromOpaque(data).takeUnretainedValue(), to: Resource<Interface>.self)
  }

  fileprivate override func wasDestroyed() {
    guard let handler else { return }
    self.handler = nil
    Interface.tellDestroyed(self, handler)
  }
}

/// An object that a request makes, before the server has made it. Let go of without `create`, it stays unknown, and the
/// client's next word to it is a protocol error.
public struct NewID<Interface: WaylandInterface>: ~Copyable {
  private let client: OpaquePointer?
  public let number: UInt32
  public let version: UInt32

  /// For generated code: the version is that of the object that the request was sent to.
  public init(_ number: UInt32, from parent: AnyResource) {
    self.client = parent.pointer.flatMap { wl_resource_get_client($0) }
    self.number = number
    self.version = parent.version
  }

  init(_ number: UInt32, client: OpaquePointer, version: UInt32) {
    self.client = client
    self.number = number
    self.version = version
  }

  /// Makes the object, with what hears its requests.
  /// - Throws: `noMemory`.
  @discardableResult
  public consuming func create(_ handler: Interface.Requests) throws(ProtocolViolation) -> Resource<Interface> {
    guard let client, let made = Resource<Interface>(client: client, id: number, version: version, handler: handler)
    else { throw .noMemory }
    return made
  }
}

/// For generated code: has a request handled, and ends the connection for what the handler throws.
public func dispatchRequest<I: WaylandInterface>(
  _: I.Type, _ target: UnsafeMutableRawPointer?, _ message: UnsafePointer<wl_message>?,
  _ arguments: UnsafeMutablePointer<wl_argument>?,
  _ body: (Resource<I>, I.Requests, WireArguments) throws(ProtocolViolation) -> Void
) -> Int32 {
  guard let target, let resource = Resource<I>.existing(OpaquePointer(target)), let handler = resource.handler,
    let arguments
  else {
    WireArguments.closeDescriptors(message, arguments)
    return 0
  }
  do throws(ProtocolViolation) {
    try body(resource, handler, WireArguments(arguments))
  } catch {
    resource.post(error)
  }
  return 0
}

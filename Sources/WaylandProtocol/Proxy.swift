import CWayland

/// An object at the client's end, of whatever interface. It belongs to the thread of its connection.
public class AnyProxy {
  /// Nil when the object was let go of.
  public fileprivate(set) final var pointer: OpaquePointer?
  public final let connection: ClientConnection
  /// libwayland's own display is not ours to destroy.
  private let isBorrowed: Bool

  /// What tells our proxies from those of others on the same connection.
  fileprivate static nonisolated(unsafe) let tag: UnsafeMutablePointer<UnsafePointer<CChar>?> = {
    let tag = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: 1)
    tag.initialize(to: nil)
    return tag
  }()

  fileprivate init(pointer: OpaquePointer?, connection: ClientConnection, isBorrowed: Bool) {
    self.pointer = pointer
    self.connection = connection
    self.isBorrowed = isBorrowed
  }

  deinit {
    if let pointer, !isBorrowed { wl_proxy_destroy(pointer) }
  }

  public final var isAlive: Bool { pointer != nil }

  /// The version in use; 0 when the object is gone.
  public final var version: UInt32 { pointer.map { wl_proxy_get_version($0) } ?? 0 }

  /// The object's number on the wire; 0 when it is gone.
  public final var number: UInt32 { pointer.map { wl_proxy_get_id($0) } ?? 0 }

  /// Lets go of the object without a word to the server: for objects that have no destructor.
  public func abandon() {
    guard let pointer, !isBorrowed else { return }
    self.pointer = nil
    wl_proxy_destroy(pointer)
  }

  /// The proxy of a pointer that libwayland gives; nil if it is not ours.
  static func existing(_ pointer: OpaquePointer) -> AnyProxy? {
    guard wl_proxy_get_tag(pointer) == UnsafePointer(tag), let data = wl_proxy_get_user_data(pointer) else {
      return nil
    }
    return Unmanaged<AnyProxy>.fromOpaque(data).takeUnretainedValue()
  }

  /// For generated code: sends a request.
  @inline(__always)
  public final func request(
    _ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>?, isDestructor: Bool = false
  ) {
    guard let pointer else { return }
    wl_proxy_marshal_array_flags(
      pointer, opcode, nil, wl_proxy_get_version(pointer), isDestructor ? UInt32(WL_MARSHAL_FLAG_DESTROY) : 0,
      arguments)
    if isDestructor { forget() }
  }

  /// For generated code: sends a request that makes an object.
  public final func construct<Made: WaylandInterface>(
    _: Made.Type, _ opcode: UInt32, _ arguments: UnsafeMutablePointer<wl_argument>?, version: UInt32
  ) -> Proxy<Made> {
    guard let pointer else { return .dead(connection) }
    let made = wl_proxy_marshal_array_flags(pointer, opcode, Made.table, version, 0, arguments)
    return Proxy(adopting: made, connection: connection)
  }

  /// The pointer is libwayland's no more.
  fileprivate func forget() { pointer = nil }
}

/// An object at the client's end. It keeps its handler, which hears the server's events, until it is destroyed or let go
/// of; the owner keeps the proxy.
public final class Proxy<Interface: WaylandInterface>: AnyProxy {
  /// Who hears events; those that come while there is none are lost.
  public var handler: Interface.Events?

  /// Takes over an object; with nil, one that is gone already.
  init(adopting pointer: OpaquePointer?, connection: ClientConnection) {
    super.init(pointer: pointer, connection: connection, isBorrowed: false)
    guard let pointer else { return }
    wl_proxy_set_tag(pointer, UnsafePointer(AnyProxy.tag))
    wl_proxy_add_dispatcher(
      pointer, Interface.eventDispatcher, nil, Unmanaged<AnyProxy>.passUnretained(self).toOpaque())
  }

  init(borrowing pointer: OpaquePointer?, connection: ClientConnection) {
    super.init(pointer: pointer, connection: connection, isBorrowed: true)
  }

  /// For generated code: what a request gives that could not be sent. Everything it is asked does nothing.
  public static func dead(_ connection: ClientConnection) -> Proxy<Interface> {
    Proxy(adopting: nil, connection: connection)
  }

  public override func abandon() {
    handler = nil
    super.abandon()
  }

  fileprivate override func forget() {
    handler = nil
    super.forget()
  }
}

/// For generated code: has an event handled.
public func dispatchEvent<I: WaylandInterface>(
  _: I.Type, _ target: UnsafeMutableRawPointer?, _ message: UnsafePointer<wl_message>?,
  _ arguments: UnsafeMutablePointer<wl_argument>?, _ body: (Proxy<I>, I.Events, WireArguments) -> Void
) -> Int32 {
  guard let target, let arguments, let proxy = AnyProxy.existing(OpaquePointer(target)) as? Proxy<I>,
    let handler = proxy.handler
  else {
    WireArguments.closeDescriptors(message, arguments)
    return 0
  }
  body(proxy, handler, WireArguments(arguments))
  return 0
}

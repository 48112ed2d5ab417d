import CWayland
import CWaylandShim

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client's connection as the server has it, from its first byte to its end.
public final class ServerClient {
  /// Nil when the connection has ended.
  private(set) var pointer: OpaquePointer?
  public let process: Int32
  public let user: UInt32
  public let group: UInt32
  /// The server's own of this client.
  public var state: AnyObject?
  /// Called once, when the connection has ended and before its objects are destroyed.
  public var whenEnded: ((ServerClient) -> Void)?

  /// What libwayland calls when the client goes; the listener comes first, so that its address is the hook's.
  private struct Hook {
    var listener: wl_listener
    var client: Unmanaged<ServerClient>
  }

  private static let whenDestroyed: wl_notify_func_t = { listener, _ in
    guard let listener else { return }
    let hook = UnsafeMutableRawPointer(listener).assumingMemoryBound(to: Hook.self)
    let client = hook.pointee.client.takeRetainedValue()
    wl_list_remove(&hook.pointee.listener.link)
    hook.deallocate()
    client.whenEnded?(client)
    client.whenEnded = nil
    client.pointer = nil
    client.state = nil
  }

  private init(_ pointer: OpaquePointer) {
    self.pointer = pointer
    var (process, user, group): (pid_t, uid_t, gid_t) = (0, 0, 0)
    wl_client_get_credentials(pointer, &process, &user, &group)
    self.process = process
    self.user = user
    self.group = group
    let hook = UnsafeMutablePointer<Hook>.allocate(capacity: 1)
    hook.initialize(to: Hook(listener: wl_listener(), client: .passRetained(self)))
    hook.pointee.listener.notify = Self.whenDestroyed
    UnsafeMutableRawPointer(hook).withMemoryRebound(to: wl_listener.self, capacity: 1) { listener in
      wl_client_add_destroy_listener(pointer, listener)
    }
  }

  /// The one object that stands for the connection; made when it is first asked for.
  static func of(_ pointer: OpaquePointer) -> ServerClient {
    guard let listener = wl_client_get_destroy_listener(pointer, whenDestroyed) else { return ServerClient(pointer) }
    return UnsafeMutableRawPointer(listener).assumingMemoryBound(to: Hook.self).pointee.client.takeUnretainedValue()
  }

  public var isAlive: Bool { pointer != nil }

  /// Ends the connection at once.
  public func disconnect() {
    if let pointer { wl_client_destroy(pointer) }
  }

  /// Ends the connection with an error, where there is no object yet that it could be posted on: on the display, with the
  /// code that Wayland has for a call that can't be right, or for what the server has no memory for.
  func refuse(_ violation: ProtocolViolation) {
    guard let pointer, let display = wl_client_get_object(pointer, 1) else { return }
    cwayland_post_error(display, violation.kind == .exhausted ? 2 : 1, violation.shortened)
  }

  /// What the system holds of what was sent and the client has not read, in bytes with what they take besides; 0 when the
  /// connection has ended. A socket is full, and its client ended, at some 200,000.
  public var unreadByteCount: Int {
    guard let pointer else { return 0 }
    var count: Int32 = 0
    return ioctl(wl_client_get_fd(pointer), UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
  }

  /// Sends what is waiting to be sent.
  public func flush() {
    if let pointer { wl_client_flush(pointer) }
  }
}

import CWayland
import LinuxIO

/// The server's end of all connections. It belongs to one thread, which waits for `pollDescriptor` to become readable,
/// calls `dispatch`, and calls `flush` before it waits again.
public final class ServerDisplay {
  private var pointer: OpaquePointer?
  private var globals: [AnyObject] = []

  /// Called for each client before it is served.
  public var whenConnected: ((ServerClient) -> Void)?
  /// Whether a client may see a global, by the name of its interface; nil shows everything to everybody.
  public var isVisible: ((ServerClient, String) -> Bool)?

  /// The listener comes first, so that its address is the hook's.
  private struct Hook {
    var listener: wl_listener
    var display: Unmanaged<ServerDisplay>
  }
  private let hook: UnsafeMutablePointer<Hook>

  /// - Throws: `wl_display_create`, with what the system says.
  public init() throws(SystemCallError) {
    guard let pointer = wl_display_create() else { throw SystemCallError.last("wl_display_create") }
    self.pointer = pointer
    hook = .allocate(capacity: 1)
    hook.initialize(to: Hook(listener: wl_listener(), display: .passUnretained(self)))
    hook.pointee.listener.notify = { listener, data in
      guard let listener, let data else { return }
      let hook = UnsafeMutableRawPointer(listener).assumingMemoryBound(to: Hook.self)
      let display = hook.pointee.display.takeUnretainedValue()
      display.whenConnected?(ServerClient.of(OpaquePointer(data)))
    }
    UnsafeMutableRawPointer(hook).withMemoryRebound(to: wl_listener.self, capacity: 1) { listener in
      wl_display_add_client_created_listener(pointer, listener)
    }
    wl_display_set_global_filter(
      pointer,
      { client, global, data in
        guard let client, let global, let data else { return false }
        let display = Unmanaged<ServerDisplay>.fromOpaque(data).takeUnretainedValue()
        guard let isVisible = display.isVisible, let table = wl_global_get_interface(global) else { return true }
        return isVisible(ServerClient.of(client), String(cString: table.pointee.name))
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  deinit { close() }

  /// Ends every connection, and everything here does nothing after it.
  public func close() {
    guard let pointer else { return }
    wl_display_destroy_clients(pointer)
    self.pointer = nil
    wl_list_remove(&hook.pointee.listener.link)
    hook.deallocate()
    wl_display_destroy(pointer)
    globals = []
  }

  /// To wait for; -1 after `close`.
  public var pollDescriptor: Int32 { pointer.map { wl_event_loop_get_fd(wl_display_get_event_loop($0)) } ?? -1 }

  /// Handles everything that clients have sent, without waiting.
  public func dispatch() {
    guard let pointer else { return }
    wl_event_loop_dispatch(wl_display_get_event_loop(pointer), 0)
  }

  /// Sends what is waiting to be sent to clients.
  public func flush() {
    if let pointer { wl_display_flush_clients(pointer) }
  }

  /// Serves a connected socket.
  @discardableResult
  public func serve(_ socket: consuming FileDescriptor) throws(SystemCallError) -> ServerClient {
    let fd = socket.release()
    guard let pointer, let client = wl_client_create(pointer, fd) else {
      let error = SystemCallError.last("wl_client_create")
      _ = FileDescriptor(adopting: fd)
      throw error
    }
    return ServerClient.of(client)
  }

  /// Serves everyone who connects to a socket that is bound and listens.
  public func listen(_ socket: consuming FileDescriptor) throws(SystemCallError) {
    let fd = socket.release()
    guard let pointer, wl_display_add_socket_fd(pointer, fd) == 0 else {
      let error = SystemCallError.last("wl_display_add_socket_fd")
      _ = FileDescriptor(adopting: fd)
      throw error
    }
  }

  /// Offers a global to clients. `bind` makes the object, and can refuse by what it throws.
  public func offer<I: WaylandInterface>(
    _: I.Type, version: UInt32 = I.version, bind: @escaping (consuming NewID<I>) throws(ProtocolViolation) -> Void
  ) throws(SystemCallError) {
    let binder = Binder { (client, number, version) throws(ProtocolViolation) in
      try bind(NewID<I>(number, client: client, version: version))
    }
    guard let pointer,
      wl_global_create(
        pointer, I.table, Int32(clamping: min(version, I.version)), Unmanaged.passUnretained(binder).toOpaque(),
        Binder.function) != nil
    else { throw SystemCallError.last("wl_global_create") }
    globals.append(binder)
  }
}

/// What makes a global's objects.
private final class Binder {
  let bind: (OpaquePointer, UInt32, UInt32) throws(ProtocolViolation) -> Void

  init(_ bind: @escaping (OpaquePointer, UInt32, UInt32) throws(ProtocolViolation) -> Void) { self.bind = bind }

  static let function: wl_global_bind_func_t = { client, data, version, number in
    guard let client, let data else { return }
    do throws(ProtocolViolation) {
      try Unmanaged<Binder>.fromOpaque(data).takeUnretainedValue().bind(client, number, version)
    } catch {
      switch error.kind {
      case .code, .exhausted:
        // There is no object yet that an error could be posted on.
        ServerClient.of(client).refuse(error)
      case .noMemory: wl_client_post_no_memory(client)
      }
    }
  }
}

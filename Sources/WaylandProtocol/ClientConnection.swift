import CWayland
import LinuxIO

/// Why a connection to a server is of no use any more.
public enum ConnectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What this client sent breaks the protocol. The code is of the error enum that the interface's description names.
  case violation(interface: String, object: UInt32, code: UInt32)
  case failed(SystemCallError)

  public var description: String {
    switch self {
    case .violation(let interface, let object, let code):
      "the server ended the connection with error \(code) on \(interface)@\(object); its log says more"
    case .failed(let error): "the connection to the server is gone: \(error)"
    }
  }
}

/// The client's end of a connection. It belongs to one thread. Proxies keep it alive.
public final class ClientConnection {
  private let pointer: OpaquePointer

  /// Takes over a connected socket.
  public init(adopting socket: consuming FileDescriptor) throws(ConnectionError) {
    guard let pointer = wl_display_connect_to_fd(socket.release()) else {
      throw .failed(SystemCallError.last("wl_display_connect_to_fd"))
    }
    self.pointer = pointer
  }

  deinit { wl_display_disconnect(pointer) }

  /// The object that everything begins with.
  public var display: Proxy<WlDisplay> { Proxy(borrowing: pointer, connection: self) }

  /// To wait for, before `read`.
  public var pollDescriptor: Int32 { wl_display_get_fd(pointer) }

  /// Why the connection ended; nil while it is good.
  public var error: ConnectionError? {
    let code = wl_display_get_error(pointer)
    guard code != 0 else { return nil }
    var table: UnsafePointer<wl_interface>?
    var object: UInt32 = 0
    let violation = wl_display_get_protocol_error(pointer, &table, &object)
    guard code == SystemCallError.protocolErrno else {
      return .failed(SystemCallError(call: "the wire", errno: code))
    }
    return .violation(
      interface: table.map { String(cString: $0.pointee.name) } ?? "wl_display", object: object, code: violation)
  }

  /// Sends what is waiting to be sent. False: not all of it; wait until the descriptor is writable and call again.
  @discardableResult
  public func flush() throws(ConnectionError) -> Bool {
    if wl_display_flush(pointer) >= 0 { return true }
    if wl_display_get_error(pointer) == 0 { return false }
    throw currentError
  }

  /// Calls handlers for what was read already, and says how many events there were.
  @discardableResult
  public func dispatchPending() throws(ConnectionError) -> Int {
    let count = wl_display_dispatch_pending(pointer)
    guard count >= 0 else { throw currentError }
    return Int(count)
  }

  /// Reads what has come, without waiting, and calls handlers for it.
  public func read() throws(ConnectionError) {
    while wl_display_prepare_read(pointer) != 0 { try dispatchPending() }
    _ = wl_display_flush(pointer)
    // The socket doesn't block: nothing to read is no error.
    guard wl_display_read_events(pointer) == 0 else { throw currentError }
    try dispatchPending()
  }

  /// Sends everything, then waits for events and calls handlers.
  public func dispatch() throws(ConnectionError) {
    guard wl_display_dispatch(pointer) >= 0 else { throw currentError }
  }

  /// Waits until the server has handled everything sent so far, and calls handlers meanwhile.
  public func roundtrip() throws(ConnectionError) {
    guard wl_display_roundtrip(pointer) >= 0 else { throw currentError }
  }

  private var currentError: ConnectionError { error ?? .failed(SystemCallError.last("the wire")) }
}

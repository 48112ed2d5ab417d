import CWayland
import CWaylandShim
import LinuxIO

/// The arguments of a message that came, for generated code. libwayland has checked that there are as many as the
/// signature says, and of those kinds.
public struct WireArguments {
  private let values: UnsafeMutablePointer<wl_argument>

  init(_ values: UnsafeMutablePointer<wl_argument>) { self.values = values }

  public func int(_ index: Int) -> Int32 { values[index].i }
  public func uint(_ index: Int) -> UInt32 { values[index].u }
  public func fixed(_ index: Int) -> WireFixed { WireFixed(rawValue: values[index].f) }

  /// Bytes that are no UTF-8 are replaced.
  public func string(_ index: Int) -> String { optionalString(index) ?? "" }
  public func optionalString(_ index: Int) -> String? { values[index].s.map { String(cString: $0) } }

  /// Valid until the handler returns.
  public func bytes(_ index: Int) -> UnsafeRawBufferPointer {
    guard let array = values[index].a, let data = array.pointee.data else {
      return UnsafeRawBufferPointer(start: nil, count: 0)
    }
    return UnsafeRawBufferPointer(start: data, count: array.pointee.size)
  }

  /// The receiver owns it, and it is taken once.
  public func descriptor(_ index: Int) -> FileDescriptor {
    defer { values[index].h = -1 }
    return FileDescriptor(adopting: values[index].h)
  }

  // MARK: Objects at the server

  public func resource<I: WaylandInterface>(_ index: Int, _: I.Type) throws(ProtocolViolation) -> Resource<I> {
    guard let resource = try optionalResource(index, I.self) else { throw .foreignObject }
    return resource
  }

  public func optionalResource<I: WaylandInterface>(
    _ index: Int, _: I.Type
  ) throws(ProtocolViolation) -> Resource<I>? {
    guard let pointer = values[index].o else { return nil }
    guard let resource = Resource<I>.existing(pointer) else { throw .foreignObject }
    return resource
  }

  // MARK: Objects at the client

  /// Nil also for an object that the client has let go of.
  public func proxy<I: WaylandInterface>(_ index: Int, _: I.Type) -> Proxy<I>? {
    anyProxy(index).flatMap { $0 as? Proxy<I> }
  }

  public func anyProxy(_ index: Int) -> AnyProxy? { values[index].o.flatMap(AnyProxy.existing) }

  /// An object that the server has made.
  public func newProxy<I: WaylandInterface>(_ index: Int, _: I.Type, from parent: AnyProxy) -> Proxy<I> {
    Proxy(adopting: values[index].o, connection: parent.connection)
  }

  /// Closes the descriptors of a message that nobody hears.
  static func closeDescriptors(_ message: UnsafePointer<wl_message>?, _ values: UnsafeMutablePointer<wl_argument>?) {
    guard let values, var letter = message?.pointee.signature else { return }
    let arguments = WireArguments(values)
    var index = 0
    while letter.pointee != 0 {
      switch UInt8(bitPattern: letter.pointee) {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "?"): break
      case UInt8(ascii: "h"):
        _ = arguments.descriptor(index)
        index += 1
      default: index += 1
      }
      letter += 1
    }
  }
}

// MARK: On the way out

/// Lends an array's bytes to a message, without a copy.
@inline(__always)
public func withWireArray<Result>(_ span: RawSpan, _ body: (UnsafeMutablePointer<wl_array>) -> Result) -> Result {
  span.withUnsafeBytes { bytes in
    // libwayland reads the bytes and writes nothing.
    var array = wl_array(
      size: bytes.count, alloc: bytes.count, data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
    return withUnsafeMutablePointer(to: &array, body)
  }
}

/// Lends a string's bytes to a message, or none.
@inline(__always)
public func withWireString<Result>(_ string: String?, _ body: (UnsafePointer<CChar>?) -> Result) -> Result {
  guard let string else { return body(nil) }
  return string.withCString(body)
}

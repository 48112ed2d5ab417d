import CWayland

/// The interfaces of one protocol in the form that libwayland reads. They refer to each other, so they are made together;
/// they are never freed.
public struct InterfaceTables: @unchecked Sendable {
  /// One message: its signature in libwayland's letters and, for each letter, the interface of an object.
  public struct Message {
    let name: StaticString
    let signature: StaticString
    let types: [Reference]

    public init(name: StaticString, signature: StaticString, types: [Reference]) {
      self.name = name
      self.signature = signature
      self.types = types
    }
  }

  public struct Interface {
    let name: StaticString
    let version: Int32
    let requests: [Message]
    let events: [Message]

    public init(name: StaticString, version: Int32, requests: [Message], events: [Message]) {
      self.name = name
      self.version = version
      self.requests = requests
      self.events = events
    }
  }

  public enum Reference {
    /// Of no interface, or of any.
    case none
    /// By its index in the same tables.
    case local(Int)
    case table(UnsafePointer<wl_interface>)
  }

  // Unchecked: written here, before anybody has them, and never again.
  private let interfaces: UnsafeMutablePointer<wl_interface>

  public init(_ descriptions: [Interface]) {
    interfaces = .allocate(capacity: max(1, descriptions.count))
    for (index, description) in descriptions.enumerated() {
      (interfaces + index).initialize(
        to: wl_interface(
          name: Self.text(description.name), version: description.version,
          method_count: Int32(description.requests.count), methods: messages(description.requests),
          event_count: Int32(description.events.count), events: messages(description.events)))
    }
  }

  public func pointer(_ index: Int) -> UnsafePointer<wl_interface> { UnsafePointer(interfaces + index) }

  private func messages(_ descriptions: [Message]) -> UnsafePointer<wl_message>? {
    guard !descriptions.isEmpty else { return nil }
    let messages = UnsafeMutablePointer<wl_message>.allocate(capacity: descriptions.count)
    for (index, description) in descriptions.enumerated() {
      // Never empty, so that libwayland finds an address even for a message without arguments.
      let types = UnsafeMutablePointer<UnsafePointer<wl_interface>?>.allocate(
        capacity: max(1, description.types.count))
      types.initialize(repeating: nil, count: max(1, description.types.count))
      for (place, reference) in description.types.enumerated() {
        switch reference {
        case .none: break
        case .local(let index): types[place] = pointer(index)
        case .table(let other): types[place] = other
        }
      }
      (messages + index).initialize(
        to: wl_message(
          name: Self.text(description.name), signature: Self.text(description.signature), types: types))
    }
    return UnsafePointer(messages)
  }

  private static func text(_ literal: StaticString) -> UnsafePointer<CChar> {
    UnsafeRawPointer(literal.utf8Start).assumingMemoryBound(to: CChar.self)
  }
}

import CLinux

/// A file descriptor that several hold; closed when the last lets go of it.
public final class SharedDescriptor: Sendable {
  public let descriptor: FileDescriptor

  public init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

  /// Whether it is a fence of a driver's, which is passed some time.
  public static func isFence(_ descriptor: borrowing FileDescriptor) -> Bool {
    clinux_is_fence(descriptor.rawValue) != 0
  }

  public var rawValue: Int32 { descriptor.rawValue }
}

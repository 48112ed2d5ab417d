import CLinux

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Memory of our own to share: anonymous, mapped for reading and writing, sealed so that it can't be made smaller and
/// whoever maps it is safe.
public struct SharedMemory: ~Copyable {
  /// To send to another process.
  public let descriptor: FileDescriptor
  private let base: UnsafeMutableRawPointer
  public let byteCount: Int

  /// - Parameter name: for people, as `/proc` shows it.
  public init(name: String = "porthole", byteCount: Int) throws(SystemCallError) {
    guard byteCount > 0 else { throw SystemCallError(call: "memfd_create", errno: EINVAL) }
    let descriptor = FileDescriptor(adopting: clinux_create_memory(name))
    guard descriptor.isValid else { throw .last("memfd_create") }
    guard ftruncate(descriptor.rawValue, off_t(byteCount)) == 0 else { throw .last("ftruncate") }
    guard clinux_seal_against_shrinking(descriptor.rawValue) == 0 else { throw .last("fcntl(F_ADD_SEALS)") }
    guard
      let base = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.rawValue, 0), base != MAP_FAILED
    else { throw .last("mmap") }
    self.descriptor = descriptor
    self.base = base
    self.byteCount = byteCount
  }

  deinit { munmap(base, byteCount) }

  /// The bytes, which the other end may read or write at the same time.
  public borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeMutableRawBufferPointer(start: base, count: byteCount))
  }
}

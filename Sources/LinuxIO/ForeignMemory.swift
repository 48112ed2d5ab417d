import CLinux

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Why memory of another process can't be used.
public enum ForeignMemoryError: Error, Sendable, Hashable, CustomStringConvertible {
  /// No memory file, but a pipe, a device, or a file whose reads may wait for somebody.
  case notMemory
  /// The file is shorter than what was said of it, or has become so.
  case tooShort
  /// Written to without the right to.
  case readOnly
  case failed(SystemCallError)

  public var description: String {
    switch self {
    case .notMemory: "the descriptor is no memory file; send a memfd"
    case .tooShort: "the memory is shorter than its announced size"
    case .readOnly: "the memory can't be written to"
    case .failed(let error): error.description
    }
  }
}

/// Memory that another process shares and may do anything to at any time.
///
/// Sealed against shrinking, it is mapped. Without the seal a mapping could be pulled away, and the next access would
/// end this process; so such memory is copied by system calls, which only fail. Contents may change while they are read,
/// so what is read once must not be relied upon the second time.
public struct ForeignMemory: ~Copyable {
  private let descriptor: FileDescriptor
  /// Nil: copied by system calls.
  private var base: UnsafeMutableRawPointer?
  private var isWritable: Bool
  public private(set) var byteCount: Int

  /// Takes over the descriptor.
  /// - Throws: `notMemory`, `tooShort` or `failed`.
  public init(adopting descriptor: consuming FileDescriptor, byteCount: Int) throws(ForeignMemoryError) {
    let fd = descriptor.rawValue
    let isSealed = clinux_is_sealed_against_shrinking(fd) != 0
    guard byteCount > 0, isSealed || clinux_is_memory_file(fd) != 0 else { throw .notMemory }
    guard Self.fileSize(fd) >= byteCount else { throw .tooShort }
    let mapping: (UnsafeMutableRawPointer?, isWritable: Bool) = isSealed ? try Self.map(fd, byteCount) : (nil, false)
    self.descriptor = descriptor
    self.byteCount = byteCount
    self.base = mapping.0
    self.isWritable = mapping.isWritable
  }

  deinit {
    if let base { munmap(base, byteCount) }
  }

  /// Whether accesses go to a mapping, so that pixels can be used where they are.
  public var isMapped: Bool { base != nil }

  /// Follows a file that was made larger.
  /// - Throws: `tooShort` for a file that is not so large, or for a size smaller than before.
  public mutating func grow(to newCount: Int) throws(ForeignMemoryError) {
    guard newCount >= byteCount, Self.fileSize(descriptor.rawValue) >= newCount else { throw .tooShort }
    if let old = base {
      let (new, writable) = try Self.map(descriptor.rawValue, newCount)
      munmap(old, byteCount)
      base = new
      isWritable = writable
    }
    byteCount = newCount
  }

  /// Copies bytes from `offset` on into `target`, as many as it has room for.
  public borrowing func read(from offset: Int, into target: UnsafeMutableRawBufferPointer) throws(ForeignMemoryError) {
    guard contains(offset, target.count) else { throw .tooShort }
    if let base {
      target.copyMemory(from: UnsafeRawBufferPointer(start: base + offset, count: target.count))
      return
    }
    var done = 0
    while done < target.count, let start = target.baseAddress {
      let count = pread(descriptor.rawValue, start + done, target.count - done, off_t(offset + done))
      if count < 0 {
        let error = SystemCallError.last("pread")
        if error.errno == EINTR { continue }
        throw .failed(error)
      }
      guard count > 0 else { throw .tooShort }
      done += count
    }
  }

  /// Copies `source` there, from `offset` on.
  public borrowing func write(_ source: UnsafeRawBufferPointer, at offset: Int) throws(ForeignMemoryError) {
    guard contains(offset, source.count) else { throw .tooShort }
    if let base, isWritable {
      UnsafeMutableRawBufferPointer(start: base + offset, count: source.count).copyMemory(from: source)
      return
    }
    // An unsealed file that was made smaller would be made larger again, which harms nobody but its owner.
    var done = 0
    while done < source.count, let start = source.baseAddress {
      let count = pwrite(descriptor.rawValue, start + done, source.count - done, off_t(offset + done))
      if count < 0 {
        let error = SystemCallError.last("pwrite")
        if error.errno == EINTR { continue }
        if error.errno == EBADF || error.errno == EPERM { throw .readOnly }
        throw .failed(error)
      }
      guard count > 0 else { throw .tooShort }
      done += count
    }
  }

  /// The mapped bytes; nil where there is no mapping. Copy what must not change.
  public borrowing func withMappedBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let base else { return nil }
    return body(UnsafeRawBufferPointer(start: base, count: byteCount))
  }

  private borrowing func contains(_ offset: Int, _ count: Int) -> Bool {
    offset >= 0 && count <= byteCount && offset <= byteCount - count
  }

  private static func fileSize(_ fd: Int32) -> Int {
    var status = stat()
    return fstat(fd, &status) == 0 ? Int(status.st_size) : -1
  }

  private static func map(
    _ fd: Int32, _ byteCount: Int
  ) throws(ForeignMemoryError) -> (UnsafeMutableRawPointer?, isWritable: Bool) {
    for protection in [PROT_READ | PROT_WRITE, PROT_READ] {
      if let base = mmap(nil, byteCount, protection, MAP_SHARED, fd, 0), base != MAP_FAILED {
        return (base, protection & PROT_WRITE != 0)
      }
    }
    throw .failed(.last("mmap"))
  }
}

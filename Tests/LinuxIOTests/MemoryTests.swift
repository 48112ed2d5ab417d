import Foundation
import LinuxIO
import Testing

@Suite("Descriptors and shared memory")
struct MemoryTests {
  /// Memory with bytes 0, 1, 2 …
  private func shared(_ count: Int) throws -> SharedMemory {
    let memory = try SharedMemory(byteCount: count)
    memory.withBytes { bytes in for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: index) } }
    return memory
  }

  private func read(_ memory: borrowing ForeignMemory, _ offset: Int, _ count: Int) throws -> [UInt8] {
    var target = [UInt8](repeating: 0, count: count)
    try target.withUnsafeMutableBytes { bytes in try memory.read(from: offset, into: bytes) }
    return target
  }

  /// A file in memory without seals.
  private func unsealed(_ count: Int) throws -> FileHandle {
    let path = "/dev/shm/porthole-test-\(UUID().uuidString)"
    #expect(FileManager.default.createFile(atPath: path, contents: Data((0..<count).map { UInt8($0 & 255) })))
    let handle = try #require(FileHandle(forUpdatingAtPath: path))
    try FileManager.default.removeItem(atPath: path)
    return handle
  }

  private func descriptor(of handle: FileHandle) throws -> FileDescriptor {
    let borrowed = FileDescriptor(adopting: handle.fileDescriptor)
    let copy = try borrowed.duplicate()
    _ = borrowed.release()
    return copy
  }

  @Test("sealed memory is mapped, and what is written at one end is read at the other")
  func sealed() throws {
    let memory = try shared(10_000)
    let descriptor = try memory.descriptor.duplicate()
    let foreign = try ForeignMemory(adopting: descriptor, byteCount: 10_000)
    let isMapped = foreign.isMapped
    #expect(isMapped)
    #expect(try read(foreign, 254, 4) == [254, 255, 0, 1])
    try [7, 8].withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      try foreign.write(UnsafeRawBufferPointer(rebasing: bytes[..<1]), at: 9_999)
    }
    let last = memory.withBytes { $0[9_999] }
    #expect(last == 7)
  }

  @Test("our own memory can't be made smaller by whoever has it")
  func cannotShrink() throws {
    let memory = try shared(10_000)
    let descriptor = try memory.descriptor.duplicate()
    #expect(ftruncate(descriptor.rawValue, 1) == -1)
    #expect(ftruncate(descriptor.rawValue, 20_000) == 0)
    var foreign = try ForeignMemory(adopting: descriptor, byteCount: 10_000)
    try foreign.grow(to: 20_000)
    let grown = foreign.byteCount
    #expect(grown == 20_000)
    #expect(try read(foreign, 19_999, 1) == [0])
    #expect(throws: ForeignMemoryError.tooShort) { try foreign.grow(to: 30_000) }
    #expect(throws: ForeignMemoryError.tooShort) { try foreign.grow(to: 10) }
  }

  @Test("memory that shrinks under the reader is an error and not the end")
  func shrinks() throws {
    let handle = try unsealed(100_000)
    let foreign = try ForeignMemory(adopting: descriptor(of: handle), byteCount: 100_000)
    let mapped = foreign.withMappedBytes { $0.count }
    #expect(mapped == nil)
    #expect(try read(foreign, 99_998, 2) == [158, 159])
    try handle.truncate(atOffset: 50_000)
    #expect(throws: ForeignMemoryError.tooShort) { try read(foreign, 49_999, 2) }
    #expect(try read(foreign, 49_999, 1) == [79])
  }

  @Test(
    "a part that reaches beyond the memory is refused",
    arguments: [(-1, 1), (100, 1), (0, 101), (Int.max, 1), (99, 2), (Int.min, 0)])
  func outside(offset: Int, count: Int) throws {
    let memory = try shared(100)
    let descriptor = try memory.descriptor.duplicate()
    let foreign = try ForeignMemory(adopting: descriptor, byteCount: 100)
    #expect(throws: ForeignMemoryError.tooShort) { try read(foreign, offset, count) }
  }

  @Test("what is no memory, or too little of it, is refused")
  func refused() throws {
    let memory = try shared(100)
    let descriptor = try memory.descriptor.duplicate()
    #expect(throws: ForeignMemoryError.tooShort) {
      _ = try ForeignMemory(adopting: descriptor.duplicate(), byteCount: 101)
    }
    try FileDescriptor.pipe().take { (reader, writer) throws in
      #expect(throws: ForeignMemoryError.notMemory) {
        _ = try ForeignMemory(adopting: reader.duplicate(), byteCount: 1)
      }
    }
    let device = try #require(FileHandle(forReadingAtPath: "/dev/zero"))
    let zeros = try self.descriptor(of: device)
    #expect(throws: ForeignMemoryError.notMemory) { _ = try ForeignMemory(adopting: zeros.duplicate(), byteCount: 1) }
    #expect(throws: ForeignMemoryError.notMemory) {
      _ = try ForeignMemory(adopting: FileDescriptor(adopting: -1), byteCount: 1)
    }
    #expect(throws: SystemCallError.self) { _ = try SharedMemory(byteCount: 0) }
  }

  @Test("a descriptor is closed once, when its owner lets go, and not after it was given away")
  func ownership() throws {
    try FileDescriptor.pipe().take { (reader, writer) throws in
      let number = writer.release()
      try reader.setNonBlocking()
      var byte: UInt8 = 0
      let read = try withUnsafeMutableBytes(of: &byte) { bytes in try reader.read(into: bytes) }
      #expect(read == nil)
      _ = FileDescriptor(adopting: number)
      let end = try withUnsafeMutableBytes(of: &byte) { bytes in try reader.read(into: bytes) }
      #expect(end == 0)
    }
  }

  @Test("an error says which call failed and why")
  func errors() throws {
    let none = FileDescriptor(adopting: -1)
    #expect(throws: SystemCallError(call: "fcntl(F_GETFL)", errno: EBADF)) { try none.setNonBlocking() }
    #expect(
      SystemCallError(call: "open", errno: ENOENT).description == "open failed: No such file or directory (errno 2)")
  }
}

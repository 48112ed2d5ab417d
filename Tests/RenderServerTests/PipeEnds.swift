import Diagnostics
import LinuxIO

/// Both ends of a pipe, closed one by one.
final class PipeEnds {
  final class End {
    private(set) var descriptor: FileDescriptor
    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    func close() { descriptor = FileDescriptor(adopting: -1) }
  }

  let reader: End
  let writer: End

  init() throws {
    let ends = try FileDescriptor.pipe().take { reader, writer in (End(reader), End(writer)) }
    (reader, writer) = ends
    try reader.descriptor.setNonBlocking()
  }

  func close() {
    reader.close()
    writer.close()
  }

  /// What comes until the end, or for five seconds; `meanwhile` lets the other end go on.
  func readAll(meanwhile: () throws -> Void) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65536)
    let end = ProcessClock.monotonicNanoseconds + 5_000_000_000
    while ProcessClock.monotonicNanoseconds < end {
      guard let count = try part.withUnsafeMutableBytes({ try reader.descriptor.read(into: $0) }) else {
        try meanwhile()
        continue
      }
      if count == 0 { return bytes }
      bytes += part.prefix(count)
    }
    return bytes
  }
}

import CLinux
import Foundation
import LinuxIO

/// One end of a socket that says what an input says, and the other ends of what it gives away.
final class BadClient {
  private let socket: FileDescriptor
  private var kept: [Int32] = []
  /// What the server has said.
  private(set) var heard: [UInt8] = []
  private(set) var isClosed = false

  init(_ socket: consuming FileDescriptor) { self.socket = socket }

  deinit { for fd in kept { close(fd) } }

  func send(_ bytes: [UInt8], _ kinds: [FuzzInput.Descriptor]) {
    var fds: [Int32] = []
    for kind in kinds { fds += open(kind) }
    defer { for fd in fds { close(fd) } }
    if fds.isEmpty {
      _ = bytes.withUnsafeBytes { Glibc.send(socket.rawValue, $0.baseAddress, $0.count, flags) }
      return
    }
    // A cmsghdr: its length in eight bytes, level, type, and then the descriptors.
    let length = 16 + fds.count * 4
    let control = UnsafeMutableRawBufferPointer.allocate(byteCount: (length + 7) / 8 * 8, alignment: 8)
    defer { control.deallocate() }
    control.initializeMemory(as: UInt8.self, repeating: 0)
    control.storeBytes(of: UInt64(length), toByteOffset: 0, as: UInt64.self)
    control.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
    control.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
    for (index, fd) in fds.enumerated() { control.storeBytes(of: fd, toByteOffset: 16 + index * 4, as: Int32.self) }
    var copy = bytes
    copy.withUnsafeMutableBytes { raw in
      var part = iovec(iov_base: raw.baseAddress, iov_len: raw.count)
      withUnsafeMutablePointer(to: &part) { part in
        var header = msghdr()
        header.msg_iov = part
        header.msg_iovlen = 1
        header.msg_control = control.baseAddress
        header.msg_controllen = control.count
        _ = sendmsg(socket.rawValue, &header, flags)
      }
    }
  }

  func read() {
    var room = [UInt8](repeating: 0, count: 65_536)
    for _ in 0..<64 {
      let count = room.withUnsafeMutableBytes {
        recv(socket.rawValue, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT))
      }
      if count == 0 { isClosed = true }
      guard count > 0 else {
        if count < 0, errno != EAGAIN, errno != EINTR { isClosed = true }
        return
      }
      heard += room[..<count]
      if heard.count > 1 << 20 { heard.removeFirst(heard.count - (1 << 20)) }
    }
  }

  func hangUp() { shutdown(socket.rawValue, Int32(SHUT_RDWR)) }

  private func open(_ kind: FuzzInput.Descriptor) -> [Int32] {
    switch kind {
    case .sealedMemory, .unsealedMemory, .shrunkMemory, .emptyMemory, .driversMemory:
      let fd = clinux_create_memory(kind == .driversMemory ? "porthole-dma" : "fuzz")
      guard fd >= 0 else { return [] }
      if kind != .emptyMemory { ftruncate(fd, 8192) }
      if kind == .sealedMemory { _ = clinux_seal_against_shrinking(fd) }
      if kind == .shrunkMemory {
        let copy = dup(fd)
        kept.append(copy)
        shrinking.append(copy)
      }
      return [fd]
    case .pipe, .pipeWithoutReader, .readEnd, .fullPipe:
      var ends: [Int32] = [-1, -1]
      guard clinux_create_pipe(&ends) == 0 else { return [] }
      switch kind {
      case .readEnd:
        kept.append(ends[1])
        return [ends[0]]
      case .pipeWithoutReader: close(ends[0])
      case .fullPipe:
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let filling = [UInt8](repeating: 0, count: 65_536)
        _ = write(ends[1], filling, filling.count)
        kept.append(ends[0])
      default: kept.append(ends[0])
      }
      return [ends[1]]
    case .socket:
      var ends: [Int32] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return [] }
      kept.append(ends[0])
      return [ends[1]]
    case .null: return [Glibc.open("/dev/null", O_RDWR)].filter { $0 >= 0 }
    case .folder: return [Glibc.open("/tmp", O_RDONLY)].filter { $0 >= 0 }
    }
  }

  private var shrinking: [Int32] = []

  /// Takes memory away that was given before.
  func shrink() {
    for fd in shrinking { ftruncate(fd, 0) }
    shrinking = []
  }
}

private let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)

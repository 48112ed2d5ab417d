import LinuxIO
import WaylandProtocol

/// Pictures in memory that the server reads, or writes, cut out of a few pools; memory comes back as the server lets go
/// of it, and is used again.
public final class SharedBuffers {
  private unowned let wire: WireConnection
  private let global: Proxy<PortholeV1>
  private var pools: [SharedBufferPool] = []
  /// Those that were not freed.
  private var buffers: [ObjectIdentifier: SharedBuffer] = [:]
  /// Pools are of at least this size, so that small pictures share one.
  private static let poolSize = 1 << 20

  public init(_ wire: WireConnection, global: Proxy<PortholeV1>) {
    self.wire = wire
    self.global = global
  }

  /// How many pools there are, of how many bytes.
  public var poolCount: Int { pools.count }
  public var byteCount: Int { pools.reduce(0) { $0 + $1.byteCount } }

  /// A buffer of rows without gaps; its bytes are what they were.
  /// - Throws: `noMemory`, or what ended the connection.
  public func allocate(
    width: Int, height: Int, alpha: PortholePoolV1.Alpha
  ) throws(WireError) -> SharedBuffer {
    let limit = Int(UInt32.max)
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, area <= limit / 4 else {
      throw .noMemory(SystemCallError(call: "memfd_create", errno: 12))
    }
    let (pool, offset) = try room(area * 4)
    try wire.makeRoom(64)
    let proxy = pool.proxy.createBuffer(
      offset: UInt32(clamping: offset), width: UInt32(clamping: width), height: UInt32(clamping: height),
      stride: UInt32(clamping: width * 4), format: .rgba8888, alpha: alpha)
    let buffer = SharedBuffer(proxy, in: pool, at: offset, byteCount: area * 4)
    buffers[ObjectIdentifier(buffer)] = buffer
    return buffer
  }

  /// Lets go of a buffer; its memory may become another's. A second call does nothing.
  public func free(_ buffer: SharedBuffer) {
    guard buffers.removeValue(forKey: ObjectIdentifier(buffer)) != nil else { return }
    _ = try? wire.makeRoom()
    buffer.free()
  }

  /// Lets go of everything, when the connection has ended.
  public func close() {
    for buffer in buffers.values { buffer.free() }
    buffers = [:]
    pools = []
  }

  private func room(_ byteCount: Int) throws(WireError) -> (SharedBufferPool, Int) {
    for pool in pools {
      if let offset = pool.slots.take(byteCount) { return (pool, offset) }
    }
    // What is empty and too small is of no more use.
    pools.removeAll { pool in
      guard pool.slots.isEmpty else { return false }
      try? wire.makeRoom()
      pool.proxy.destroy()
      return true
    }
    let size = max(Self.poolSize, (byteCount + SlotList.alignment - 1) / SlotList.alignment * SlotList.alignment)
    let memory: SharedMemory
    do { memory = try SharedMemory(name: "porthole-pictures", byteCount: size) } catch { throw .noMemory(error) }
    // A descriptor travels with the bytes around it; few fit.
    try wire.flush()
    let proxy = global.createPool(fd: memory.descriptor, size: UInt32(clamping: size))
    try wire.flush()
    let pool = SharedBufferPool(memory, proxy)
    pools.append(pool)
    guard let offset = pool.slots.take(byteCount) else {
      throw .noMemory(SystemCallError(call: "memfd_create", errno: 12))
    }
    return (pool, offset)
  }
}

/// One piece of shared memory and who has which part of it.
final class SharedBufferPool {
  let memory: SharedMemory
  let proxy: Proxy<PortholePoolV1>
  var slots: SlotList
  let byteCount: Int

  init(_ memory: consuming SharedMemory, _ proxy: Proxy<PortholePoolV1>) {
    byteCount = memory.byteCount
    slots = SlotList(byteCount: memory.byteCount)
    self.memory = memory
    self.proxy = proxy
  }
}

/// A picture in shared memory. Its memory is used again when it is freed, which for contents is when the server has
/// released it.
public final class SharedBuffer: PortholeBufferV1.EventHandler {
  public let proxy: Proxy<PortholeBufferV1>
  public let byteCount: Int
  private let pool: SharedBufferPool
  private let offset: Int
  /// Called when the server has released it, with the commit's serial.
  public var whenReleased: ((SharedBuffer, UInt32) -> Void)?

  init(
    _ proxy: Proxy<PortholeBufferV1>, in pool: SharedBufferPool, at offset: Int, byteCount: Int
  ) {
    self.proxy = proxy
    self.pool = pool
    self.offset = offset
    self.byteCount = byteCount
    proxy.handler = self
  }

  public func release(_ proxy: Proxy<PortholeBufferV1>, serial: UInt32) { whenReleased?(self, serial) }

  // Of dma-bufs alone.
  public func usable(_ proxy: Proxy<PortholeBufferV1>) {}
  public func unusable(_ proxy: Proxy<PortholeBufferV1>, reason: String) {}

  /// Its bytes, rows from the top.
  public func withBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
    pool.memory.withBytes { bytes in
      body(UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + byteCount)]))
    }
  }

  fileprivate func free() {
    whenReleased = nil
    proxy.destroy()
    pool.slots.giveBack(offset)
  }
}

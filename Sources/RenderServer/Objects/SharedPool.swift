import Commit
import Geometry
import LinuxIO
import WaylandProtocol

/// Why a client's memory is not taken.
enum SharedPoolError: Error {
  case limit(LimitViolation)
  case memory(ForeignMemoryError)
}

/// Memory that a client shares, for as long as its object or a buffer in it lives.
final class SharedPool {
  private let member: TreeClient
  private(set) var memory: ForeignMemory
  private var counted: UInt64

  /// Takes over the descriptor.
  init(
    _ member: TreeClient, _ descriptor: consuming FileDescriptor, byteCount: Int
  ) throws(SharedPoolError) {
    let counted = UInt64(clamping: byteCount)
    do {
      try member.account.add(.descriptors)
      try member.account.add(.sharedBytes, counted)
    } catch {
      throw .limit(error)
    }
    do { memory = try ForeignMemory(adopting: descriptor, byteCount: byteCount) } catch { throw .memory(error) }
    self.member = member
    self.counted = counted
  }

  deinit {
    member.account.remove(.descriptors)
    member.account.remove(.sharedBytes, counted)
  }

  /// Follows memory that was made larger; less than before is too short.
  func grow(to byteCount: Int) throws(SharedPoolError) {
    guard byteCount >= memory.byteCount else { throw .memory(.tooShort) }
    let more = UInt64(clamping: byteCount - memory.byteCount)
    do { try member.account.add(.sharedBytes, more) } catch { throw .limit(error) }
    counted += more
    do { try memory.grow(to: byteCount) } catch { throw .memory(error) }
  }
}

/// A client's `porthole_pool_v1`.
final class PoolObject: PortholePoolV1.RequestHandler {
  private let session: ClientSession
  private let pool: SharedPool

  init(_ session: ClientSession, _ pool: SharedPool) {
    self.session = session
    self.pool = pool
  }

  func resize(_ resource: Resource<PortholePoolV1>, size: UInt32) throws(ProtocolViolation) {
    guard Int(size) >= pool.memory.byteCount else { throw session.violation(.badPool, "a pool can't be made smaller") }
    do { try pool.grow(to: Int(size)) } catch { throw session.violation(error) }
  }

  func createBuffer(
    _ resource: Resource<PortholePoolV1>, id: consuming NewID<PortholeBufferV1>, offset: UInt32, width: UInt32,
    height: UInt32, stride: UInt32, format: PortholePoolV1.Format, alpha: PortholePoolV1.Alpha
  ) throws(ProtocolViolation) {
    guard (1...16384).contains(width), (1...16384).contains(height), UInt64(stride) >= UInt64(width) * 4 else {
      throw session.violation(.badBuffer, "\(width) × \(height) pixels in rows of \(stride) bytes are no picture")
    }
    let last = UInt64(offset) + UInt64(stride) * UInt64(height - 1) + UInt64(width) * 4
    guard last <= UInt64(pool.memory.byteCount) else {
      throw session.violation(.badBuffer, "the buffer ends at byte \(last) of a pool of \(pool.memory.byteCount)")
    }
    guard PortholePoolV1.Format.known.contains(format) else {
      throw session.violation(.badFormat, "there is no pixel format \(format.rawValue)")
    }
    guard let alpha = AlphaState(alpha) else {
      throw session.violation(.badAlpha, "there is no alpha state \(alpha.rawValue)")
    }
    let object = BufferObject(
      pool: pool, offset: Int(offset), size: PixelSize(width: Int(width), height: Int(height)), stride: Int(stride),
      isBlueFirst: format == .bgra8888, alpha: alpha)
    object.resource = try id.create(object)
  }
}

extension AlphaState {
  init?(_ alpha: PortholePoolV1.Alpha) {
    switch alpha {
    case .opaque: self = .opaque
    case .premultiplied: self = .premultiplied
    case .straight: self = .straight
    default: return nil
    }
  }
}

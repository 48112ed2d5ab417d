import GLES
import Geometry
import LinuxIO
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a program hears of layouts.
final class DmaFactoryEar: ZwpLinuxDmabufV1.EventHandler {
  private(set) var codes: [UInt32] = []
  private(set) var layouts: [DmaBufferFormat] = []
  func format(_ proxy: Proxy<ZwpLinuxDmabufV1>, format: UInt32) { codes.append(format) }
  func modifier(_ proxy: Proxy<ZwpLinuxDmabufV1>, format: UInt32, modifierHi: UInt32, modifierLo: UInt32) {
    layouts.append(DmaBufferFormat(fourcc: format, modifier: UInt64(modifierHi) << 32 | UInt64(modifierLo)))
  }
}

/// What a program hears of the server's device.
final class DmaFeedbackEar: ZwpLinuxDmabufFeedbackV1.EventHandler {
  private(set) var table: [DmaBufferFormat] = []
  private(set) var devices: [UInt64] = []
  private(set) var indices: [UInt16] = []
  private(set) var flags: [UInt32] = []
  private(set) var tranches = 0
  private(set) var isDone = false
  func formatTable(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, fd: consuming FileDescriptor, size: UInt32) {
    var bytes = [UInt8](repeating: 0, count: Int(size))
    let count = pread(fd.rawValue, &bytes, bytes.count, 0)
    table = stride(from: 0, to: max(0, count), by: 16).map { place in
      bytes.withUnsafeBytes {
        DmaBufferFormat(
          fourcc: $0.load(fromByteOffset: place, as: UInt32.self),
          modifier: $0.load(fromByteOffset: place + 8, as: UInt64.self))
      }
    }
  }
  func mainDevice(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, device: RawSpan) { add(device) }
  func trancheTargetDevice(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, device: RawSpan) { add(device) }
  func trancheFormats(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, indices: RawSpan) {
    self.indices = indices.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
  }
  func trancheFlags(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, flags: ZwpLinuxDmabufFeedbackV1.TrancheFlags) {
    self.flags.append(flags.rawValue)
  }
  func trancheDone(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>) { tranches += 1 }
  func done(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>) { isDone = true }
  private func add(_ device: RawSpan) {
    devices += device.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
  }
}

/// What becomes of planes.
final class DmaParameterEar: ZwpLinuxBufferParamsV1.EventHandler {
  private(set) var created: [Proxy<WlBuffer>] = []
  private(set) var failures = 0
  func created(_ proxy: Proxy<ZwpLinuxBufferParamsV1>, buffer: Proxy<WlBuffer>) { created.append(buffer) }
  func failed(_ proxy: Proxy<ZwpLinuxBufferParamsV1>) { failures += 1 }
}

/// A program's pixels in a dma-buf.
final class ProgramDmaPicture {
  let memory: SharedMemory
  let parameters: Proxy<ZwpLinuxBufferParamsV1>
  let ear = TestProgram.BufferEar()
  let parameterEar = DmaParameterEar()
  let width: Int
  private(set) var buffer: Proxy<WlBuffer>?

  init(_ factory: Proxy<ZwpLinuxDmabufV1>, width: Int = 16, _ pixel: UInt32) throws {
    self.width = width
    memory = try SharedMemory(name: "porthole-dma", byteCount: 65536)
    parameters = factory.createParams()
    parameters.handler = parameterEar
    parameters.add(
      fd: memory.descriptor, planeIdx: 0, offset: 256, stride: UInt32(width * 4 + 64), modifierHi: 0, modifierLo: 0)
    fill(pixel)
  }

  /// Makes the buffer, without an answer where it can be had.
  func make(height: Int32 = 16) -> Proxy<WlBuffer> {
    let made = parameters.createImmed(
      width: Int32(width), height: height, format: DmaBufferFormat.argb8888, flags: [])
    take(made)
    return made
  }

  func take(_ made: Proxy<WlBuffer>) {
    made.handler = ear
    buffer = made
  }

  func fill(_ pixel: UInt32) { for y in 0..<16 { for x in 0..<16 { draw(pixel, x, y) } } }

  func draw(_ pixel: UInt32, _ x: Int, _ y: Int) {
    memory.withBytes {
      $0.storeBytes(of: pixel, toByteOffset: 256 + y * (width * 4 + 64) + x * 4, as: UInt32.self)
    }
  }
}

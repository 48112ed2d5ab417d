import GLES
import LinuxIO
import WaylandProtocol

/// A rule of dma-bufs' planes, and how a program breaks it.
enum DmaBreach: String, CaseIterable {
  case planeFour, planeTwice, noPlane, planeMissing, planeTooMany
  case codeUnknown, modifierUnknown, modifiersDiffer
  case noWidth, negativeHeight
  case offsetBeyond, rowsTooMany, rowsTooShort, rowsTooLong
  case createdTwice, addedLate, plainMemory, upsideDown

  var code: ZwpLinuxBufferParamsV1.ErrorCode {
    switch self {
    case .planeFour: .planeIdx
    case .planeTwice: .planeSet
    case .noPlane, .planeMissing, .planeTooMany: .incomplete
    case .codeUnknown, .modifierUnknown, .modifiersDiffer: .invalidFormat
    case .noWidth, .negativeHeight: .invalidDimensions
    case .offsetBeyond, .rowsTooMany, .rowsTooShort, .rowsTooLong: .outOfBounds
    case .createdTwice, .addedLate: .alreadyUsed
    case .plainMemory, .upsideDown: .invalidWlBuffer
    }
  }

  func commit(_ factory: Proxy<ZwpLinuxDmabufV1>, _ program: TestProgram) throws {
    let memory = try SharedMemory(name: self == .plainMemory ? "plain" : "porthole-dma", byteCount: 4096)
    let parameters = program.keep(factory.createParams())
    func add(_ index: UInt32, offset: UInt32 = 0, stride: UInt32 = 64, modifier: UInt32 = 0) {
      parameters.add(
        fd: memory.descriptor, planeIdx: index, offset: offset, stride: stride, modifierHi: 0, modifierLo: modifier)
    }
    func create(
      _ width: Int32 = 16, _ height: Int32 = 16, _ code: UInt32 = DmaBufferFormat.argb8888,
      _ flags: ZwpLinuxBufferParamsV1.Flags = []
    ) {
      program.keep(parameters.createImmed(width: width, height: height, format: code, flags: flags))
    }
    switch self {
    case .planeFour: add(4)
    case .planeTwice: for _ in 0..<2 { add(1) }
    case .noPlane: create()
    case .planeMissing: add(1)
    case .planeTooMany: for index: UInt32 in 0..<2 { add(index) }
    case .modifierUnknown: add(0, modifier: 0x1234)
    case .modifiersDiffer: for index: UInt32 in 0..<2 { add(index, modifier: index) }
    case .offsetBeyond: add(0, offset: 3076)
    case .rowsTooMany: add(0, stride: 260)
    case .rowsTooShort: add(0, stride: 60)
    case .rowsTooLong: add(0, stride: .max)
    case .codeUnknown, .noWidth, .negativeHeight, .createdTwice, .addedLate, .plainMemory, .upsideDown: add(0)
    }
    switch self {
    case .codeUnknown: create(16, 16, 0x3231_564E)
    case .noWidth: create(0)
    case .negativeHeight: create(16, -1)
    case .upsideDown: create(16, 16, DmaBufferFormat.argb8888, .yInvert)
    case .createdTwice: for _ in 0..<2 { create() }
    case .addedLate:
      create()
      add(1)
    default: create()
    }
  }
}

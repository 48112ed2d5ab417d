import Commit
import Geometry
import WaylandProtocol

/// Hears of an output's frames.
final class FrameListener: PortholeOutputV1.EventHandler {
  /// A frame was asked for and has not come.
  var isAsked = false
  var whenDrawn: ((FrameReport.Result) -> Void)?

  func frame(
    _ proxy: Proxy<PortholeOutputV1>, sequenceHi: UInt32, sequenceLo: UInt32, secondsHi: UInt32, secondsLo: UInt32,
    nanoseconds: UInt32, result: PortholeOutputV1.Result
  ) {
    isAsked = false
    if result == .drawn { whenDrawn?(.drawn) }
    if result == .unchanged { whenDrawn?(.unchanged) }
  }
}

/// Hears how a capture goes.
final class CaptureListener: PortholeCaptureV1.EventHandler {
  private(set) var isDone = false
  private(set) var size: PixelSize?
  /// In words.
  private(set) var failure: String?

  func size(_ proxy: Proxy<PortholeCaptureV1>, width: UInt32, height: UInt32) {
    size = PixelSize(width: Int(width), height: Int(height))
  }

  func ready(
    _ proxy: Proxy<PortholeCaptureV1>, sequenceHi: UInt32, sequenceLo: UInt32, secondsHi: UInt32, secondsLo: UInt32,
    nanoseconds: UInt32
  ) { isDone = true }

  func skipped(_ proxy: Proxy<PortholeCaptureV1>, count: UInt32) {}

  func failed(_ proxy: Proxy<PortholeCaptureV1>, reason: PortholeCaptureV1.Failure) {
    isDone = true
    failure =
      switch reason {
      case .gone: "the output or layer is gone"
      case .secure: "it is secure"
      case .size: "it has no pixel, too many, or another size than it had"
      case .notWritable: "the server can't write to the memory"
      default: "the server could not draw it; its log says more"
      }
  }
}

/// Gathers the answer to a hit test.
final class HitListener: PortholeHitV1.EventHandler {
  private(set) var isDone = false
  private(set) var hits: [(layer: LayerID, point: Point, isPortal: Bool)] = []

  func layer(_ proxy: Proxy<PortholeHitV1>, layer: Proxy<PortholeLayerV1>?, point: RawSpan, isPortal: UInt32) {
    guard let layer = RemoteTree.layer(of: layer), point.byteCount == 16 else { return }
    let numbers = point.withUnsafeBytes { bytes in
      [0, 8].map { Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0, as: UInt64.self))) }
    }
    hits.append((layer, Point(numbers[0], numbers[1]), isPortal == 1))
  }

  func done(_ proxy: Proxy<PortholeHitV1>) { isDone = true }
}

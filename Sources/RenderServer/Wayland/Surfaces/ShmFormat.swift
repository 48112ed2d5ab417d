import Commit
import WaylandProtocol

/// How a client lays out pixels in shared memory, as far as the server takes it.
package enum ShmFormat: CaseIterable, Sendable {
  case argb8888, xrgb8888, abgr8888, xbgr8888, rgb565

  init?(_ format: WlShm.Format) {
    guard let known = Self.allCases.first(where: { $0.wire == format }) else { return nil }
    self = known
  }

  var wire: WlShm.Format {
    switch self {
    case .argb8888: .argb8888
    case .xrgb8888: .xrgb8888
    case .abgr8888: .abgr8888
    case .xbgr8888: .xbgr8888
    case .rgb565: .rgb565
    }
  }

  package var bytesPerPixel: Int { self == .rgb565 ? 2 : 4 }

  package var alpha: AlphaState {
    switch self {
    case .argb8888, .abgr8888: .premultiplied
    case .xrgb8888, .xbgr8888, .rgb565: .opaque
    }
  }

  /// Turns pixels of this format into RGBA.
  /// - Parameter target: four bytes for each pixel of `source`. It may begin where the source does where these have four too.
  package func convert(_ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer) {
    let count = min(source.count / bytesPerPixel, target.count / 4)
    switch self {
    case .argb8888:
      for index in 0..<count {
        let value = source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        let swapped = value & 0xFF00_FF00 | (value & 0xFF) << 16 | (value >> 16) & 0xFF
        target.storeBytes(of: swapped, toByteOffset: index &* 4, as: UInt32.self)
      }
    case .xrgb8888:
      for index in 0..<count {
        let value = source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        let swapped = value & 0x0000_FF00 | (value & 0xFF) << 16 | (value >> 16) & 0xFF | 0xFF00_0000
        target.storeBytes(of: swapped, toByteOffset: index &* 4, as: UInt32.self)
      }
    case .abgr8888:
      for index in 0..<count {
        let value = source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self)
        target.storeBytes(of: value, toByteOffset: index &* 4, as: UInt32.self)
      }
    case .xbgr8888:
      for index in 0..<count {
        let value = source.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self) | 0xFF00_0000
        target.storeBytes(of: value, toByteOffset: index &* 4, as: UInt32.self)
      }
    case .rgb565:
      for index in 0..<count {
        let value = UInt32(source.loadUnaligned(fromByteOffset: index &* 2, as: UInt16.self))
        let (red, green, blue) = (value >> 11, (value >> 5) & 0x3F, value & 0x1F)
        // The upper bits again below, so that all ones stay all ones.
        let pixel = (red << 3 | red >> 2) | (green << 2 | green >> 4) << 8 | (blue << 3 | blue >> 2) << 16
        target.storeBytes(of: pixel | 0xFF00_0000, toByteOffset: index &* 4, as: UInt32.self)
      }
    }
  }
}

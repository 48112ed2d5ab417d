import Commit
import Geometry

/// Turns an image's pixels into premultiplied ones, in memory that is kept for the next image.
final class PixelScratch {
  /// More than this is given back at once.
  private static let keptBytes = 16 << 20

  private var bytes: [UInt8] = []
  private var halves: [Float16] = []

  /// What the image is uploaded as for frames of this space: 8 bits where they hold every texel as it is drawn.
  static func format(of image: Image, in space: WorkingSpace, withMipLevels: Bool) -> PixelFormat {
    guard space.isExtended else { return .rgba8 }
    let isExact =
      space.encoding == .encoded && image.format == .rgba8 && image.alpha != .straight && !withMipLevels
    return isExact ? .rgba8 : .rgba16f
  }

  /// Premultiplied RGBA in this format and in the space's encoding, rows from the top, no padding; valid within `body`.
  func withPremultiplied(
    _ image: Image, as format: PixelFormat, in space: WorkingSpace, _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    if format == .rgba16f {
      fillHalves(image, space)
      halves.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<(image.size.area * 8)])) }
      if halves.count > Self.keptBytes / 2 { halves = [] }
      return
    }
    if image.alpha == .premultiplied {
      image.pixels.withUnsafeBytes(body)
      return
    }
    if bytes.count < image.pixels.count { bytes = [UInt8](repeating: 0, count: image.pixels.count) }
    bytes.withUnsafeMutableBufferPointer { target in
      image.pixels.withUnsafeBufferPointer { source in
        if image.alpha == .opaque {
          Self.makeOpaque(source, into: target)
        } else {
          Self.premultiply(source, into: target)
        }
      }
      body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[..<image.pixels.count]))
    }
    if bytes.count > Self.keptBytes { bytes = [] }
  }

  private static func makeOpaque(_ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>) {
    var index = 0
    while index + 3 < source.count {
      target[index] = source[index]
      target[index + 1] = source[index + 1]
      target[index + 2] = source[index + 2]
      target[index + 3] = 255
      index += 4
    }
  }

  private static func premultiply(
    _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) {
    var index = 0
    while index + 3 < source.count {
      let alpha = Int(source[index + 3])
      // Rounded to nearest; 255 is odd, so there is no tie.
      target[index] = UInt8((Int(source[index]) * alpha + 127) / 255)
      target[index + 1] = UInt8((Int(source[index + 1]) * alpha + 127) / 255)
      target[index + 2] = UInt8((Int(source[index + 2]) * alpha + 127) / 255)
      target[index + 3] = source[index + 3]
      index += 4
    }
  }

  // MARK: Half floats

  private func fillHalves(_ image: Image, _ space: WorkingSpace) {
    let count = image.size.area * 4
    if halves.count < count { halves = [Float16](repeating: 0, count: count) }
    halves.withUnsafeMutableBufferPointer { target in
      if let components = image.components {
        components.withUnsafeBufferPointer { Self.convert($0, image, space, into: target) }
      } else {
        image.pixels.withUnsafeBufferPointer { Self.convert($0, image, space, into: target) }
      }
    }
  }

  private static func convert(
    _ source: UnsafeBufferPointer<UInt8>, _ image: Image, _ space: WorkingSpace,
    into target: UnsafeMutableBufferPointer<Float16>
  ) {
    let light = space.encoding == .linear ? SRGBCurve.lightOfByte : (0..<256).map { Float($0) / 255 }
    for index in stride(from: 0, to: source.count - 3, by: 4) {
      let cover = image.alpha == .opaque ? 1 : Float(source[index + 3]) / 255
      for channel in index..<index + 3 {
        let byte = source[channel]
        switch image.alpha {
        case .opaque: target[channel] = Float16(light[Int(byte)])
        case .straight: target[channel] = Float16(light[Int(byte)] * cover)
        case .premultiplied:
          let straight = cover > 0 ? Float(byte) / 255 / cover : 0
          target[channel] = Float16((space.encoding == .linear ? SRGBCurve.decode(straight) : straight) * cover)
        }
      }
      target[index + 3] = Float16(cover)
    }
  }

  private static func convert(
    _ source: UnsafeBufferPointer<Float>, _ image: Image, _ space: WorkingSpace,
    into target: UnsafeMutableBufferPointer<Float16>
  ) {
    for index in stride(from: 0, to: source.count - 3, by: 4) {
      let cover = image.alpha == .opaque ? 1 : min(1, max(0, source[index + 3]))
      for channel in index..<index + 3 {
        let straight = image.alpha != .premultiplied ? source[channel] : cover > 0 ? source[channel] / cover : 0
        target[channel] = Float16(space.component(straight, encoded: image.encoding) * cover)
      }
      target[index + 3] = Float16(cover)
    }
  }
}

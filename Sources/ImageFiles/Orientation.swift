import Commit
import Geometry

/// How the rows of a picture in a file lie against the picture that it is of: EXIF's tag 274, by its numbers.
enum Orientation: UInt16 {
  case upright = 1
  case mirrored
  case upsideDown
  case mirroredUpsideDown
  /// About the diagonal from the top left.
  case transposed
  /// To be turned a quarter clockwise.
  case turnedLeft
  case transversed
  /// To be turned a quarter anticlockwise.
  case turnedRight

  private var swapsSides: Bool { rawValue >= 5 }

  /// The picture as it is meant to be seen; the very same one where it is upright.
  func applied(to image: Image) -> Image {
    guard self != .upright else { return image }
    let (width, height) = (image.width, image.height)
    let size = swapsSides ? PixelSize(width: height, height: width) : image.size
    if let components = image.components {
      let turned = turned(components, width, height, to: size, empty: 0)
      return Image(size: size, alpha: image.alpha, encoding: image.encoding, components: turned) ?? image
    }
    let turned = turned(image.pixels, width, height, to: size, empty: 0)
    return Image(size: size, alpha: image.alpha, pixels: turned) ?? image
  }

  private func turned<Component>(
    _ source: [Component], _ width: Int, _ height: Int, to size: PixelSize, empty: Component
  ) -> [Component] {
    var result = [Component](repeating: empty, count: source.count)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let (column, row) =
          switch self {
          case .upright: (x, y)
          case .mirrored: (width - 1 - x, y)
          case .upsideDown: (width - 1 - x, height - 1 - y)
          case .mirroredUpsideDown: (x, height - 1 - y)
          case .transposed: (y, x)
          case .turnedLeft: (y, height - 1 - x)
          case .transversed: (width - 1 - y, height - 1 - x)
          case .turnedRight: (width - 1 - y, x)
          }
        let (from, to) = ((row * width + column) * 4, (y * size.width + x) * 4)
        for channel in 0..<4 { result[to + channel] = source[from + channel] }
      }
    }
    return result
  }
}

extension Orientation {
  private static let tag: UInt16 = 274
  /// Of a tag's value: 16 bits, unsigned.
  private static let short: UInt16 = 3

  /// What the first directory of an EXIF block says, which is a TIFF file without a picture. Upright where it says nothing
  /// that makes sense.
  init(exif block: ArraySlice<UInt8>) {
    self = .upright
    // Some writers leave the name of JPEG's segment in the other formats too.
    let bytes = block.starts(with: JPEG.exifName) ? block.dropFirst(JPEG.exifName.count) : block
    let reader = TIFFNumbers(bytes)
    guard let reader, let directory = reader.long(at: 4), let count = reader.short(at: directory) else { return }
    for entry in 0..<Int(count) {
      let place = directory + 2 + 12 * entry
      guard let tag = reader.short(at: place) else { return }
      guard tag == Self.tag else { continue }
      if reader.short(at: place + 2) == Self.short, let value = reader.short(at: place + 8),
        let found = Orientation(rawValue: value)
      {
        self = found
      }
      return
    }
  }
}

/// The numbers of a TIFF file, in the order of bytes that its first two say; nil past its end.
private struct TIFFNumbers {
  private let bytes: ArraySlice<UInt8>
  private let isLittleEndian: Bool

  /// Nil for what is no TIFF.
  init?(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) {
      isLittleEndian = true
    } else if bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
      isLittleEndian = false
    } else {
      return nil
    }
  }

  func short(at offset: Int) -> UInt16? { number(at: offset, count: 2).map { UInt16(truncatingIfNeeded: $0) } }

  func long(at offset: Int) -> Int? { number(at: offset, count: 4) }

  private func number(at offset: Int, count: Int) -> Int? {
    guard offset >= 0, offset <= bytes.count - count else { return nil }
    let start = bytes.startIndex + offset
    let part = bytes[start..<start + count]
    return isLittleEndian ? part.reversed().reduce(0) { $0 << 8 | Int($1) } : part.reduce(0) { $0 << 8 | Int($1) }
  }
}

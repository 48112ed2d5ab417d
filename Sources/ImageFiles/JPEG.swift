import CTurboJPEG
import Commit
import Geometry

/// JPEG, read by libjpeg-turbo: grey, colour and the four inks of print; baseline and progressive.
enum JPEG {
  /// What an EXIF segment begins with.
  static let exifName: [UInt8] = Array("Exif".utf8) + [0, 0]

  private static let profileName: [UInt8] = Array("ICC_PROFILE".utf8) + [0]

  static func decode(_ bytes: [UInt8], path: String) throws(ImageFileError) -> Image {
    guard let handle = tjInitDecompress() else {
      throw ImageFileError(code: .damaged, path: path, reason: "the JPEG decoder does not start: out of memory")
    }
    defer { tjDestroy(handle) }
    var (width, height, subsampling, space): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let length = UInt(bytes.count)
    guard tjDecompressHeader3(handle, bytes, length, &width, &height, &subsampling, &space) == 0 else {
      throw failure(handle, path)
    }
    let area = try ImageFile.area(width: Int(width), height: Int(height), path: path)
    let isInk = space == TJCS_CMYK.rawValue || space == TJCS_YCCK.rawValue
    let format = Int32((isInk ? TJPF_CMYK : TJPF_RGBA).rawValue)
    var problem: ImageFileError?
    // A progressive file may hold any number of scans for each pixel; a few hundred are more than any encoder makes.
    let pixels = ImageFile.pixels(area) { target in
      if tjDecompress2(handle, bytes, length, target, width, 0, height, format, TJFLAG_LIMITSCANS) == 0 { return true }
      let failure = failure(handle, path)
      // Rubbish between two segments is worth no more than a warning, but what is cut off is no picture.
      guard tjGetErrorCode(handle) == TJERR_WARNING.rawValue, failure.code != .truncated else {
        problem = failure
        return false
      }
      return true
    }
    if let problem { throw problem }
    let parts = segments(of: bytes)
    guard var pixels else { throw failure(handle, path) }
    if isInk { print(&pixels, isInverted: parts.isAdobe) }
    let picture = DecodedPicture(
      size: PixelSize(width: Int(width), height: Int(height)), alpha: .opaque, pixels: .bytes(pixels),
      // Inks are shown without their profile.
      colors: isInk || parts.profile.isEmpty ? .sRGB : .profile(parts.profile),
      isGray: space == TJCS_GRAY.rawValue)
    guard let image = picture.image(path: path) else { throw failure(handle, path) }
    return parts.orientation.applied(to: image)
  }

  private static func failure(_ handle: tjhandle, _ path: String) -> ImageFileError {
    let message = tjGetErrorStr2(handle).map { String(cString: $0) } ?? "no reason is given"
    let isCut = message.contains("Premature end") || message.contains("Insufficient") || message.contains("EOI")
    return ImageFileError(
      code: isCut ? .truncated : .damaged, path: path,
      reason: isCut ? "the JPEG is cut off: \(message)" : "the JPEG is damaged: \(message)")
  }

  /// Makes colours of inks, as a screen shows them without a profile: each ink takes its complement away.
  private static func print(_ pixels: inout [UInt8], isInverted: Bool) {
    for index in stride(from: 0, to: pixels.count - 3, by: 4) {
      let black = Int(isInverted ? pixels[index + 3] : 255 - pixels[index + 3])
      for channel in index..<index + 3 {
        let light = Int(isInverted ? pixels[channel] : 255 - pixels[channel])
        pixels[channel] = UInt8((light * black + 127) / 255)
      }
      pixels[index + 3] = 255
    }
  }

  /// What the segments before the picture say.
  private static func segments(
    of bytes: [UInt8]
  ) -> (orientation: Orientation, isAdobe: Bool, profile: [UInt8]) {
    var (orientation, isAdobe) = (Orientation.upright, false)
    // A long profile stands in several, each with its number.
    var parts: [UInt8: ArraySlice<UInt8>] = [:]
    var position = 2
    while position <= bytes.count - 4, bytes[position] == 0xFF {
      let marker = bytes[position + 1]
      // Any number of them may fill the space before a marker.
      if marker == 0xFF {
        position += 1
        continue
      }
      guard marker != 0xDA, marker != 0xD9 else { break }
      let length = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      guard length >= 2, position + 2 + length <= bytes.count else { break }
      let body = bytes[position + 4..<position + 2 + length]
      if marker == 0xE1, body.starts(with: exifName) { orientation = Orientation(exif: body) }
      if marker == 0xE2, body.starts(with: profileName), body.count > profileName.count + 2 {
        let content = body.dropFirst(profileName.count)
        parts[content[content.startIndex]] = content.dropFirst(2)
      }
      if marker == 0xEE, body.starts(with: "Adobe".utf8) { isAdobe = true }
      position += 2 + length
    }
    return (orientation, isAdobe, parts.sorted { $0.key < $1.key }.flatMap(\.value))
  }
}

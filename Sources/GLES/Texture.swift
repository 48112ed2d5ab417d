internal import CGLES
import Geometry

/// A picture in the GPU's memory: RGBA, premultiplied, row 0 at the top, of a size and format that never change.
public final class Texture {
  public let size: PixelSize
  public let format: PixelFormat
  /// All mip levels, the first included; at least 1.
  public let levels: Int
  public let label: String
  /// Memory of all levels, as far as can be known.
  public let byteCount: Int

  let name: GLuint
  private let graveyard: Graveyard

  init(name: GLuint, size: PixelSize, format: PixelFormat, levels: Int, label: String, graveyard: Graveyard) {
    self.name = name
    self.size = size
    self.format = format
    self.levels = levels
    self.label = label
    self.graveyard = graveyard
    byteCount = Self.bytes(size: size, format: format, levels: levels)
    graveyard.enter(.texture(name), bytes: byteCount)
  }

  deinit { graveyard.bury(.texture(name), bytes: byteCount) }

  /// Levels down to a single pixel, the first included.
  public static func fullLevels(of size: PixelSize) -> Int {
    let side = max(1, size.width, size.height)
    return Int.bitWidth - side.leadingZeroBitCount
  }

  /// Bytes of the pixels of all levels.
  public static func bytes(size: PixelSize, format: PixelFormat = .rgba8, levels: Int) -> Int {
    var pixels = 0
    for level in 0..<max(0, levels) { pixels += max(1, size.width >> level) * max(1, size.height >> level) }
    return pixels * format.bytesPerPixel
  }
}

extension Device {
  /// Makes a texture whose pixels are not yet known.
  /// - Parameter levels: mip levels, the first included; no more than `Texture.fullLevels` are made.
  /// - Throws: `invalidSize` for no size or one beyond `maxTextureSize`; `outOfMemory`.
  public func makeTexture(
    size: PixelSize, format: PixelFormat = .rgba8, levels: Int = 1, label: String
  ) throws(DeviceError) -> Texture {
    beginCall()
    defer { endCall() }
    let limit = capabilities.maxTextureSize
    guard !size.isEmpty, size.width <= limit, size.height <= limit else {
      throw DeviceError(
        .invalidSize,
        "the texture '\(label)' of \(size.width) × \(size.height) pixels can't be made: this driver allows 1 to "
          + "\(limit) a side")
    }
    let levels = max(1, min(levels, Texture.fullLevels(of: size)))
    noteErrors()
    var name: GLuint = 0
    glGenTextures(1, &name)
    let texture = Texture(
      name: name, size: size, format: format, levels: levels, label: label, graveyard: graveyard)
    bind(texture, unit: 0)
    glTexStorage2D(
      GLenum(GL_TEXTURE_2D), GLsizei(levels), GLenum(format == .rgba8 ? GL_RGBA8 : GL_RGBA16F),
      GLsizei(size.width), GLsizei(size.height))
    if let error = takeNewErrors().first {
      throw DeviceError(
        .outOfMemory,
        "the driver refused the texture '\(label)' of \(size.width) × \(size.height) pixels (\(error)); "
          + "\(liveNames.textureBytes >> 20) MiB of textures live")
    }
    setLabel(GL_TEXTURE, name, label)
    return texture
  }

  /// Replaces all pixels of the first level: premultiplied RGBA, rows from the top, no padding.
  /// - Precondition: `pixels` holds four components for each pixel: bytes, or half floats, as the texture's format has it.
  public func upload(_ pixels: UnsafeRawBufferPointer, to texture: Texture) {
    beginCall()
    defer { endCall() }
    precondition(
      pixels.count == texture.size.area * texture.format.bytesPerPixel, "pixels of another size than the texture's")
    bind(texture, unit: 0)
    glTexSubImage2D(
      GLenum(GL_TEXTURE_2D), 0, 0, 0, GLsizei(texture.size.width), GLsizei(texture.size.height), GLenum(GL_RGBA),
      GLenum(texture.format == .rgba8 ? GL_UNSIGNED_BYTE : GL_HALF_FLOAT), pixels.baseAddress)
    counters.uploadedBytes += pixels.count
  }

  /// Replaces a part of the first level's pixels.
  /// - Parameter pixels: of the whole level, as in `upload(_:to:)`.
  public func upload(_ part: PixelRect, of pixels: UnsafeRawBufferPointer, to texture: Texture) {
    beginCall()
    defer { endCall() }
    let pixelBytes = texture.format.bytesPerPixel
    precondition(pixels.count == texture.size.area * pixelBytes, "pixels of another size than the texture's")
    let part = part.intersection(PixelRect(size: texture.size))
    guard !part.isEmpty else { return }
    bind(texture, unit: 0)
    glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), GLint(texture.size.width))
    let first = (Int(part.minY) * texture.size.width + Int(part.minX)) * pixelBytes
    glTexSubImage2D(
      GLenum(GL_TEXTURE_2D), 0, part.minX, part.minY, part.maxX - part.minX, part.maxY - part.minY, GLenum(GL_RGBA),
      GLenum(texture.format == .rgba8 ? GL_UNSIGNED_BYTE : GL_HALF_FLOAT), pixels.baseAddress?.advanced(by: first))
    glPixelStorei(GLenum(GL_UNPACK_ROW_LENGTH), 0)
    counters.uploadedBytes += part.area * pixelBytes
  }

  /// Makes every level after the first from the one before it.
  public func generateMipLevels(of texture: Texture) {
    beginCall()
    defer { endCall() }
    guard texture.levels > 1 else { return }
    bind(texture, unit: 0)
    glGenerateMipmap(GLenum(GL_TEXTURE_2D))
    counters.mipGenerations += 1
  }

  /// Has a unit sample the texture.
  public func bind(_ texture: Texture, unit: Int) {
    beginCall()
    defer { endCall() }
    precondition(0..<StateCache.unitCount ~= unit, "no such texture unit")
    // Active in any case: what follows may speak of the active unit's texture.
    if state.activeUnit != unit {
      glActiveTexture(GLenum(GL_TEXTURE0 + Int32(unit)))
      state.activeUnit = unit
    }
    guard state.textures[unit] != texture.name else { return }
    glBindTexture(GLenum(GL_TEXTURE_2D), texture.name)
    state.textures[unit] = texture.name
    counters.textureBinds += 1
  }
}

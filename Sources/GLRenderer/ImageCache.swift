import Commit
import Diagnostics
import GLES
import Geometry

/// The textures of images, each uploaded once. An image that no frame has shown for a while is dropped, and those not
/// shown longest when all together are too many bytes.
package struct ImageCache {
  private struct Entry {
    /// Nil for an image that the driver can't hold.
    var texture: Texture?
    var lastFrame: Int
    /// 0 for none.
    var stream: UInt64 = 0
  }

  /// Frames after which an image that is not shown goes.
  package var idleFrames = 300
  /// Bytes beyond which images that this frame doesn't show go.
  package var budgetBytes = 512 << 20

  /// What the textures' values stand for.
  private var space = WorkingSpace.rgba8
  private var entries: [UInt64: Entry] = [:]
  /// Which picture of a stream is there.
  private var streams: [UInt64: UInt64] = [:]
  private(set) var byteCount = 0
  private(set) var refusedCount = 0
  private let scratch = PixelScratch()
  /// Copies of foreign pixels that the GPU may still be at.
  private var reads: [(fence: Fence, image: Image)] = []

  var count: Int { entries.count }

  /// Images are from now on for frames of this space: what was uploaded for another goes.
  mutating func change(to space: WorkingSpace) {
    guard space != self.space else { return }
    self.space = space
    removeAll()
  }

  /// Whether the image's texture is there and has no levels that are still missing.
  func has(_ image: Image, withMipLevels: Bool) -> Bool {
    guard let entry = entries[image.identity] else { return false }
    guard withMipLevels, let texture = entry.texture else { return true }
    return texture.levels == Texture.fullLevels(of: texture.size)
  }

  /// Whether the image has all its levels; and that this frame shows it, so that nothing takes its texture's place.
  mutating func hasLevels(_ image: Image, frame: Int) -> Bool {
    entries[image.identity]?.lastFrame = frame
    return has(image, withMipLevels: true)
  }

  /// The image's texture for this frame, uploaded where it must be; nil where the driver can't hold it.
  /// - Returns: the texture, and whether it was uploaded now.
  mutating func texture(
    of image: Image, withMipLevels: Bool, frame: Int, device: Device
  ) throws(RendererError) -> (texture: Texture?, isNew: Bool) {
    if has(image, withMipLevels: withMipLevels), let texture = touch(image, frame: frame) { return (texture, false) }
    if let texture = revise(image, withMipLevels: withMipLevels, frame: frame, device: device) {
      return (texture, true)
    }
    let limit = device.capabilities.maxTextureSize
    guard image.width <= limit, image.height <= limit else {
      if entries[image.identity] == nil {
        refusedCount += 1
        Log.warning(
          "render",
          "an image of \(image.width) × \(image.height) pixels is drawn as transparent: this driver allows \(limit) a side"
        )
      }
      entries[image.identity] = Entry(texture: nil, lastFrame: frame)
      return (nil, false)
    }
    let texture: Texture
    let format = PixelScratch.format(of: image, in: space, withMipLevels: withMipLevels)
    do throws(DeviceError) {
      texture = try device.makeTexture(
        size: image.size, format: format,
        levels: withMipLevels ? Texture.fullLevels(of: image.size) : 1,
        label: "image \(image.identity)")
    } catch {
      throw RendererError(error)
    }
    if let foreign = image.foreign {
      fetch(foreign, of: image, into: texture, nil, device)
    } else {
      scratch.withPremultiplied(image, as: format, in: space) { device.upload($0, to: texture) }
    }
    device.generateMipLevels(of: texture)
    byteCount += texture.byteCount - (entries[image.identity]?.texture?.byteCount ?? 0)
    let stream = image.revision?.stream ?? 0
    entries[image.identity] = Entry(texture: texture, lastFrame: frame, stream: stream)
    if stream != 0 { streams[stream] = image.identity }
    return (texture, true)
  }

  /// Pixels that the GPU has been told to copy must stay as they are until it has.
  /// - Parameter damage: where the texture is other than they are; nil for everywhere.
  private mutating func fetch(
    _ foreign: any ForeignPixels, of image: Image, into texture: Texture, _ damage: [PixelRect]?, _ device: Device
  ) {
    do throws(DeviceError) {
      guard let contents = foreign as? DmaBufferContents else {
        throw DeviceError(.unsupported, "pixels of a kind that is not known")
      }
      if space.encoding == .encoded {
        try device.copy(contents, to: texture, only: damage)
      } else {
        try convert(contents, of: image, into: texture, device)
      }
      if let fence = device.makeFence() { reads.append((fence, image)) }
    } catch {
      Log.warning("render", "a picture is drawn as transparent: \(error)")
      guard let framebuffer = try? device.makeFramebuffer(texture) else { return }
      device.bind(framebuffer)
      device.clear(PremultipliedColor.clear)
    }
  }

  /// For frames that are mixed as light, whose values the processor works out.
  private func convert(
    _ contents: DmaBufferContents, of image: Image, into texture: Texture, _ device: Device
  ) throws(DeviceError) {
    let plain = try device.makeTexture(size: image.size, label: "dma-buf")
    try device.copy(contents, to: plain)
    let pixels = device.readPixels(try device.makeFramebuffer(plain))
    guard let copy = Image(size: image.size, alpha: .premultiplied, pixels: pixels) else { return }
    scratch.withPremultiplied(copy, as: texture.format, in: space) { device.upload($0, to: texture) }
  }

  /// Lets go of pictures that the GPU has copied.
  mutating func settle(_ device: Device) {
    reads.removeAll { device.wait(for: $0.fence, timeoutNanoseconds: 0) }
  }

  /// Puts the pixels in which a picture of a stream differs from the one before it into that one's texture; nil where it
  /// can't be had.
  private mutating func revise(_ image: Image, withMipLevels: Bool, frame: Int, device: Device) -> Texture? {
    guard let revision = image.revision, let known = streams[revision.stream],
      let entry = entries[known],
      let texture = entry.texture, texture.size == image.size,
      // This frame shows both.
      entry.lastFrame < frame, !withMipLevels || texture.levels == Texture.fullLevels(of: image.size)
    else { return nil }
    let format = PixelScratch.format(of: image, in: space, withMipLevels: withMipLevels)
    guard texture.format == format else { return nil }
    let damage = revision.base == known ? revision.damage : nil
    if let foreign = image.foreign {
      fetch(foreign, of: image, into: texture, damage, device)
    } else {
      scratch.withPremultiplied(image, as: format, in: space) { pixels in
        if let damage {
          for rect in damage { device.upload(rect, of: pixels, to: texture) }
        } else {
          device.upload(pixels, to: texture)
        }
      }
    }
    device.generateMipLevels(of: texture)
    entries.removeValue(forKey: known)
    entries[image.identity] = Entry(texture: texture, lastFrame: frame, stream: revision.stream)
    streams[revision.stream] = image.identity
    return texture
  }

  /// Lets go of what is old or too much.
  mutating func evict(frame: Int) {
    let oldest = frame - idleFrames
    if entries.values.contains(where: { $0.lastFrame < oldest }) { remove { $0.lastFrame < oldest } }
    guard byteCount > budgetBytes else { return }
    let idle = entries.filter { $0.value.lastFrame < frame }.sorted { $0.value.lastFrame < $1.value.lastFrame }
    for (identity, _) in idle {
      if byteCount <= budgetBytes { return }
      removeEntry(identity)
    }
  }

  mutating func removeAll() {
    entries = [:]
    reads = []
    streams = [:]
    (byteCount, refusedCount) = (0, 0)
  }

  private mutating func touch(_ image: Image, frame: Int) -> Texture?? {
    entries[image.identity]?.lastFrame = frame
    return entries[image.identity].map(\.texture)
  }

  private mutating func remove(where isOld: (Entry) -> Bool) {
    for (identity, entry) in entries where isOld(entry) { removeEntry(identity) }
  }

  private mutating func removeEntry(_ identity: UInt64) {
    guard let entry = entries.removeValue(forKey: identity) else { return }
    if streams[entry.stream] == identity { streams.removeValue(forKey: entry.stream) }
    if let texture = entry.texture {
      byteCount -= texture.byteCount
    } else {
      refusedCount -= 1
    }
  }
}

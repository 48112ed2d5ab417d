import GLES
import Geometry

/// The targets of past frames, ready to be drawn into again. Bounded: what no frame has used for a while is given back,
/// and what lies idle beyond a number of bytes, the oldest first.
struct TargetPool {
  private struct Key: Hashable {
    var size: PixelSize
    var format: PixelFormat
    var levels: Int

    init(_ size: PixelSize, _ format: PixelFormat, _ levels: Int) {
      (self.size, self.format, self.levels) = (size, format, levels)
    }
  }

  /// Frames after which an idle target goes.
  var idleFrames = 60
  /// Bytes that may lie idle.
  var idleBytes = 256 << 20

  private var free: [Key: [RenderTarget]] = [:]
  private(set) var freeCount = 0
  private(set) var freeBytes = 0

  /// A target of this very size, whose pixels are anything.
  mutating func take(
    size: PixelSize, format: PixelFormat, levels: Int, label: String, device: Device
  ) throws(RendererError) -> RenderTarget {
    let levels = max(1, min(levels, Texture.fullLevels(of: size)))
    if let target = free[Key(size, format, levels)]?.popLast() {
      freeCount -= 1
      freeBytes -= target.texture.byteCount
      return target
    }
    return try RenderTarget(size: size, format: format, levels: levels, label: label, device: device)
  }

  mutating func give(_ target: RenderTarget, frame: Int) {
    target.lastFrame = frame
    free[Key(target.texture.size, target.texture.format, target.texture.levels), default: []].append(target)
    freeCount += 1
    freeBytes += target.texture.byteCount
  }

  /// Lets go of what is old or too much.
  mutating func evict(frame: Int) {
    guard freeCount > 0 else { return }
    let limit = frame - idleFrames
    removeAll { $0.lastFrame < limit }
    while freeBytes > idleBytes {
      guard let oldest = free.values.lazy.joined().map(\.lastFrame).min() else { return }
      removeAll { $0.lastFrame <= oldest }
    }
  }

  mutating func removeAll() {
    free = [:]
    (freeCount, freeBytes) = (0, 0)
  }

  private mutating func removeAll(where isOld: (RenderTarget) -> Bool) {
    // Look before changing anything: nothing is old in nearly every frame.
    guard free.values.contains(where: { $0.contains(where: isOld) }) else { return }
    for (key, targets) in free {
      let kept = targets.filter { !isOld($0) }
      free[key] = kept.isEmpty ? nil : kept
      for target in targets where isOld(target) {
        freeCount -= 1
        freeBytes -= target.texture.byteCount
      }
    }
  }
}

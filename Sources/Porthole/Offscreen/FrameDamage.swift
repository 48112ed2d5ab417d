import Commit
import FramePlan
import Geometry

/// The pixels of an output that a frame draws anew.
public struct FrameDamage: Sendable, Hashable {
  /// May overlap.
  public var rects: [PixelRect]
  /// Of the output.
  public var size: PixelSize

  public init(rects: [PixelRect], size: PixelSize) {
    self.rects = rects
    self.size = size
  }

  init(of plan: FramePlan) {
    size = plan.outputSize
    rects = plan.passes.filter { $0.target == .output }.map { $0.scissor ?? PixelRect(size: $0.size) }
  }

  /// In pixels, each counted once.
  public var area: Int { mask.reduce(0) { $0 + ($1 ? 1 : 0) } }

  private var mask: [Bool] {
    var mask = [Bool](repeating: false, count: size.area)
    for rect in rects {
      let part = rect.intersection(PixelRect(size: size))
      guard !part.isEmpty else { continue }
      for y in part.minY..<part.maxY {
        for x in part.minX..<part.maxX { mask[Int(y) * size.width + Int(x)] = true }
      }
    }
    return mask
  }

  /// The picture with what is damaged tinted, and each rectangle outlined.
  public func overlay(on image: Image) -> Image {
    guard image.size == size else { return image }
    var pixels = image.pixels
    let tinted = mask
    for index in tinted.indices where tinted[index] { Self.mix(&pixels, index, share: 64) }
    for rect in rects {
      let part = rect.intersection(PixelRect(size: size))
      guard !part.isEmpty else { continue }
      for x in part.minX..<part.maxX {
        for y in [part.minY, part.maxY - 1] { Self.mix(&pixels, Int(y) * size.width + Int(x), share: 255) }
      }
      for y in part.minY..<part.maxY {
        for x in [part.minX, part.maxX - 1] { Self.mix(&pixels, Int(y) * size.width + Int(x), share: 255) }
      }
    }
    return Image(size: size, alpha: .premultiplied, pixels: pixels) ?? image
  }

  /// Mixes one pixel with magenta.
  private static func mix(_ pixels: inout [UInt8], _ index: Int, share: Int) {
    for (channel, value) in [255, 0, 255, 255].enumerated() {
      let old = Int(pixels[index * 4 + channel])
      pixels[index * 4 + channel] = UInt8(clamping: (old * (255 - share) + value * share + 127) / 255)
    }
  }
}

extension OffscreenRenderer {
  /// What would be drawn anew where `old` was drawn last and `new` is drawn next; nothing is drawn for it.
  /// - Parameter pairs: layers of `new` with those of `old` that they stand for: their pictures are taken to be kept.
  public func damage(
    from old: Layer, to new: Layer, matching pairs: [(new: Layer, old: Layer)]
  ) throws(OffscreenError) -> FrameDamage {
    var planner = FramePlanner()
    for pair in pairs { planner.aliases[pair.new.id] = pair.old.id }
    _ = try plan(old, with: &planner)
    return FrameDamage(of: try plan(new, with: &planner))
  }
}

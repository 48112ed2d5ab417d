import Commit
import FramePlan
import Geometry
import Testing

/// Plans made by hand, an instance at a time.
struct PlanBuilder {
  private(set) var plan: FramePlan

  init(width: Int, height: Int) { plan = FramePlan(outputSize: PixelSize(width: width, height: height)) }

  /// Begins a pass; what follows is drawn in it.
  mutating func pass(
    _ target: TargetReference = .output, clear: PremultipliedColor = .clear
  ) {
    var size = plan.outputSize
    if case .target(let index) = target { size = plan.targets[Int(index)].size }
    var pass = PlanTemplates.shared.pass
    (pass.target, pass.size, pass.clearColor) = (target, size, clear)
    (pass.firstBatch, pass.batchCount) = (plan.batches.count, 0)
    (pass.isCovered, pass.keepsContents, pass.scissor) = (false, false, nil)
    plan.passes.append(pass)
  }

  mutating func target(
    width: Int, height: Int, mipLevels: Int = 0, historyKey: UInt64? = nil, label: String = "test"
  ) -> Int32 {
    var target = PlanTemplates.shared.target
    (target.size, target.purpose) = (PixelSize(width: width, height: height), .source)
    (target.mipLevels, target.historyKey, target.name, target.identity) = (mipLevels, historyKey, .named(label), 0)
    plan.targets.append(target)
    return Int32(plan.targets.count - 1)
  }

  mutating func image(_ image: Image) -> Int32 {
    plan.images.append(image)
    return Int32(plan.images.count - 1)
  }

  mutating func fill(
    _ x0: Int, _ y0: Int, _ x1: Int, _ y1: Int, _ color: PremultipliedColor, blended: Bool = false
  ) {
    batch(
      .fill, .none, .nearest, blended,
      [Float(x0), Float(y0), Float(x1), Float(y1), color.red, color.green, color.blue, color.alpha])
  }

  /// Shows a texture of `width` by `height` pixels one to one with its corner at (x, y), or stretched over `size`.
  mutating func picture(
    _ texture: TextureReference, at x: Int, _ y: Int, width: Int, height: Int, size: (Int, Int)? = nil,
    filter: TextureFilter = .nearest, factor: Float = 1, level: Int = 0, blended: Bool = false
  ) {
    let (w, h) = size ?? (width, height)
    batch(
      .image, texture, filter, blended,
      [
        Float(x), Float(y), Float(x + w), Float(y + h), 0, 0, 1 / Float(w), 0, 0, 1 / Float(h), factor, Float(level),
      ])
  }

  mutating func batch(
    _ variant: ShaderVariant, _ texture: TextureReference, _ filter: TextureFilter, _ blended: Bool, _ floats: [Float]
  ) {
    var batch = PlanTemplates.shared.batch
    (batch.variant, batch.texture, batch.filter, batch.blending) = (
      variant, texture, filter, blended ? .over : .replace
    )
    (batch.firstFloat, batch.instanceCount) = (plan.instances.count, floats.count / variant.format.stride)
    plan.batches.append(batch)
    plan.instances += floats
    plan.passes[plan.passes.count - 1].batchCount += 1
  }
}

extension PremultipliedColor {
  /// Of bytes.
  static func bytes(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int = 255) -> PremultipliedColor {
    PremultipliedColor(
      red: Float(red) / 255, green: Float(green) / 255, blue: Float(blue) / 255, alpha: Float(alpha) / 255)
  }
}

/// A picture all of whose pixels differ.
func pattern(width: Int, height: Int, alpha: AlphaState = .premultiplied) throws -> Image {
  var pixels: [UInt8] = []
  for index in 0..<(width * height) {
    pixels += [UInt8(index * 7 % 256), UInt8(index * 13 % 256), UInt8(index / 256 % 256), 255]
  }
  return try #require(Image(size: PixelSize(width: width, height: height), alpha: alpha, pixels: pixels))
}

import Geometry

/// A quad that some target shows, with all that decides its pixels: for a person, and for tests that compare two planners.
public struct DrawnQuad: Sendable, Hashable {
  public var bounds: PixelRect
  public var variant: ShaderVariant
  public var texture: TextureReference
  public var backdrop: TextureReference
  public var filter: TextureFilter
  public var blending: Blending
  public var isCopy: Bool
  public var isMirrored: Bool
  /// See `InstanceFormat`.
  public var floats: [Float]
}

extension FramePlanner {
  /// What the output and then each of the plan's targets show once the plan is drawn, back to front; nothing for a target that
  /// is looked at while it is drawn.
  public func drawnQuads() -> [[DrawnQuad]] {
    let targets = [TargetReference.output] + plan.targets.indices.map { .target(Int32($0)) }
    return targets.map { target in
      guard let list = memory.pass(of: target)?.quads else { return [] }
      return list.quads.map { quad in
        let key = list.key(of: quad)
        let floats = list.floats[Int(quad.first)..<Int(quad.first) + key.variant.format.stride]
        return DrawnQuad(
          bounds: quad.bounds, variant: key.variant, texture: key.texture, backdrop: key.backdrop, filter: key.filter,
          blending: key.blending, isCopy: key.isCopy, isMirrored: key.isMirrored, floats: Array(floats))
      }
    }
  }
}

import Geometry

/// Gathers the quads of a pass into batches: quads of one program, texture and blending are drawn together as far as
/// painter's order allows, which is as long as they overlap nothing that was drawn in between. The picture is the same
/// as without.
struct Batcher {
  private struct Key: Hashable {
    var variant: ShaderVariant
    var texture: TextureReference
    var filter: TextureFilter
    var blending: Blending
    var isCopy = false
    var isMirrored = false
    var backdrop = TextureReference.none
  }
  private struct Quad {
    var batch: Int32
    /// Where its floats begin.
    var first: Int32
  }
  private struct Draft {
    var key: Key
    var count = 0
  }

  /// The whole frame's instances, batch by batch.
  private(set) var instances: [Float] = []
  // The pass in hand, in the order of emission.
  private var floats: [Float] = []
  private var quads: [Quad] = []
  private var drafts: [Draft] = []
  private var latest: [Key: Int32] = [:]
  private var overlap = OverlapGrid()
  private var shadedPixels = 0
  private var offsets: [Int] = []

  mutating func beginFrame() { instances.removeAll(keepingCapacity: true) }

  mutating func beginPass(_ size: PixelSize) {
    floats.removeAll(keepingCapacity: true)
    quads.removeAll(keepingCapacity: true)
    drafts.removeAll(keepingCapacity: true)
    latest.removeAll(keepingCapacity: true)
    overlap.reset(size)
    shadedPixels = 0
  }

  // MARK: Quads

  mutating func addFill(_ rect: PixelRect, _ color: PremultipliedColor, isBlended: Bool) {
    begin(Key(variant: .fill, texture: .none, filter: .nearest, blending: isBlended ? .over : .replace), rect)
    rect.append(to: &floats)
    floats.append(color.red)
    floats.append(color.green)
    floats.append(color.blue)
    floats.append(color.alpha)
  }

  mutating func addImage(
    _ image: ImageQuad, texture: TextureReference, filter: TextureFilter, blending: Blending, isCopy: Bool,
    isMirrored: Bool
  ) {
    var key = Key(
      variant: image.effect.variant, texture: texture, filter: filter, blending: blending, isCopy: isCopy,
      isMirrored: isMirrored)
    if case .blend(let place) = image.effect { key.backdrop = place.behind }
    begin(key, image.rect)
    image.append(to: &floats)
  }

  mutating func addShape(
    _ shape: ShapeQuad, bounds: PixelRect, texture: TextureReference, filter: TextureFilter, curve: TextureCurve,
    blending: Blending
  ) {
    let isTextured = texture != .none
    let variant = ShaderVariant(format: .shape, isTextured: isTextured, isClipped: shape.clip != nil, curve: curve)
    begin(
      Key(variant: variant, texture: texture, filter: isTextured ? filter : .nearest, blending: blending), bounds)
    shape.append(to: &floats)
  }

  /// Finds the batch for the quad whose floats follow.
  private mutating func begin(_ key: Key, _ bounds: PixelRect) {
    shadedPixels += bounds.area
    let last = Int32(drafts.count) - 1
    var batch = last
    if last < 0 || drafts[Int(last)].key != key {
      let earliest = overlap.latestBatch(under: bounds)
      if let known = latest[key], known >= earliest {
        batch = known
      } else {
        batch = last + 1
        drafts.append(Draft(key: key))
        latest[key] = batch
      }
    }
    drafts[Int(batch)].count += 1
    overlap.insert(bounds, batch: batch)
    quads.append(Quad(batch: batch, first: Int32(floats.count)))
  }

  // MARK: The end of a pass

  /// Lays the pass's instances out batch by batch.
  mutating func endPass(into plan: inout FramePlan) {
    offsets.removeAll(keepingCapacity: true)
    var end = instances.count
    for draft in drafts {
      offsets.append(end)
      var batch = Batch(
        variant: draft.key.variant, texture: draft.key.texture, filter: draft.key.filter,
        blending: draft.key.blending, isCopy: draft.key.isCopy, firstFloat: end, instanceCount: draft.count)
      batch.isMirrored = draft.key.isMirrored
      batch.backdrop = draft.key.backdrop
      plan.batches.append(batch)
      end += draft.count * draft.key.variant.format.stride
    }
    instances.append(contentsOf: repeatElement(0, count: end - instances.count))
    for quad in quads {
      let stride = drafts[Int(quad.batch)].key.variant.format.stride
      let target = offsets[Int(quad.batch)]
      let source = Int(quad.first)
      for index in 0..<stride { instances[target + index] = floats[source + index] }
      offsets[Int(quad.batch)] = target + stride
    }
    plan.counters.quads += quads.count
    plan.counters.shadedPixels += shadedPixels
  }
}

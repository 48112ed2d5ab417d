import Geometry

/// What quads have in common that one draw call draws.
struct QuadKey: Hashable {
  var variant: ShaderVariant
  var texture: TextureReference
  var filter: TextureFilter
  var blending: Blending
  /// Each pixel is one texel, as it is.
  var isTexels = false
  /// And nothing else is done to what it shows of a target, so that it may be copied.
  var isCopy = false
  var isMirrored = false
  var backdrop = TextureReference.none
}

/// The quads of a pass in painter's order, before they are batched.
struct QuadList {
  struct Quad {
    /// Index in `keys`.
    var key: Int32
    /// Where its floats begin.
    var first: Int32
    /// The pixels that it may change.
    var bounds: PixelRect
  }

  private(set) var keys: [QuadKey] = []
  private(set) var quads: [Quad] = []
  private(set) var floats: [Float] = []
  /// Floats that quads still have; the others are of quads that were replaced.
  private var liveFloats: Int { quads.reduce(0) { $0 + keys[Int($1.key)].variant.format.stride } }
  /// Takes turns with `quads` when some are replaced by more or fewer.
  private var spliced: [Quad] = []
  private var spareFloats: [Float] = []
  private var indices: [QuadKey: Int32] = [:]
  private var last: QuadKey?
  private var lastIndex: Int32 = -1

  mutating func removeAll() {
    keys.removeAll(keepingCapacity: true)
    quads.removeAll(keepingCapacity: true)
    floats.removeAll(keepingCapacity: true)
    indices.removeAll(keepingCapacity: true)
    (last, lastIndex) = (nil, -1)
  }

  // MARK: What emission adds

  mutating func addFill(_ rect: PixelRect, _ color: PremultipliedColor, isBlended: Bool) {
    begin(QuadKey(variant: .fill, texture: .none, filter: .nearest, blending: isBlended ? .over : .replace), rect)
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
    var key = QuadKey(
      variant: image.effect.variant(image.range), texture: texture, filter: filter, blending: blending, isCopy: isCopy,
      isMirrored: isMirrored)
    if case .blend(let place) = image.effect { key.backdrop = place.behind }
    begin(key, image.rect)
    image.append(to: &floats)
  }

  /// What most are: nothing is done to the picture's pixels.
  mutating func addPlainImage(
    _ rect: PixelRect, corner: Point, right: Point, down: Point, factor: Float, level: Double, _ key: QuadKey
  ) {
    begin(key, rect)
    ImageQuad.append(rect, corner: corner, right: right, down: down, to: &floats)
    floats.append(factor)
    floats.append(Float(level))
  }

  mutating func addShape(
    _ shape: ShapeQuad, bounds: PixelRect, texture: TextureReference, filter: TextureFilter, curve: TextureCurve,
    blending: Blending
  ) {
    let isTextured = texture != .none
    let variant = ShaderVariant(format: .shape, isTextured: isTextured, isClipped: shape.clip != nil, curve: curve)
    begin(
      QuadKey(variant: variant, texture: texture, filter: isTextured ? filter : .nearest, blending: blending), bounds)
    shape.append(to: &floats)
  }

  mutating func addEdge(_ edge: EdgeQuad, texture: TextureReference, filter: TextureFilter, blending: Blending) {
    let isTextured = texture != .none
    let variant = ShaderVariant.edge(isTextured: isTextured, isRounded: edge.radius > 0)
    begin(
      QuadKey(variant: variant, texture: texture, filter: isTextured ? filter : .nearest, blending: blending), edge.part
    )
    edge.append(to: &floats, isTextured: isTextured)
  }

  private mutating func begin(_ key: QuadKey, _ bounds: PixelRect) {
    if key != last {
      if let known = indices[key] {
        lastIndex = known
      } else {
        lastIndex = Int32(keys.count)
        indices[key] = lastIndex
        keys.append(key)
      }
      last = key
    }
    quads.append(Quad(key: lastIndex, first: Int32(floats.count), bounds: bounds))
  }

  // MARK: What takes the place of others

  /// A few quads, and those that were added at the end to take their place.
  struct Edit {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// Whether what takes the place is the same.
  func isSame(_ i: Int, _ j: Int) -> Bool {
    guard quads[i].bounds == quads[j].bounds, quads[i].key == quads[j].key else { return false }
    let (p, q) = (Int(quads[i].first), Int(quads[j].first))
    for index in 0..<keys[Int(quads[i].key)].variant.format.stride where floats[p + index] != floats[q + index] {
      return false
    }
    return true
  }

  /// Carries out the edits, whose old quads come in rising order, and takes away what was added from `end` on.
  mutating func replace(_ edits: [Edit], end: Int) {
    guard end < quads.count || !edits.isEmpty else { return }
    let floatEnd = end < quads.count ? Int(quads[end].first) : floats.count
    if edits.allSatisfy({ $0.old.count == $0.new.count }) {
      var isTailFree = true
      for edit in edits {
        for offset in 0..<edit.old.count {
          if !put(edit.new.lowerBound + offset, at: edit.old.lowerBound + offset) { isTailFree = false }
        }
      }
      quads.removeLast(quads.count - end)
      if isTailFree { floats.removeLast(floats.count - floatEnd) }
    } else {
      spliced.removeAll(keepingCapacity: true)
      var next = 0
      for edit in edits {
        spliced.append(contentsOf: quads[next..<edit.old.lowerBound])
        spliced.append(contentsOf: quads[edit.new])
        next = edit.old.upperBound
      }
      spliced.append(contentsOf: quads[next..<end])
      swap(&quads, &spliced)
    }
    if floats.count > 4096, floats.count > 3 * liveFloats { compact() }
  }

  /// Puts a quad in another's place; false where its floats must stay where they are.
  private mutating func put(_ new: Int, at old: Int) -> Bool {
    let stride = keys[Int(quads[new].key)].variant.format.stride
    guard keys[Int(quads[old].key)].variant.format.stride == stride else {
      quads[old] = quads[new]
      return false
    }
    let (from, to) = (Int(quads[new].first), Int(quads[old].first))
    for offset in 0..<stride { floats[to + offset] = floats[from + offset] }
    quads[old].key = quads[new].key
    quads[old].bounds = quads[new].bounds
    return true
  }

  /// Lets go of the floats of quads that are gone.
  private mutating func compact() {
    spareFloats.removeAll(keepingCapacity: true)
    for index in quads.indices {
      let first = Int(quads[index].first)
      quads[index].first = Int32(spareFloats.count)
      spareFloats.append(contentsOf: floats[first..<first + keys[Int(quads[index].key)].variant.format.stride])
    }
    swap(&floats, &spareFloats)
  }

  // MARK: Quads by index

  func key(of quad: Quad) -> QuadKey { keys[Int(quad.key)] }

  /// Whether nothing behind it shows through.
  func isOpaque(_ quad: Quad) -> Bool { keys[Int(quad.key)].blending == .replace }

  /// Puts a quad's floats where they are to stand.
  func copy(_ quad: Quad, to instances: inout [Float], at target: Int) {
    let first = Int(quad.first)
    for offset in 0..<keys[Int(quad.key)].variant.format.stride { instances[target + offset] = floats[first + offset] }
  }

  /// Cuts a quad of whole pixels to a part of itself. False for one that can't be cut.
  func append(_ quad: Quad, cutTo part: PixelRect, to instances: inout [Float]) {
    let key = keys[Int(quad.key)]
    let first = Int(quad.first)
    if part == quad.bounds || !key.isCuttable {
      for index in first..<first + key.variant.format.stride { instances.append(floats[index]) }
      return
    }
    let (dx, dy) = (Float(part.minX - quad.bounds.minX), Float(part.minY - quad.bounds.minY))
    part.append(to: &instances)
    switch key.variant.format {
    case .image, .colors:
      instances.append(floats[first + 4] + dx * floats[first + 6] + dy * floats[first + 8])
      instances.append(floats[first + 5] + dx * floats[first + 7] + dy * floats[first + 9])
      for index in (first + 6)..<(first + key.variant.format.stride) { instances.append(floats[index]) }
    default:
      for index in (first + 4)..<(first + key.variant.format.stride) { instances.append(floats[index]) }
    }
  }
}

extension QuadKey {
  /// Whether a part of it, drawn alone, is the same as when all is drawn. What is sampled is only where coordinates are
  /// worked out from the quad's corner to the last bit: for fills, and for texels that are taken one by one.
  var isCuttable: Bool {
    switch variant.format {
    case .fill: true
    case .image: isTexels || isCopy
    default: false
    }
  }
}

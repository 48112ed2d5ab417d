import Geometry

extension QuadList {
  /// Where a quad shows the damaged part of the target that it samples; never too little.
  /// - Parameter isBackdrop: it is the second one that it samples.
  func shown(_ damage: Damage, by quad: Quad, of size: PixelSize, isBackdrop: Bool = false) -> PixelRect {
    if damage.isEverything { return quad.bounds }
    var shown = PixelRect.empty
    if let offset = copyOffset(of: quad, size) {
      for rect in damage.rects {
        let part = rect.offsetBy(dx: -offset.x, dy: -offset.y).intersection(quad.bounds)
        if !part.isEmpty { shown = shown.union(part) }
      }
      return shown
    }
    let map = isBackdrop ? backdropMap(of: quad, size) : textureMap(of: quad, size)
    guard let toTexture = map, let inverse = toTexture.inverse else { return quad.bounds }
    let reach = textureReach(of: quad, size)
    for rect in damage.rects {
      let texels = rect.rect.insetBy(dx: -reach, dy: -reach)
      // In perspective a corner may lie behind the eye.
      if !inverse.isAffine, texels.corners.contains(where: { inverse.project($0).w <= ProjectedPolygon.nearestW }) {
        return quad.bounds
      }
      let box = inverse.boundingBox(of: texels)
      guard box.isFinite else { return quad.bounds }
      let part = PixelRect(enclosing: box.insetBy(dx: -1, dy: -1)).intersection(quad.bounds)
      if !part.isEmpty { shown = shown.union(part) }
    }
    return shown
  }

  /// For a quad that is whole texels as they are, of a texture of this size: from its pixels to those; else nil.
  func copyOffset(of quad: Quad, _ size: PixelSize) -> (x: Int32, y: Int32)? {
    guard key(of: quad).isCopy else { return nil }
    let f = Int(quad.first)
    let (x, y) = (floats[f + 4] * Float(size.width), floats[f + 5] * Float(size.height))
    guard x.magnitude < 1e6, y.magnitude < 1e6 else { return nil }
    return (Int32(x.rounded()) - quad.bounds.minX, Int32(y.rounded()) - quad.bounds.minY)
  }

  /// From the pass's pixels to the texels of what lies behind a blended quad.
  private func backdropMap(of quad: Quad, _ size: PixelSize) -> Homography? {
    guard key(of: quad).variant.format == .blend else { return nil }
    let f = Int(quad.first)
    func value(_ index: Int) -> Double { Double(floats[f + index]) }
    let (width, height) = (Double(size.width), Double(size.height))
    return Homography(
      m11: value(14) * width, m22: value(15) * height, m41: (value(12) - value(0) * value(14)) * width,
      m42: (value(13) - value(1) * value(15)) * height)
  }

  /// From the pass's pixels to the sampled texture's texels; nil where it is not known.
  private func textureMap(of quad: Quad, _ size: PixelSize) -> Homography? {
    let f = Int(quad.first)
    func value(_ index: Int) -> Double { Double(floats[f + index]) }
    let (width, height) = (Double(size.width), Double(size.height))
    switch key(of: quad).variant.format {
    case .image, .colors, .blur, .blend:
      let (x, y) = (value(0), value(1))
      return Homography(
        m11: value(6) * width, m12: value(7) * height, m21: value(8) * width, m22: value(9) * height,
        m41: (value(4) - x * value(6) - y * value(8)) * width, m42: (value(5) - x * value(7) - y * value(9)) * height)
    case .shape:
      guard key(of: quad).variant.curve == .none else { return nil }
      let toLayer = Homography(
        m11: value(12), m12: value(13), m14: value(14), m21: value(15), m22: value(16), m24: value(17),
        m41: value(18), m42: value(19), m44: value(20))
      let toTexture = Homography(
        m11: value(36) * width, m12: value(37) * height, m21: value(38) * width, m22: value(39) * height,
        m41: value(40) * width, m42: value(41) * height)
      return .translation(x: -value(8), y: -value(9)) * toLayer * toTexture
    case .edge:
      return Homography(
        m11: value(14) * width, m22: value(15) * height, m41: (value(12) - value(0) * value(14)) * width,
        m42: (value(13) - value(1) * value(15)) * height)
    case .fill, .lens: return nil
    }
  }

  /// How many texels around a point count for what shows there.
  private func textureReach(of quad: Quad, _ size: PixelSize) -> Double {
    let f = Int(quad.first)
    let key = key(of: quad)
    switch key.variant.format {
    case .blur:
      let steps = Double(floats[f + 14]) + 1
      return 2 + steps
        * max(
          Double(floats[f + 12]).magnitude * Double(size.width), Double(floats[f + 13]).magnitude * Double(size.height))
    case .image, .colors, .shape, .blend, .edge:
      let level = Double(floats[f + 11])
      return key.filter == .nearest && level == 0 ? 1 : 2 * Double(1 << Int(max(0, min(30, level))))
    default: return 0
    }
  }
}

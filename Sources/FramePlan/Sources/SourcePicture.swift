import Commit
import Geometry
import RenderTree

/// What makes two uses be served by the same pixels: scale, and place between pixels.
struct ExactKey: Equatable {
  var scaleX: Double
  var scaleY: Double
  var phaseX: Double
  var phaseY: Double

  init?(_ matrix: Homography) {
    guard matrix.isScaleAndTranslation, matrix.m11 > 0, matrix.m22 > 0 else { return nil }
    func phase(_ value: Double) -> Double {
      let snapped = value.snappedToGrid
      let phase = ((snapped - snapped.rounded(.down)) * 1024).rounded() / 1024
      return phase >= 1 ? 0 : phase
    }
    // Two ways of multiplying the same matrices differ in their last bits.
    func settled(_ scale: Double) -> Double { (scale * 4_294_967_296).rounded() / 4_294_967_296 }
    scaleX = settled(matrix.m11)
    scaleY = settled(matrix.m22)
    phaseX = phase(matrix.m41)
    phaseY = phase(matrix.m42)
  }
}

/// A picture of a source's content that could be drawn once: at which scale, of which part, and what it would save.
struct SourcePicture {
  /// Pixels a point.
  var scaleX = 0.0
  var scaleY = 0.0
  /// Where the layer space's origin lies between pixels, 0 ..< 1.
  var phaseX = 0.0
  var phaseY = 0.0
  /// Its uses show it one to one on the pixel grid.
  var isExact: Bool
  /// How many uses it would serve, what of the source they can show, and on how many pixels.
  var uses = 0
  var part = Rect.zero
  var shownPixels = 0
  /// The scale of the use that shows it smallest.
  var smallestScale = Double.infinity
  /// Pixels of the source's space at this scale and phase that the uses can show.
  var region = PixelRect.empty
  var mipLevels = 0
  /// Its uses show these pixels, whatever it costs.
  var pixels: SourcePixels?
  /// In the pixels of `region`, what is not mirrored where something in it looks at what lies behind; nil for all.
  var limit: PixelRect?
  /// Some texture can hold it.
  var isPossible = false
  /// What drawing the uses inline costs, and what the picture costs with showing it.
  var inlineCost = 0.0
  var textureCost = 0.0

  init(_ key: ExactKey) {
    isExact = true
    (scaleX, scaleY, phaseX, phaseY) = (key.scaleX, key.scaleY, key.phaseX, key.phaseY)
  }

  init() { isExact = false }

  init?(_ pixels: SourcePixels) {
    isExact = false
    self.pixels = pixels
    guard place(pixels) else { return nil }
  }

  /// Makes it of these pixels. They lie where they lie, to the last digit: which of them shows is decided by less than a phase
  /// of those that are copied is rounded by.
  mutating func place(_ pixels: SourcePixels) -> Bool {
    let matrix = pixels.matrix
    guard matrix.isFinite, matrix.m11 > 0, matrix.m22 > 0 else { return false }
    (scaleX, scaleY) = (matrix.m11, matrix.m22)
    (phaseX, phaseY) = (matrix.m41 - matrix.m41.rounded(.down), matrix.m42 - matrix.m42.rounded(.down))
    return true
  }

  /// Whether it has these very pixels.
  func has(_ key: ExactKey) -> Bool {
    scaleX == key.scaleX && scaleY == key.scaleY && phaseX == key.phaseX && phaseY == key.phaseY
  }

  mutating func add(_ part: Rect, _ cost: Double) {
    uses += 1
    self.part = self.part.union(part)
    inlineCost += cost
  }

  /// Whether it is drawn alike, or both are not drawn.
  func isDrawn(as other: SourcePicture) -> Bool {
    isExact == other.isExact && isWorthwhile == other.isWorthwhile
      && (!isWorthwhile
        || scaleX == other.scaleX && scaleY == other.scaleY && phaseX == other.phaseX && phaseY == other.phaseY
          && region == other.region && mipLevels == other.mipLevels)
  }

  /// The source's layer space to the region's pixels.
  var matrix: Homography {
    Homography(
      m11: scaleX, m22: scaleY, m41: phaseX - Double(region.minX), m42: phaseY - Double(region.minY))
  }

  /// A picture that must be resampled is a little less sharp than layers drawn at the place itself: not for a few.
  private static let fewUses = 8

  var isWorthwhile: Bool {
    isPossible && (pixels != nil || inlineCost > textureCost && (isExact || uses >= Self.fewUses))
  }

  var report: SourceReport.Picture {
    SourceReport.Picture(
      size: region.size, uses: uses, isExact: isExact, isDrawn: isWorthwhile, inlineCost: inlineCost.rounded(),
      textureCost: textureCost.rounded())
  }
}

extension FramePlanner {
  /// At most so many pictures of one source, each for one exact scale and place on the pixel grid.
  static let exactPictures = 4

  /// The pictures that the uses of a content could be served by; each use is told which.
  ///
  /// Upright uses of few different scales get a picture each, made at that very scale and place, so that they are
  /// plain copies. All others share one at the scale of the most demanding, which the rest sample smaller. Uses in
  /// place are never resampled: they share an exact picture or are drawn.
  /// - Complexity: O(uses).
  mutating func choosePictures(_ key: ContentKey, from first: Int32, into pictures: inout [SourcePicture]) {
    let measure = ContentMeasure(contentCosts[key], extent: extents.rects[Int(key.source)])
    pictures.removeAll(keepingCapacity: true)
    addExactPictures(from: first, isMany: measure.isMany, to: &pictures)
    let exactCount = pictures.count
    pictures.append(SourcePicture())
    var next = first
    while next >= 0 {
      let i = Int(next)
      next = uses[i].next
      guard isOpen(i) else { continue }
      uses[i].picture = -1
      guard uses[i].pixels < 0, !(uses[i].alpha < 1 && measure.isMany) else { continue }
      // What lies behind differs from place to place; and at the edge of what shows, from picture to picture.
      switch uses[i].reading {
      case .nothing: break
      case .behind: continue
      case .isolated: if !isWhole(i) { continue }
      }
      var picture = exactCount
      if let exact = uses[i].exactKey, let known = pictures[..<exactCount].firstIndex(where: { $0.has(exact) }) {
        picture = known
      } else if uses[i].portal < 0 || snapshot.portals[Int(uses[i].portal)].sampling == .nearest {
        // Nor those that show the source's own pixels where those are the place's.
        continue
      } else {
        pictures[picture].take(scalesOf: uses[i].matrix, uses[i].part)
      }
      uses[i].picture = Int32(picture)
      pictures[picture].add(uses[i].part, measure.inlineCost(part: uses[i].part, pixels: uses[i].visible.area))
      if measure.isMany, needsGroup(i) {
        pictures[picture].inlineCost += DrawingCost.group(pixels: uses[i].visible.area)
      }
      pictures[picture].shownPixels += uses[i].visible.area
      pictures[picture].textureCost += DrawingCost.sampling(
        pixels: uses[i].visible.area, isExact: pictures[picture].isExact)
    }
    if pictures[exactCount].uses == 0 { pictures.removeLast() }
    for index in pictures.indices {
      pictures[index].isPossible =
        options.caches && (pictures[index].isExact ? size(&pictures[index]) : sizeShared(&pictures[index], key))
      pictures[index].textureCost += pictureCost(key, pictures[index])
    }
    if snapshot.showsSourcePixels { addSourcePixels(key, from: first, to: &pictures) }
  }

  /// Whether it is to be decided what a use becomes: once, but where all is chosen again.
  func isOpen(_ use: Int) -> Bool { patch.isRunning || !uses[use].isResolved }

  /// Whether all of the content shows.
  private func isWhole(_ use: Int) -> Bool {
    PixelRect(enclosing: uses[use].matrix.boundingBox(of: extents.rects[Int(uses[use].key.source)]))
      == uses[use].visible
  }

  /// A picture for each of the different pixels that upright portals want, in the order in which they come; none where they
  /// are too many.
  private func addExactPictures(from first: Int32, isMany: Bool, to pictures: inout [SourcePicture]) {
    var next = first
    while next >= 0 {
      let i = Int(next)
      next = uses[i].next
      // What multiplies into each layer by itself can't be done to their picture.
      guard uses[i].portal >= 0, isOpen(i), let key = uses[i].exactKey, !(uses[i].alpha < 1 && isMany),
        !pictures.contains(where: { $0.has(key) })
      else { continue }
      if pictures.count == Self.exactPictures { return pictures.removeAll(keepingCapacity: true) }
      pictures.append(SourcePicture(key))
    }
  }

  /// The resolution of a picture for uses of any transform.
  private func sizeShared(_ picture: inout SourcePicture, _ key: ContentKey) -> Bool {
    let (largestX, largestY) = (picture.scaleX, picture.scaleY)
    // What lies as the pixels do can't be resampled.
    guard !snapshot.dependsOnPixels, largestX > 0, largestY > 0, largestX.isFinite, largestY.isFinite else {
      return false
    }
    if picture.smallestScale > 0, picture.smallestScale.isFinite {
      picture.mipLevels = min(6, Self.mipLevel(max(largestX, largestY) / picture.smallestScale))
    }
    // At two texels for each pixel, what bilinear sampling blurs is about what a pixel's own area would: fewer look soft
    // once turned, more look jagged. That costs little where many uses share them, and is no more than what they cover; and else it
    // is worth what it costs as long as that is less than drawing the layers in each place would be.
    var finer = picture
    finer.scaleX *= 2.0.squareRoot()
    finer.scaleY *= 2.0.squareRoot()
    if finer.mipLevels > 0 { finer.mipLevels += 1 }
    if size(&finer),
      finer.region.area <= picture.shownPixels || finer.textureCost + pictureCost(key, finer) < finer.inlineCost
    {
      picture = finer
      return true
    }
    // One that is too large is not made coarser: it would be blurred.
    return size(&picture)
  }

  /// Finds the picture's region; false where it would be larger than a texture or than so many outputs.
  func size(_ picture: inout SourcePicture, outputs: Int = 4) -> Bool {
    let part = picture.part
    guard !part.isEmpty else { return false }
    let pixels = Rect(
      x: part.x * picture.scaleX + picture.phaseX, y: part.y * picture.scaleY + picture.phaseY,
      width: part.width * picture.scaleX, height: part.height * picture.scaleY)
    // Where it is filtered, a pixel of nothing around it at every mip level: what is sampled beyond the edge.
    picture.region = PixelRect(enclosing: pixels.snapped)
    if !picture.isExact { picture.region = picture.region.outset(by: 1 << picture.mipLevels) }
    if snapshot.dependsOnPixels { picture.region = picture.region.outset(by: snapshot.showsSourcePixels ? 2 : 1) }
    let size = picture.region.size
    let limit = max(outputs * plan.outputSize.area, 1 << 20)
    return size.width <= limits.maxTextureSize && size.height <= limits.maxTextureSize && size.area <= limit
  }
}

extension SourcePicture {
  /// Takes in at which scales a use shows the source: at its corners and middle, since in perspective they differ.
  fileprivate mutating func take(scalesOf matrix: Homography, _ part: Rect) {
    if matrix.isAffine {
      take(LinearMap(a: matrix.m11, b: matrix.m12, c: matrix.m21, d: matrix.m22))
      return
    }
    guard !part.isEmpty else { return }
    for corner in part.corners + [part.center] {
      if let map = matrix.scales(at: corner) { take(map) }
    }
  }

  private mutating func take(_ map: LinearMap) {
    scaleX = max(scaleX, length(map.a, map.b))
    scaleY = max(scaleY, length(map.c, map.d))
    smallestScale = min(smallestScale, map.singularValues.largest)
  }
}

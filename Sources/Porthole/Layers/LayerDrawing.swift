import Commit
import Geometry

/// What a layer that makes its own contents keeps: who makes them, and the last of them.
final class LayerDrawing {
  /// The pixels of one picture and where they lie.
  struct Raster {
    var image: Image?
    /// In layer space.
    var frame: Rect
  }

  private struct Key: Equatable {
    var size: PixelSize
    var scale: Double
    /// From the bounds' origin, in points.
    var offset: Point
  }

  /// The application's, for a layer that has no way of its own.
  var content: ((_ size: PixelSize, _ scale: Double) -> Image?)?
  /// The last used is the last. Two renderers that show the layer at two scales don't take turns drawing it.
  private var rasters: [(key: Key, image: Image?)] = []

  private static let rasterLimit = 2
  /// The most pixels of one raster. Of what would take more, what shows is made, where that is known; else it is made smaller
  /// and shown magnified.
  private static let areaLimit = 16.0 * 1024 * 1024
  /// Of one side: no larger than any device's textures.
  private static let sideLimit = 8192.0

  /// Forgets the pixels, so that they are made anew.
  func clear() { rasters.removeAll() }

  /// A part begins and ends at whole ones of these squares, in pixels, so that what is scrolled is not drawn for each frame.
  private static let partStep = 512.0

  /// The layer's contents for `scale` pixels per point; nil where it draws nothing.
  /// - Parameter part: what of it shows, in layer space, where it is too large to be drawn whole; nil for all.
  func raster(of layer: Layer, scale: Double, part: () -> Rect?) -> Raster? {
    let bounds = layer.bounds.standardized
    guard var extent = layer.drawnExtent, !extent.isEmpty, extent.isFinite, scale > 0 else { return nil }
    if layer.drawsByItself, Self.bounded(scale, extent) < scale, let part = part() {
      extent = Self.stepped(part, from: bounds.origin, scale).intersection(extent)
      // Nothing of it shows.
      if extent.isEmpty { return nil }
    }
    let scale = Self.bounded(scale, extent)
    // What is so large has no pixels to speak of.
    guard scale > 1e-9 else { return nil }
    // Whole pixels from the bounds' origin, which is where layers are laid out by. What is within a thousandth of a
    // pixel of a whole one is whole.
    let (dx, dy) = ((extent.x - bounds.x) * scale, (extent.y - bounds.y) * scale)
    let (left, top) = ((dx + 1e-3).rounded(.down), (dy + 1e-3).rounded(.down))
    let right = ((extent.maxX - bounds.x) * scale - 1e-3).rounded(.up)
    let bottom = ((extent.maxY - bounds.y) * scale - 1e-3).rounded(.up)
    guard let width = Int(exactly: max(1, right - left)), let height = Int(exactly: max(1, bottom - top)) else {
      return nil
    }
    let size = PixelSize(width: width, height: height)
    let frame = Rect(
      x: bounds.x + left / scale, y: bounds.y + top / scale, width: Double(width) / scale,
      height: Double(height) / scale)
    let key = Key(size: size, scale: scale, offset: Point(frame.x - bounds.x, frame.y - bounds.y))
    if let index = rasters.firstIndex(where: { $0.key == key }) {
      let known = rasters.remove(at: index)
      rasters.append(known)
      return Raster(image: known.image, frame: frame)
    }
    let image = layer.drawContents(in: frame, size: size, scale: scale)
    if rasters.count == Self.rasterLimit { rasters.removeFirst() }
    rasters.append((key, image))
    return Raster(image: image, frame: frame)
  }

  /// Grown to whole steps from where the layer's grid of pixels begins.
  private static func stepped(_ part: Rect, from origin: Point, _ scale: Double) -> Rect {
    let step = partStep / scale
    func down(_ value: Double, _ from: Double) -> Double { ((value - from) / step).rounded(.down) * step + from }
    func up(_ value: Double, _ from: Double) -> Double { ((value - from) / step).rounded(.up) * step + from }
    return Rect(
      minX: down(part.minX, origin.x), minY: down(part.minY, origin.y), maxX: up(part.maxX, origin.x),
      maxY: up(part.maxY, origin.y))
  }

  /// The scale, or one at which a raster of `extent` is not too large.
  private static func bounded(_ scale: Double, _ extent: Rect) -> Double {
    let area = (areaLimit / (extent.width * extent.height)).squareRoot()
    // A pixel of room for extents that don't begin on one.
    return min(scale, area, (sideLimit - 2) / max(extent.width, extent.height))
  }
}

extension Layer {
  /// Makes the layer's contents, in the place of `contents`, from the application's own pixels: called with the size in
  /// pixels at which the bounds are shown and the pixels per point, whenever either changes, before the frame that shows
  /// them. Nil draws nothing. It must not change layers.
  ///
  /// It is called with the largest scale at which a renderer, or a portal in it, shows the layer, and not again for frames
  /// in which that stays. Scales between two of eight steps an octave count as the next larger. Use `setNeedsDisplay` when
  /// what it draws changed.
  public final var draw: ((_ size: PixelSize, _ scale: Double) -> Image?)? {
    get { drawing?.content }
    set {
      if let newValue {
        let drawing = self.drawing ?? LayerDrawing()
        drawing.content = newValue
        drawing.clear()
        setDrawing(drawing)
      } else if drawing?.content != nil {
        drawing?.content = nil
        if drawsByItself { setNeedsDisplay() } else { setDrawing(nil) }
      }
    }
  }

  /// Has a layer that makes its own contents make them anew for the next frame; any other draws nothing else for it.
  public final func setNeedsDisplay() {
    guard let drawing else { return }
    drawing.clear()
    note(.contents)
  }

  final func setDrawing(_ new: LayerDrawing?) {
    drawing = new
    for link in links { link.context.drawsItself(self, new != nil) }
    note(.contents)
    note(.contentsFrame)
  }
}

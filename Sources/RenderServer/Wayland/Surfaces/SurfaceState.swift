import Commit
import Geometry

/// What a surface has been told since its last commit (`wl_surface`): what is nil stays as it is.
struct SurfaceChanges {
  /// The picture of the buffer that was attached, and its copy in memory; `.some(nil)` for none any more.
  var picture: SurfacePicture??
  var scale: Int?
  var transform: BufferTransform?
  /// Of a viewport.
  var source: Rect??
  var destination: Size??
  /// `.some(nil)` is everywhere.
  var input: InputRegion??
  var geometry: Rect?
  /// How far the surface is to move, as `attach` and `offset` say.
  var step: Point?
  var echoes = SurfaceEchoes()

  /// Takes over what was said later.
  mutating func absorb(_ later: SurfaceChanges) {
    if let picture = later.picture {
      self.picture = picture
    }
    scale = later.scale ?? scale
    transform = later.transform ?? transform
    source = later.source ?? source
    destination = later.destination ?? destination
    input = later.input ?? input
    geometry = later.geometry ?? geometry
    if let last = step, let further = later.step {
      step = Point(last.x + further.x, last.y + further.y)
    } else {
      step = later.step ?? step
    }
    echoes.absorb(later.echoes)
  }
}

/// A surface as it is shown.
struct SurfaceState {
  var picture: Image?
  /// On the buffer that the picture lies in, where there is no copy of it.
  var hold: BufferHold?
  var scale = 1
  var transform = BufferTransform.normal
  var source: Rect?
  var destination: Size?
  var input: InputRegion?
  /// The window's own rectangle, without its shadow; set by `xdg_surface`.
  var geometry: Rect?

  mutating func apply(_ changes: SurfaceChanges) {
    if let picture = changes.picture { (self.picture, hold) = (picture?.image, picture?.hold) }
    scale = changes.scale ?? scale
    transform = changes.transform ?? transform
    if let source = changes.source { self.source = source }
    if let destination = changes.destination { self.destination = destination }
    if let input = changes.input { self.input = input }
    geometry = changes.geometry ?? geometry
  }

  /// The size of the buffer as the surface sees it, before a viewport; nil without a buffer.
  var bufferSize: Size? {
    guard let picture else { return nil }
    let size = transform.apply(Size(width: Double(picture.width), height: Double(picture.height)))
    return Size(width: size.width / Double(scale), height: size.height / Double(scale))
  }

  /// In the surface's own units; zero without a buffer.
  var size: Size {
    guard let whole = bufferSize else { return .zero }
    return destination ?? source.map { Size(width: $0.width, height: $0.height) } ?? whole
  }

  /// The part of the picture that is shown, as `contentsRect` has it.
  var shownPart: Rect {
    guard let source, let whole = bufferSize, let picture else { return Rect(x: 0, y: 0, width: 1, height: 1) }
    let inBuffer = transform.inBuffer(source, ofSurface: whole)
    let (width, height) = (Double(picture.width) / Double(scale), Double(picture.height) / Double(scale))
    return Rect(
      x: inBuffer.x / width, y: inBuffer.y / height, width: inBuffer.width / width, height: inBuffer.height / height)
  }

  /// Where in the surface input is taken.
  func takesInput(at point: Point) -> Bool {
    Rect(origin: .zero, size: size).contains(point) && input?.contains(point) ?? true
  }
}

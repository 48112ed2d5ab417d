import Geometry
import WaylandProtocol

/// A client's `wp_viewporter`.
final class ViewporterObject: WpViewporter.RequestHandler {
  func destroy(_ resource: Resource<WpViewporter>) throws(ProtocolViolation) {}

  func getViewport(
    _ resource: Resource<WpViewporter>, id: consuming NewID<WpViewport>, surface: Resource<WlSurface>
  ) throws(ProtocolViolation) {
    guard let surface = surface.handler as? SurfaceObject else { return }
    guard surface.viewport == nil else {
      throw ProtocolViolation(WpViewporter.ErrorCode.viewportExists, "the surface has a viewport")
    }
    let object = ViewportObject(surface)
    object.resource = try id.create(object)
    surface.viewport = object
  }
}

/// A client's `wp_viewport`: which part of a buffer its surface shows, and how large.
final class ViewportObject: WpViewport.RequestHandler {
  private weak var surface: SurfaceObject?
  var resource: Resource<WpViewport>?

  init(_ surface: SurfaceObject) { self.surface = surface }

  func surfaceGone() { surface = nil }

  func destroy(_ resource: Resource<WpViewport>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<WpViewport>) {
    self.resource = nil
    surface?.setSource(nil)
    surface?.setDestination(nil)
    surface?.viewport = nil
  }

  func setSource(
    _ resource: Resource<WpViewport>, x: WireFixed, y: WireFixed, width: WireFixed, height: WireFixed
  ) throws(ProtocolViolation) {
    let surface = try living()
    let rect = Rect(x: x.doubleValue, y: y.doubleValue, width: width.doubleValue, height: height.doubleValue)
    if rect == Rect(x: -1, y: -1, width: -1, height: -1) { return surface.setSource(nil) }
    guard rect.x >= 0, rect.y >= 0, rect.width > 0, rect.height > 0 else {
      throw ProtocolViolation(
        WpViewport.ErrorCode.badValue, "a source of \(rect.width) × \(rect.height) at (\(rect.x), \(rect.y))")
    }
    surface.setSource(rect)
  }

  func setDestination(_ resource: Resource<WpViewport>, width: Int32, height: Int32) throws(ProtocolViolation) {
    let surface = try living()
    if width == -1, height == -1 { return surface.setDestination(nil) }
    guard width > 0, height > 0 else {
      throw ProtocolViolation(WpViewport.ErrorCode.badValue, "a destination of \(width) × \(height)")
    }
    surface.setDestination(Size(width: Double(width), height: Double(height)))
  }

  private func living() throws(ProtocolViolation) -> SurfaceObject {
    guard let surface else { throw ProtocolViolation(WpViewport.ErrorCode.noSurface, "the surface is gone") }
    return surface
  }

  /// Holds what a commit has shown against the buffer.
  /// - Parameter whole: the size of the buffer as the surface sees it.
  func check(_ source: Rect?, _ destination: Size?, _ whole: Size) throws(ProtocolViolation) {
    guard let source else { return }
    var fault: ProtocolViolation?
    if destination == nil, source.width != source.width.rounded() || source.height != source.height.rounded() {
      fault = ProtocolViolation(
        WpViewport.ErrorCode.badSize, "a source of \(source.width) × \(source.height) is no size of a surface")
    }
    if source.x + source.width > whole.width || source.y + source.height > whole.height {
      fault = ProtocolViolation(
        WpViewport.ErrorCode.outOfBuffer, "the source reaches beyond a buffer of \(whole.width) × \(whole.height)")
    }
    // These are errors of the viewport, not of the surface that was committed.
    if let fault { resource?.post(fault) }
  }
}

/// A client's `wp_presentation`.
final class PresentationTimeObject: WpPresentation.RequestHandler {
  func destroy(_ resource: Resource<WpPresentation>) throws(ProtocolViolation) {}

  func feedback(
    _ resource: Resource<WpPresentation>, surface: Resource<WlSurface>,
    callback: consuming NewID<WpPresentationFeedback>
  ) throws(ProtocolViolation) {
    try (surface.handler as? SurfaceObject)?.ask(callback)
  }
}

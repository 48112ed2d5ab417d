import Geometry
import WaylandProtocol

/// A window that the pointer or a finger moves or resizes, from a press on it to its release (`xdg_toplevel.move`, `resize`).
final class WindowDrag {
  private(set) weak var window: ToplevelObject?
  /// Which edges follow; nil moves the window.
  private let edges: XdgToplevel.ResizeEdge?
  /// Nil where it is the pointer that drags.
  let finger: Int32?
  private let start: Point
  private let frame: Rect

  /// - Parameters:
  ///   - frame: where the window is on the desk.
  ///   - start: where the pointer or the finger is there.
  init(_ window: ToplevelObject, edges: XdgToplevel.ResizeEdge?, frame: Rect, finger: Int32?, start: Point) {
    (self.window, self.edges, self.frame, self.start) = (window, edges, frame, start)
    self.finger = finger
    window.isResizing = edges != nil
  }

  private func has(_ edge: XdgToplevel.ResizeEdge) -> Bool {
    edges.map { $0.rawValue & edge.rawValue != 0 } ?? false
  }

  /// It has moved.
  func move(to point: Point, on desk: Desk) {
    guard let window else { return }
    let (dx, dy) = ((point.x - start.x).rounded(), (point.y - start.y).rounded())
    guard edges != nil else {
      _ = desk.place(window, at: Point(frame.x + dx, frame.y + dy))
      return
    }
    var size = Size(width: frame.width, height: frame.height)
    if has(.right) { size.width += dx } else if has(.left) { size.width -= dx }
    if has(.bottom) { size.height += dy } else if has(.top) { size.height -= dy }
    window.wantedSize = Size(width: max(1, min(16384, size.width)), height: max(1, min(16384, size.height)))
  }

  /// The window has another size: the edges that don't follow stay where they are.
  func resized(to size: Size, on desk: Desk) {
    guard let window, edges != nil else { return }
    let corner = Point(
      has(.left) ? frame.maxX - size.width : frame.x, has(.top) ? frame.maxY - size.height : frame.y)
    _ = desk.place(window, at: corner)
  }

  func end() { window?.isResizing = false }
}

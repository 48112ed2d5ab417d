import WaylandProtocol

/// The popups that hold the seat, such as an open menu with its submenus: until they end, no other client hears of the
/// pointer and of fingers, and a press outside of them ends them.
final class PopupGrab {
  private struct Entry { weak var popup: PopupObject? }
  /// From the first one opened; all of one client.
  private var entries: [Entry] = []
  /// The press that is on was outside, but on another surface of the client: it is the client's first.
  private var endsWithRelease = false

  /// The one that opened last; nil where none holds the seat.
  var top: PopupObject? { entries.last { $0.popup != nil }?.popup }
  var client: SurfaceClient? { top?.surface?.client }

  func add(_ popup: PopupObject) {
    if let client, client !== popup.surface?.client { end() }
    entries.removeAll { $0.popup == nil }
    entries.append(Entry(popup: popup))
  }

  func remove(_ popup: PopupObject) { entries.removeAll { $0.popup == nil || $0.popup === popup } }

  func forget(_ client: SurfaceClient) { entries.removeAll { $0.popup?.surface.map { $0.client === client } ?? true } }

  /// Whether a surface hears of input while the popups hold the seat.
  func admits(_ surface: SurfaceObject) -> Bool {
    guard let client else { return true }
    return surface.client === client
  }

  /// There is a press on a surface, or on none.
  /// - Returns: false for one that ends the popups, and does nothing else.
  func press(on surface: SurfaceObject?) -> Bool {
    guard let client else { return true }
    let isInside = entries.contains { entry in
      guard let own = entry.popup?.surface else { return false }
      return surface === own || surface?.isBelow(own) == true
    }
    guard !isInside else { return true }
    endsWithRelease = surface?.client === client
    if !endsWithRelease { end() }
    return endsWithRelease
  }

  func release() {
    guard endsWithRelease else { return }
    end()
  }

  /// Ends all of them, the topmost one first.
  func end() {
    endsWithRelease = false
    let ended = entries
    entries = []
    for entry in ended.reversed() { entry.popup?.dismiss() }
  }
}

import CWaylandShim
import Diagnostics

/// libwayland's own log.
public enum WaylandLog {
  /// Sends libwayland's lines to the log, category `wayland`, instead of to standard error.
  public static func install() {
    cwayland_set_log { isServer, line in
      guard let line else { return }
      let text = String(cString: line)
      Log.warning("wayland", "\(isServer != 0 ? "server" : "client"): \(text)")
    }
  }
}

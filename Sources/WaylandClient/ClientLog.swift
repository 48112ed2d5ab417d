import CWaylandShim
import Diagnostics

/// What libwayland logs at the client's end. The sentence of a protocol error comes by it and by nothing else.
enum ClientLog {
  /// The lines of the last protocol errors, newest last.
  private static let lines = Guarded<[String]>([])

  /// Takes over libwayland's log; done for each connection, since a server in the same process does so too.
  static func install() {
    cwayland_set_log { isServer, line in
      guard let line else { return }
      let text = String(cString: line)
      if isServer == 0, text.contains(": error ") {
        ClientLog.lines.withLock { lines in
          lines.append(text)
          if lines.count > 16 { lines.removeFirst() }
        }
      }
      Log.info("wayland", "\(isServer != 0 ? "server" : "client"): \(text)")
    }
  }

  /// The server's words for an error; nil where they were not heard. Forgets them.
  static func sentence(interface: String, object: UInt32, code: UInt32) -> String? {
    let end = "\(object): error \(code): "
    return lines.withLock { lines in
      guard
        let index = lines.lastIndex(where: { line in
          line.hasPrefix(interface) && line.contains(end)
        }), let range = lines[index].firstRange(of: end)
      else { return nil }
      return String(lines.remove(at: index)[range.upperBound...])
    }
  }
}

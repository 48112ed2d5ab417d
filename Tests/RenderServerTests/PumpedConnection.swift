import Diagnostics
import WaylandProtocol

/// A client's end whose server has turns only while the client waits.
extension ClientConnection {
  /// Turns of both ends until `isDone`; false after ten seconds.
  @discardableResult
  func turn(_ pump: () throws -> Void, until isDone: () -> Bool) throws -> Bool {
    let end = ProcessClock.monotonicNanoseconds + 10_000_000_000
    while ProcessClock.monotonicNanoseconds < end {
      _ = try flush()
      try read()
      if isDone() { return true }
      try pump()
    }
    return isDone()
  }

  /// Turns of both ends until the server has ended the connection; its error, nil where it has none.
  func violation(_ pump: () throws -> Void) throws -> (interface: String, code: UInt32)? {
    for _ in 0..<2000 {
      do {
        _ = try flush()
        try read()
      } catch {}
      if case .violation(let interface, _, let code)? = error { return (interface, code) }
      if error != nil { return nil }
      try pump()
    }
    return nil
  }
}

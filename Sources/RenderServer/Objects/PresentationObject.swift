import Commit
import CommitCoding
import Diagnostics
import RenderTree
import WaylandProtocol

/// A client's `porthole_presentation_v1`: what one of its layers shows right now.
final class PresentationObject: PortholePresentationV1.RequestHandler {
  private let session: ClientSession
  private let layer: LayerID

  /// An array in a message of 4096 bytes.
  private static let longestArray = 4000

  init(_ session: ClientSession, _ layer: LayerID) {
    self.session = session
    self.layer = layer
  }

  /// Of the properties that animations move, at this moment.
  func answer(_ resource: Resource<PortholePresentationV1>) {
    let tree = session.server.tree
    tree.advance(toNanoseconds: ProcessClock.monotonicNanoseconds)
    session.server.treeChanged()
    var records = PropertyRecords()
    for change in tree.tree.presentation(of: layer) ?? [] {
      var one = PropertyRecords()
      // What there is no record of did not come over the wire.
      guard (try? one.append(change)) == true else { continue }
      if records.byteCount + one.byteCount > Self.longestArray { send(&records, resource) }
      _ = try? records.append(change)
    }
    send(&records, resource)
    let time = FrameStamp(sequence: 0, time: ProcessClock.monotonicNanoseconds)
    resource.sendDone(secondsHi: time.secondsHigh, secondsLo: time.secondsLow, nanoseconds: time.nanoseconds)
  }

  private func send(_ records: inout PropertyRecords, _ resource: Resource<PortholePresentationV1>) {
    guard !records.isEmpty else { return }
    records.withBytes { resource.sendValues(records: $0) }
    records.removeAll()
  }
}

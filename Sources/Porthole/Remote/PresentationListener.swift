import Commit
import CommitCoding
import WaylandClient
import WaylandProtocol

/// Gathers what a server shows of a layer.
final class PresentationListener: PortholePresentationV1.EventHandler {
  private(set) var changes: [PropertyChange] = []
  private(set) var isDone = false

  func values(_ proxy: Proxy<PortholePresentationV1>, records: RawSpan) {
    records.withUnsafeBytes { bytes in
      // A property that this library does not know is none of a layer's here.
      try? PropertyRecords.decode(bytes) { changes.append($0) }
    }
  }

  func done(_ proxy: Proxy<PortholePresentationV1>, secondsHi: UInt32, secondsLo: UInt32, nanoseconds: UInt32) {
    isDone = true
  }
}

extension RenderServerConnection {
  /// What the server shows of the layer at this moment; waits for its answer. Nil for a layer that it does not have.
  public func presentation(of layer: Layer) throws(OffscreenError) -> LayerPresentation? {
    guard let proxy = tree.layers[layer.id] else { return nil }
    let listener = PresentationListener()
    let presentation = try talk { (wire) throws(WireError) in
      try wire.makeRoom()
      let presentation = proxy.getPresentation()
      presentation.handler = listener
      try wire.wait { listener.isDone }
      return presentation
    }
    presentation.destroy()
    return LayerPresentation(layer, listener.changes)
  }
}

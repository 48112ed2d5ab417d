import Commit
import GLES
import GLRenderer
import LinuxIO
import WaylandClient
import WaylandProtocol

extension Image {
  /// A picture that the GPU reads where it is, in a dma-buf. It must stay as it is until `released` is called, once and on any
  /// thread, when nobody reads it any more. Nothing is seen of it where no GPU draws.
  public convenience init?(
    _ buffer: DmaBuffer, fence: SharedDescriptor? = nil, released: (@Sendable () -> Void)? = nil
  ) {
    self.init(
      size: buffer.size, alpha: buffer.format.isOpaque ? .opaque : .premultiplied,
      foreign: DmaBufferContents(buffer, fence: fence, whenUnused: released))
  }
}

/// The dma-bufs of a connection as the server's objects: each is told of once, and lent for as long as the server shows it.
final class RemoteDmaBuffers {
  /// What the server's display can import.
  var support = DmaBufferSupport.none(reason: "the render server has named no format")
  private unowned let wire: WireConnection
  private let global: Proxy<PortholeV1>
  private var known: [ObjectIdentifier: Entry] = [:]

  private final class Entry: PortholeBufferV1.EventHandler {
    weak var buffer: DmaBuffer?
    let proxy: Proxy<PortholeBufferV1>
    /// Those that the server has not given back, in the order of their commits.
    var lent: [Image] = []

    init(_ buffer: DmaBuffer, _ proxy: Proxy<PortholeBufferV1>) {
      (self.buffer, self.proxy) = (buffer, proxy)
    }

    func release(_ proxy: Proxy<PortholeBufferV1>, serial: UInt32) { if !lent.isEmpty { lent.removeFirst() } }
    func usable(_ proxy: Proxy<PortholeBufferV1>) {}
    func unusable(_ proxy: Proxy<PortholeBufferV1>, reason: String) {
      MisuseLog.report("the render server's driver does not take a dma-buf: \(reason)")
    }
  }

  init(_ wire: WireConnection, _ global: Proxy<PortholeV1>) { (self.wire, self.global) = (wire, global) }

  func close() { known = [:] }

  /// Refuses a picture that the server can't draw.
  func check(_ image: Image, of layer: LayerID) throws(CommitError) {
    guard let contents = image.foreign as? DmaBufferContents else {
      throw CommitError(.outOfRange, layer: layer, property: "contents", "its picture is of a kind that can't be sent")
    }
    do { try support.require(contents.buffer.format) } catch {
      throw CommitError(.outOfRange, layer: layer, property: "contents", "its picture is a dma-buf, and \(error)")
    }
  }

  /// The server's object for a picture's dma-buf, to be used by the commit in the making; nil for another kind of picture.
  func lend(_ image: Image) throws(WireError) -> Proxy<PortholeBufferV1>? {
    guard let contents = image.foreign as? DmaBufferContents else { return nil }
    let entry = try entry(contents.buffer)
    // Several layers may show one picture by one commit, which is released once.
    if entry.lent.last !== image { entry.lent.append(image) }
    if let fence = contents.fence {
      try wire.flush()
      entry.proxy.setFence(fence: fence.descriptor)
      try wire.flush()
    }
    return entry.proxy
  }

  private func entry(_ buffer: DmaBuffer) throws(WireError) -> Entry {
    for (key, entry) in known where entry.buffer == nil {
      try wire.makeRoom()
      entry.proxy.destroy()
      known[key] = nil
    }
    if let entry = known[ObjectIdentifier(buffer)] { return entry }
    try wire.makeRoom()
    let planes = global.createDmaBuffer()
    for plane in buffer.planes {
      // A descriptor travels with the bytes around it; few fit.
      try wire.flush()
      planes.addPlane(fd: plane.descriptor.descriptor, offset: plane.offset, stride: plane.stride)
    }
    try wire.flush()
    try wire.makeRoom(64)
    let proxy = planes.createBuffer(
      width: UInt32(clamping: buffer.size.width), height: UInt32(clamping: buffer.size.height),
      format: buffer.format.fourcc, modifierHi: UInt32(truncatingIfNeeded: buffer.format.modifier >> 32),
      modifierLo: UInt32(truncatingIfNeeded: buffer.format.modifier))
    planes.destroy()
    let entry = Entry(buffer, proxy)
    proxy.handler = entry
    known[ObjectIdentifier(buffer)] = entry
    return entry
  }
}

import Commit
import GLES
import WaylandProtocol

/// What the server says to a connection as a whole, kept until the connection comes to it.
final class ServerAnswers: PortholeV1.EventHandler {
  enum Answer {
    case committed(UInt32)
    case refused(UInt32, layer: LayerID?, property: String?, message: String)
  }

  /// Those not dealt with yet, in order.
  var waiting: [Answer] = []
  /// By the number of the limit; what has no entry is not limited.
  private(set) var limits: [PortholeV1.Limit: UInt64] = [:]
  private(set) var knowsLimits = false
  private(set) var dmaBuffers = DmaBufferSupport.none(reason: "the render server has named no format")

  func limit(_ proxy: Proxy<PortholeV1>, limit: PortholeV1.Limit, valueHi: UInt32, valueLo: UInt32) {
    let value = UInt64(valueHi) << 32 | UInt64(valueLo)
    limits[limit] = value == .max ? nil : value
  }

  func done(_ proxy: Proxy<PortholeV1>) { knowsLimits = true }

  func dmaBufferFormat(_ proxy: Proxy<PortholeV1>, format: UInt32, modifierHi: UInt32, modifierLo: UInt32) {
    var formats: [DmaBufferFormat] = []
    if case .formats(let known) = dmaBuffers { formats = known }
    formats.append(DmaBufferFormat(fourcc: format, modifier: UInt64(modifierHi) << 32 | UInt64(modifierLo)))
    dmaBuffers = .formats(formats)
  }

  func noDmaBuffers(_ proxy: Proxy<PortholeV1>, reason: String) { dmaBuffers = .none(reason: reason) }

  func committed(_ proxy: Proxy<PortholeV1>, serial: UInt32) { waiting.append(.committed(serial)) }

  func refused(
    _ proxy: Proxy<PortholeV1>, serial: UInt32, reason: PortholeV1.Refusal, layer: Proxy<PortholeLayerV1>?,
    property: String?, message: String
  ) {
    waiting.append(.refused(serial, layer: RemoteTree.layer(of: layer), property: property, message: message))
  }
}

import Geometry
import WaylandProtocol

/// A client's `xdg_positioner`.
final class PositionerObject: XdgPositioner.RequestHandler {
  private(set) var positioner = Positioner()

  func destroy(_ resource: Resource<XdgPositioner>) throws(ProtocolViolation) {}

  func setSize(_ resource: Resource<XdgPositioner>, width: Int32, height: Int32) throws(ProtocolViolation) {
    guard width > 0, height > 0 else { throw invalid("a size of \(width) × \(height)") }
    positioner.size = Size(width: Double(width), height: Double(height))
  }

  func setAnchorRect(
    _ resource: Resource<XdgPositioner>, x: Int32, y: Int32, width: Int32, height: Int32
  ) throws(ProtocolViolation) {
    guard width >= 0, height >= 0 else { throw invalid("an anchor rectangle of \(width) × \(height)") }
    positioner.anchorRect = Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height))
  }

  func setAnchor(_ resource: Resource<XdgPositioner>, anchor: XdgPositioner.Anchor) throws(ProtocolViolation) {
    guard let side = Positioner.Side(number: anchor.rawValue) else { throw invalid("an anchor of \(anchor.rawValue)") }
    positioner.anchor = side
  }

  func setGravity(_ resource: Resource<XdgPositioner>, gravity: XdgPositioner.Gravity) throws(ProtocolViolation) {
    guard let side = Positioner.Side(number: gravity.rawValue) else {
      throw invalid("a gravity of \(gravity.rawValue)")
    }
    positioner.gravity = side
  }

  func setConstraintAdjustment(
    _ resource: Resource<XdgPositioner>, constraintAdjustment: UInt32
  ) throws(ProtocolViolation) {
    positioner.adjustment = Positioner.Adjustment(rawValue: constraintAdjustment)
  }

  func setOffset(_ resource: Resource<XdgPositioner>, x: Int32, y: Int32) throws(ProtocolViolation) {
    positioner.offset = Point(Double(x), Double(y))
  }

  func setReactive(_ resource: Resource<XdgPositioner>) throws(ProtocolViolation) { positioner.isReactive = true }

  /// What the parent will be is known here without the client's word for it.
  func setParentSize(
    _ resource: Resource<XdgPositioner>, parentWidth: Int32, parentHeight: Int32
  ) throws(ProtocolViolation) {}

  func setParentConfigure(_ resource: Resource<XdgPositioner>, serial: UInt32) throws(ProtocolViolation) {}

  private func invalid(_ what: String) -> ProtocolViolation {
    ProtocolViolation(XdgPositioner.ErrorCode.invalidInput, what)
  }
}

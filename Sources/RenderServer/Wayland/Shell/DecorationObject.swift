import WaylandProtocol

/// A client's `zxdg_decoration_manager_v1`.
final class DecorationManagerObject: ZxdgDecorationManagerV1.RequestHandler {
  func destroy(_ resource: Resource<ZxdgDecorationManagerV1>) throws(ProtocolViolation) {}

  func getToplevelDecoration(
    _ resource: Resource<ZxdgDecorationManagerV1>, id: consuming NewID<ZxdgToplevelDecorationV1>,
    toplevel: Resource<XdgToplevel>
  ) throws(ProtocolViolation) {
    guard let toplevel = toplevel.handler as? ToplevelObject else { return }
    let object = DecorationObject(toplevel)
    let decoration = try id.create(object)
    if toplevel.decoration != nil {
      decoration.post(
        ProtocolViolation(ZxdgToplevelDecorationV1.ErrorCode.alreadyConstructed, "the window has a decoration object"))
    } else if toplevel.surface?.hasBuffer == true {
      decoration.post(
        ProtocolViolation(ZxdgToplevelDecorationV1.ErrorCode.unconfiguredBuffer, "the window has a buffer already"))
    }
    object.resource = decoration
    toplevel.decoration = object
  }
}

/// A client's `zxdg_toplevel_decoration_v1`. The server draws no frames: who leaves its own away has none, which is how a
/// source should look.
final class DecorationObject: ZxdgToplevelDecorationV1.RequestHandler {
  private weak var toplevel: ToplevelObject?
  var resource: Resource<ZxdgToplevelDecorationV1>?

  init(_ toplevel: ToplevelObject) { self.toplevel = toplevel }

  func destroy(_ resource: Resource<ZxdgToplevelDecorationV1>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<ZxdgToplevelDecorationV1>) { self.resource = nil }

  func setMode(
    _ resource: Resource<ZxdgToplevelDecorationV1>, mode: ZxdgToplevelDecorationV1.Mode
  ) throws(ProtocolViolation) {
    toplevel?.window.configure()
  }

  func unsetMode(_ resource: Resource<ZxdgToplevelDecorationV1>) throws(ProtocolViolation) {
    toplevel?.window.configure()
  }

  func sendConfigure() { resource?.sendConfigure(mode: .serverSide) }
}

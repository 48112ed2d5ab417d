import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

/// A rule of a protocol, and how a program breaks it.
enum Breach: String, CaseIterable, CustomTestStringConvertible {
  case scaleOfZero, unknownTransform, sizeOffScale
  case formatUnknown, bufferBeyondPool, rowsTooShort, poolOfNothing, poolOfPipe
  case ownSubsurface, ownAncestor, secondSubsurface, strangerAsSibling
  case secondViewport, viewportOfNothing, sourceNegative, sourceBeyondBuffer, sourceOffPixels, viewportWithoutSurface
  case bufferUnconfigured, shellSurfaceWithBuffer, shellSurfaceOfSubsurface, secondToplevel, commitUnconstructed
  case serialUnknown, geometryEmpty, shellBeforeSurfaces, surfaceBeforeRole
  case positionerIncomplete, positionerEmpty, popupWithoutParent, popupNotTopmost
  case ownParent, limitNegative, edgeUnknown
  case grabLate, grabAboveNone, decorationTwice, decorationLate, decorationOrphaned, iconOfWindow
  case cursorOfWindow, actionsUnknown, tokenTwice, tokenLate

  var testDescription: String { rawValue }

  /// The interface whose object has the error, and the error.
  var error: (String, UInt32) {
    switch self {
    case .scaleOfZero: (WlSurface.name, WlSurface.ErrorCode.invalidScale.rawValue)
    case .unknownTransform: (WlSurface.name, WlSurface.ErrorCode.invalidTransform.rawValue)
    case .sizeOffScale: (WlSurface.name, WlSurface.ErrorCode.invalidSize.rawValue)
    case .formatUnknown: (WlShmPool.name, WlShm.ErrorCode.invalidFormat.rawValue)
    case .bufferBeyondPool, .rowsTooShort: (WlShmPool.name, WlShm.ErrorCode.invalidStride.rawValue)
    case .poolOfNothing: (WlShm.name, WlShm.ErrorCode.invalidStride.rawValue)
    case .poolOfPipe: (WlShm.name, WlShm.ErrorCode.invalidFd.rawValue)
    case .ownSubsurface, .ownAncestor, .secondSubsurface:
      (WlSubcompositor.name, WlSubcompositor.ErrorCode.badSurface.rawValue)
    case .strangerAsSibling: (WlSubsurface.name, WlSubsurface.ErrorCode.badSurface.rawValue)
    case .secondViewport: (WpViewporter.name, WpViewporter.ErrorCode.viewportExists.rawValue)
    case .viewportOfNothing, .sourceNegative: (WpViewport.name, WpViewport.ErrorCode.badValue.rawValue)
    case .sourceBeyondBuffer: (WpViewport.name, WpViewport.ErrorCode.outOfBuffer.rawValue)
    case .sourceOffPixels: (WpViewport.name, WpViewport.ErrorCode.badSize.rawValue)
    case .viewportWithoutSurface: (WpViewport.name, WpViewport.ErrorCode.noSurface.rawValue)
    case .bufferUnconfigured: (XdgSurface.name, XdgSurface.ErrorCode.unconfiguredBuffer.rawValue)
    case .shellSurfaceWithBuffer: (XdgWmBase.name, XdgWmBase.ErrorCode.invalidSurfaceState.rawValue)
    case .shellSurfaceOfSubsurface: (XdgWmBase.name, XdgWmBase.ErrorCode.role.rawValue)
    case .secondToplevel: (XdgSurface.name, XdgSurface.ErrorCode.alreadyConstructed.rawValue)
    case .commitUnconstructed: (XdgSurface.name, XdgSurface.ErrorCode.notConstructed.rawValue)
    case .serialUnknown: (XdgSurface.name, XdgSurface.ErrorCode.invalidSerial.rawValue)
    case .geometryEmpty: (XdgSurface.name, XdgSurface.ErrorCode.invalidSize.rawValue)
    // Of an object that the program has destroyed, which it knows by no name any more.
    case .shellBeforeSurfaces: (WlDisplay.name, XdgWmBase.ErrorCode.defunctSurfaces.rawValue)
    case .surfaceBeforeRole: (WlDisplay.name, XdgSurface.ErrorCode.defunctRoleObject.rawValue)
    case .positionerIncomplete: (XdgWmBase.name, XdgWmBase.ErrorCode.invalidPositioner.rawValue)
    case .positionerEmpty: (XdgPositioner.name, XdgPositioner.ErrorCode.invalidInput.rawValue)
    case .popupWithoutParent: (XdgWmBase.name, XdgWmBase.ErrorCode.invalidPopupParent.rawValue)
    case .popupNotTopmost: (XdgWmBase.name, XdgWmBase.ErrorCode.notTheTopmostPopup.rawValue)
    case .ownParent: (XdgToplevel.name, XdgToplevel.ErrorCode.invalidParent.rawValue)
    case .limitNegative: (XdgToplevel.name, XdgToplevel.ErrorCode.invalidSize.rawValue)
    case .edgeUnknown: (XdgToplevel.name, XdgToplevel.ErrorCode.invalidResizeEdge.rawValue)
    case .grabLate, .grabAboveNone: (XdgPopup.name, XdgPopup.ErrorCode.invalidGrab.rawValue)
    case .decorationTwice:
      (ZxdgToplevelDecorationV1.name, ZxdgToplevelDecorationV1.ErrorCode.alreadyConstructed.rawValue)
    case .decorationLate:
      (ZxdgToplevelDecorationV1.name, ZxdgToplevelDecorationV1.ErrorCode.unconfiguredBuffer.rawValue)
    case .decorationOrphaned:
      (ZxdgToplevelDecorationV1.name, ZxdgToplevelDecorationV1.ErrorCode.orphaned.rawValue)
    case .iconOfWindow: (WlDataDevice.name, WlDataDevice.ErrorCode.role.rawValue)
    case .cursorOfWindow: (WlPointer.name, WlPointer.ErrorCode.role.rawValue)
    case .actionsUnknown: (WlDataSource.name, WlDataSource.ErrorCode.invalidActionMask.rawValue)
    case .tokenTwice, .tokenLate: (XdgActivationTokenV1.name, XdgActivationTokenV1.ErrorCode.alreadyUsed.rawValue)
    }
  }

  func commit(_ program: TestProgram) throws {
    let surface = program.keep(program.compositor.createSurface())
    let picture = program.keep(try TestProgram.Picture(program, 8, 6) { _, _ in 0xFFFF_FFFF })
    func window() throws -> TestProgram.Window { try program.window(picture) }
    func popup(_ parent: Proxy<XdgSurface>?, _ change: (Proxy<XdgPositioner>) -> Void) -> Proxy<XdgPopup> {
      let positioner = program.shell.createPositioner()
      change(positioner)
      let surface = program.keep(program.compositor.createSurface())
      return program.keep(
        program.keep(program.shell.getXdgSurface(surface: surface)).getPopup(parent: parent, positioner: positioner))
    }
    func complete(_ positioner: Proxy<XdgPositioner>) {
      positioner.setSize(width: 1, height: 1)
      positioner.setAnchorRect(x: 0, y: 0, width: 1, height: 1)
    }
    switch self {
    case .scaleOfZero: surface.setBufferScale(scale: 0)
    case .unknownTransform: surface.setBufferTransform(transform: WlOutput.Transform(rawValue: 8))
    case .sizeOffScale:
      surface.setBufferScale(scale: 4)
      program.show(picture, in: surface)
    case .formatUnknown:
      _ = picture.pool.createBuffer(
        offset: 0, width: 1, height: 1, stride: 4, format: WlShm.Format(rawValue: 0x1234_5678))
    case .bufferBeyondPool:
      _ = picture.pool.createBuffer(offset: 8, width: 8, height: 6, stride: 32, format: .argb8888)
    case .rowsTooShort: _ = picture.pool.createBuffer(offset: 0, width: 8, height: 1, stride: 31, format: .argb8888)
    case .poolOfNothing: _ = program.shm.createPool(fd: picture.memory.descriptor, size: 0)
    case .poolOfPipe: _ = program.shm.createPool(fd: try PipeEnds().writer.descriptor, size: 64)
    case .ownSubsurface: _ = program.subcompositor.getSubsurface(surface: surface, parent: surface)
    case .ownAncestor:
      let other = program.keep(program.compositor.createSurface())
      _ = program.subcompositor.getSubsurface(surface: surface, parent: other)
      _ = program.subcompositor.getSubsurface(surface: other, parent: surface)
    case .secondSubsurface:
      let other = program.keep(program.compositor.createSurface())
      _ = program.subcompositor.getSubsurface(surface: surface, parent: other)
      _ = program.subcompositor.getSubsurface(surface: surface, parent: other)
    case .strangerAsSibling:
      let other = program.keep(program.compositor.createSurface())
      let stranger = program.keep(program.compositor.createSurface())
      program.keep(program.subcompositor.getSubsurface(surface: surface, parent: other)).placeAbove(sibling: stranger)
    case .secondViewport:
      for _ in 0..<2 { _ = program.viewporter.getViewport(surface: surface) }
    case .viewportOfNothing:
      program.keep(program.viewporter.getViewport(surface: surface)).setDestination(width: 0, height: 4)
    case .sourceNegative:
      program.keep(program.viewporter.getViewport(surface: surface)).setSource(
        x: WireFixed(-2), y: WireFixed(0), width: WireFixed(1), height: WireFixed(1))
    case .sourceBeyondBuffer:
      program.keep(program.viewporter.getViewport(surface: surface)).setSource(
        x: WireFixed(4), y: WireFixed(0), width: WireFixed(5), height: WireFixed(1))
      program.show(picture, in: surface)
    case .sourceOffPixels:
      program.keep(program.viewporter.getViewport(surface: surface)).setSource(
        x: WireFixed(0), y: WireFixed(0), width: WireFixed(1.5), height: WireFixed(1))
      program.show(picture, in: surface)
    case .viewportWithoutSurface:
      let viewport = program.keep(program.viewporter.getViewport(surface: surface))
      surface.destroy()
      viewport.setDestination(width: 1, height: 1)
    case .bufferUnconfigured:
      program.keep(program.keep(program.shell.getXdgSurface(surface: surface)).getToplevel())
      program.show(picture, in: surface)
    case .shellSurfaceWithBuffer:
      program.show(picture, in: surface)
      _ = program.shell.getXdgSurface(surface: surface)
    case .shellSurfaceOfSubsurface:
      _ = program.subcompositor.getSubsurface(surface: surface, parent: program.compositor.createSurface())
      _ = program.shell.getXdgSurface(surface: surface)
    case .secondToplevel:
      let xdg = program.keep(program.shell.getXdgSurface(surface: surface))
      for _ in 0..<2 { _ = xdg.getToplevel() }
    case .commitUnconstructed:
      program.keep(program.shell.getXdgSurface(surface: surface))
      surface.commit()
    case .serialUnknown: try window().xdg.ackConfigure(serial: 0xFFFF_0000)
    case .geometryEmpty: try window().xdg.setWindowGeometry(x: 0, y: 0, width: 0, height: 4)
    case .shellBeforeSurfaces:
      program.keep(program.shell.getXdgSurface(surface: surface))
      program.shell.destroy()
    case .surfaceBeforeRole: try window().xdg.destroy()
    case .positionerIncomplete: program.keep(popup(try window().xdg) { $0.setSize(width: 4, height: 4) })
    case .positionerEmpty: program.keep(program.shell.createPositioner()).setSize(width: 0, height: 4)
    case .popupWithoutParent: program.keep(popup(nil, complete))
    case .popupNotTopmost:
      let parent = try window()
      let positioner = program.shell.createPositioner()
      complete(positioner)
      let lower = program.keep(program.shell.getXdgSurface(surface: surface))
      let first = program.keep(lower.getPopup(parent: parent.xdg, positioner: positioner))
      program.keep(popup(lower, complete))
      first.destroy()
    case .ownParent:
      let window = try window()
      window.toplevel.setParent(parent: window.toplevel)
    case .limitNegative: try window().toplevel.setMinSize(width: -1, height: 0)
    case .edgeUnknown:
      try window().toplevel.resize(seat: program.seat, serial: 0, edges: XdgToplevel.ResizeEdge(rawValue: 3))
    case .grabLate:
      let parent = try window()
      let positioner = program.keep(program.shell.createPositioner())
      complete(positioner)
      let xdg = program.keep(program.shell.getXdgSurface(surface: surface))
      let popup = program.keep(xdg.getPopup(parent: parent.xdg, positioner: positioner))
      let ear = program.keep(TestProgram.Acknowledger())
      xdg.handler = ear
      surface.commit()
      try program.turn { ear.isConfigured }
      program.show(picture, in: surface)
      popup.grab(seat: program.seat, serial: 1)
    case .grabAboveNone:
      let positioner = program.keep(program.shell.createPositioner())
      complete(positioner)
      let lower = program.keep(program.shell.getXdgSurface(surface: surface))
      program.keep(lower.getPopup(parent: try window().xdg, positioner: positioner))
      program.keep(popup(lower, complete)).grab(seat: program.seat, serial: 1)
    case .decorationTwice, .decorationOrphaned:
      let window = program.keep(try TestProgram.Window(program))
      let manager = program.keep(program.bind(ZxdgDecorationManagerV1.self, 1))
      program.keep(manager.getToplevelDecoration(toplevel: window.toplevel))
      if self == .decorationTwice {
        program.keep(manager.getToplevelDecoration(toplevel: window.toplevel))
      } else {
        window.toplevel.destroy()
      }
    case .decorationLate:
      let manager = program.keep(program.bind(ZxdgDecorationManagerV1.self, 1))
      program.keep(manager.getToplevelDecoration(toplevel: try window().toplevel))
    case .iconOfWindow:
      program.keep(program.data.getDataDevice(seat: program.seat)).startDrag(
        source: nil, origin: surface, icon: try window().surface, serial: 1)
    case .cursorOfWindow:
      program.keep(program.seat.getPointer()).setCursor(
        serial: 0, surface: try window().surface, hotspotX: 0, hotspotY: 0)
    case .tokenTwice, .tokenLate:
      let token = program.keep(program.keep(program.bind(XdgActivationV1.self, 1)).getActivationToken())
      token.commit()
      if self == .tokenTwice { token.commit() } else { token.setAppId(appId: "late") }
    case .actionsUnknown:
      program.keep(program.data.createDataSource()).setActions(dndActions: WlDataDeviceManager.DndAction(rawValue: 64))
    }
  }
}

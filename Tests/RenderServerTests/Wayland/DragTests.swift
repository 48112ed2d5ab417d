import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

@Suite("Drag and drop between programs")
struct DragTests {
  /// Everything that the two ends of a drag are told, in order.
  final class Ear: WlDataSource.EventHandler, WlDataDevice.EventHandler, WlDataOffer.EventHandler {
    private(set) var heard: [String] = []
    private(set) var offer: Proxy<WlDataOffer>?
    private(set) var offers: [Proxy<WlDataOffer>] = []

    func take() -> [String] {
      defer { heard = [] }
      return heard
    }

    func target(_ proxy: Proxy<WlDataSource>, mimeType: String?) { heard.append("target \(mimeType ?? "none")") }
    func send(_ proxy: Proxy<WlDataSource>, mimeType: String, fd: consuming FileDescriptor) {
      do { _ = try Array(mimeType.utf8).withUnsafeBytes { try fd.write($0) } } catch {}
    }
    func cancelled(_ proxy: Proxy<WlDataSource>) { heard.append("cancelled") }
    func dndDropPerformed(_ proxy: Proxy<WlDataSource>) { heard.append("performed") }
    func dndFinished(_ proxy: Proxy<WlDataSource>) { heard.append("finished") }
    func action(_ proxy: Proxy<WlDataSource>, dndAction: WlDataDeviceManager.DndAction) {
      heard.append("action \(dndAction.rawValue)")
    }

    func dataOffer(_ proxy: Proxy<WlDataDevice>, id: Proxy<WlDataOffer>) {
      id.handler = self
      offers.append(id)
      heard.append("offer")
    }
    func selection(_ proxy: Proxy<WlDataDevice>, id: Proxy<WlDataOffer>?) {}
    func offer(_ proxy: Proxy<WlDataOffer>, mimeType: String) { heard.append(mimeType) }
    func sourceActions(_ proxy: Proxy<WlDataOffer>, sourceActions: WlDataDeviceManager.DndAction) {
      heard.append("actions \(sourceActions.rawValue)")
    }
    func action(_ proxy: Proxy<WlDataOffer>, dndAction: WlDataDeviceManager.DndAction) {
      heard.append("chosen \(dndAction.rawValue)")
    }
    func enter(
      _ proxy: Proxy<WlDataDevice>, serial: UInt32, surface: Proxy<WlSurface>?, x: WireFixed, y: WireFixed,
      id: Proxy<WlDataOffer>?
    ) {
      offer = id
      heard.append("enter \(x.doubleValue) \(y.doubleValue)")
    }
    func leave(_ proxy: Proxy<WlDataDevice>) { heard.append("leave") }
    func motion(_ proxy: Proxy<WlDataDevice>, time: UInt32, x: WireFixed, y: WireFixed) {
      heard.append("motion \(x.doubleValue) \(y.doubleValue)")
    }
    func drop(_ proxy: Proxy<WlDataDevice>) { heard.append("drop") }
  }

  /// A window of 8 × 8 at (64, 64) of another program's, and one of 20 × 12 at (32, 32) that drags.
  struct Stage {
    let stage: SeatTests.Stage
    let other: TestProgram
    let device: Proxy<WlDataDevice>
    let (source, sourceEar): (Proxy<WlDataSource>, Ear)
    let targetEar = Ear()

    init() throws {
      stage = try SeatTests.Stage(layout: .cascade, 96, 96)
      let program = stage.program
      other = try TestProgram(stage.fixture)
      _ = try other.window(try TestProgram.Picture(other, 8, 8) { _, _ in 0xFFFF_0000 })
      device = program.keep(program.data.getDataDevice(seat: program.seat))
      (source, sourceEar) = (program.keep(program.data.createDataSource()), Ear())
      source.handler = sourceEar
      source.offer(mimeType: "text/plain")
      source.setActions(dndActions: [.copy, .move])
      other.keep(other.data.getDataDevice(seat: other.seat)).handler = targetEar
      try other.roundtrip()
      stage.move(33, 33)
      stage.press(.down)
      _ = try stage.heard()
    }

    func begin(icon: Proxy<WlSurface>? = nil) throws {
      device.startDrag(source: source, origin: stage.window.surface, icon: icon, serial: stage.ear.serial)
      try stage.program.roundtrip()
    }

    /// The drag is taken from the window that it begins in to another place.
    func carry(_ x: Double, _ y: Double) throws -> [String] {
      stage.move(x, y)
      let told = try told()
      // Where it began, nobody takes it any more.
      #expect(try toldSource() == ["target none"])
      return told
    }

    /// What the one that is under the pointer has heard.
    func told() throws -> [String] {
      try stage.operate.commit()
      try other.roundtrip()
      return targetEar.take()
    }

    func toldSource() throws -> [String] {
      try stage.program.roundtrip()
      return sourceEar.take()
    }
  }

  @Test("what is taken from one program's window is offered to what it is dragged over, and dropped there")
  func drop() throws {
    let drag = try Stage()
    try drag.begin()
    #expect(try drag.stage.heard() == ["leave", "frame"])
    #expect(try drag.carry(66, 67) == ["offer", "text/plain", "actions 3", "enter 2.0 3.0"])
    drag.stage.move(67, 67)
    #expect(try drag.told() == ["motion 3.0 3.0"])
    let offer = try #require(drag.targetEar.offer)
    offer.accept(serial: 1, mimeType: "text/plain")
    offer.setActions(dndActions: [.copy, .move, .ask], preferredAction: .move)
    #expect(try drag.told() == ["chosen 2"])
    #expect(try drag.toldSource() == ["target text/plain", "action 2"])
    drag.stage.press(.up)
    #expect(try drag.told() == ["drop"])
    #expect(try drag.toldSource() == ["performed"])
    let pipe = try PipeEnds()
    offer.receive(mimeType: "text/plain", fd: pipe.writer.descriptor)
    try drag.other.roundtrip()
    try drag.stage.program.roundtrip()
    pipe.writer.close()
    #expect(try pipe.readAll { try drag.stage.fixture.turns(1) } == Array("text/plain".utf8))
    offer.finish()
    offer.destroy()
    try drag.other.roundtrip()
    #expect(try drag.toldSource() == ["finished"])
    // The pointer is itself again.
    drag.stage.move(40, 40)
    #expect(try drag.stage.heard() == ["enter 8.0 8.0", "frame"])
  }

  @Test("what nobody accepts, or what is let go of over nothing, is cancelled")
  func cancelled() throws {
    for place in [66.0, 10.0] {
      let drag = try Stage()
      try drag.begin()
      _ = try drag.carry(place, place)
      drag.stage.press(.up)
      #expect(try drag.told() == (place == 66 ? ["leave"] : []))
      #expect(try drag.toldSource() == (place == 66 ? ["target none", "cancelled"] : ["cancelled"]))
    }
  }

  @Test("a drag that leaves a window takes back what it offered there")
  func left() throws {
    let drag = try Stage()
    try drag.begin()
    _ = try drag.carry(66, 66)
    let offer = try #require(drag.targetEar.offer)
    offer.accept(serial: 1, mimeType: "text/plain")
    offer.setActions(dndActions: .copy, preferredAction: .copy)
    _ = try drag.told()
    _ = try drag.toldSource()
    drag.stage.move(10, 10)
    #expect(try drag.told() == ["leave"])
    #expect(try drag.toldSource() == ["target none"])
    drag.stage.press(.up)
    #expect(try drag.told() == [])
    #expect(try drag.toldSource() == ["cancelled"])
  }

  @Test("without a press on the surface there is no drag, and the death of either end ends one")
  func ends() throws {
    let idle = try Stage()
    idle.stage.press(.up)
    _ = try idle.stage.heard()
    try idle.begin()
    #expect(try idle.toldSource() == ["cancelled"])

    let orphan = try Stage()
    try orphan.begin()
    _ = try orphan.carry(66, 66)
    orphan.source.destroy()
    try orphan.stage.program.roundtrip()
    #expect(try orphan.told() == ["leave"])

    let gone = try Stage()
    try gone.begin()
    _ = try gone.carry(66, 66)
    gone.other.kill()
    #expect(try gone.stage.fixture.turn { gone.stage.fixture.server.tree.registry.exportCount == 1 })
    gone.stage.press(.up)
    try gone.stage.operate.commit()
    #expect(try gone.toldSource() == ["cancelled"])
  }

  @Test("the picture of what is dragged is where the pointer is, in front of every window, and takes no input")
  func icon() throws {
    let drag = try Stage()
    let icon = drag.stage.program.keep(drag.stage.program.compositor.createSurface())
    try drag.begin(icon: icon)
    let picture = try TestProgram.Picture(drag.stage.program, 4, 4) { _, _ in 0xFF00_FF00 }
    drag.stage.program.show(picture, in: icon)
    #expect(try drag.carry(66, 66).last == "enter 2.0 2.0")
    let desk = try drag.stage.desk()
    #expect(desk.pixel(66, 66) == [0, 255, 0, 255] && desk.pixel(69, 69) == [0, 255, 0, 255])
    #expect(desk.pixel(65, 65) == [255, 0, 0, 255] && desk.pixel(70, 70) == [255, 0, 0, 255])
    drag.stage.press(.up)
    #expect(try drag.stage.desk().pixel(66, 66) == [255, 0, 0, 255])
  }

  @Test("a finger carries as the pointer does, with the picture under it, while the pointer goes its own way")
  func finger() throws {
    let drag = try Stage()
    drag.stage.press(.up)
    drag.stage.move(1, 1)
    _ = try drag.stage.heard()
    let ear = SeatEar()
    let program = drag.stage.program
    program.keep(program.seat.getTouch()).handler = ear
    try program.roundtrip()
    func finger(_ number: Int32, _ state: PortholeInspectorV1.State, _ x: Double, _ y: Double) {
      drag.stage.inspector.touch(finger: number, state: state, outputHi: 0, outputLo: 0, point: [x, y].span.bytes)
    }
    finger(4, .down, 34, 35)
    _ = try drag.stage.heard()
    #expect(ear.take() == ["down 4 2.0 3.0"])
    let icon = program.keep(program.compositor.createSurface())
    drag.device.startDrag(source: drag.source, origin: drag.stage.window.surface, icon: icon, serial: ear.serial)
    program.show(try TestProgram.Picture(program, 4, 4) { _, _ in 0xFF00_FF00 }, in: icon)
    try program.roundtrip()
    finger(4, .moved, 66, 67)
    #expect(try drag.told() == ["offer", "text/plain", "actions 3", "enter 2.0 3.0"])
    #expect(try drag.toldSource() == ["target none"])
    #expect(try drag.stage.desk().pixel(66, 67) == [0, 255, 0, 255])
    // Another finger and the pointer are none of its business.
    finger(5, .down, 36, 35)
    finger(5, .moved, 37, 35)
    finger(5, .up, 0, 0)
    drag.stage.move(40, 40)
    drag.stage.press(.down)
    drag.stage.press(.up)
    #expect(
      try drag.stage.heard() == ["enter 8.0 8.0", "frame", "button 272 down", "frame", "button 272 up", "frame"])
    #expect(ear.take() == ["down 5 4.0 3.0", "drag 5 5.0 3.0", "up 5"])
    #expect(try drag.told() == [])
    let offer = try #require(drag.targetEar.offer)
    offer.accept(serial: 1, mimeType: "text/plain")
    offer.setActions(dndActions: .copy, preferredAction: .copy)
    #expect(try drag.told() == ["chosen 1"])
    finger(4, .up, 0, 0)
    #expect(try drag.told() == ["drop"])
    #expect(try drag.toldSource() == ["target text/plain", "action 1", "performed"])
    #expect(try drag.stage.desk().pixel(66, 67) == [255, 0, 0, 255])
    #expect(ear.take() == [])
    // The finger is free again.
    finger(4, .down, 34, 35)
    _ = try drag.stage.heard()
    #expect(ear.take() == ["down 4 2.0 3.0"])
  }

  /// What the target of a drag, or who may paste, says wrong of what it is offered.
  enum WrongWord: CaseIterable {
    case unknownAction, twoPreferred, preferredUnwanted, finishedEarly, pastedAction, pastedFinish

    var code: WlDataOffer.ErrorCode {
      switch self {
      case .unknownAction: .invalidActionMask
      case .twoPreferred, .preferredUnwanted: .invalidAction
      case .finishedEarly, .pastedFinish: .invalidFinish
      case .pastedAction: .invalidOffer
      }
    }

    func say(to offer: Proxy<WlDataOffer>) {
      switch self {
      case .unknownAction:
        offer.setActions(dndActions: WlDataDeviceManager.DndAction(rawValue: 64), preferredAction: .none)
      case .twoPreferred: offer.setActions(dndActions: [.copy, .move], preferredAction: [.copy, .move])
      case .preferredUnwanted: offer.setActions(dndActions: .copy, preferredAction: .move)
      case .pastedAction: offer.setActions(dndActions: .copy, preferredAction: .copy)
      case .finishedEarly, .pastedFinish: offer.finish()
      }
    }
  }

  @Test(
    "who says what makes no sense of an offer gets the error that the protocol names", arguments: WrongWord.allCases)
  func offers(_ word: WrongWord) throws {
    let drag = try Stage()
    let ear: Ear
    if word == .pastedAction || word == .pastedFinish {
      drag.stage.press(.up)
      _ = try drag.stage.heard()
      // A copy of its own, since it has the keyboard.
      ear = drag.targetEar
      let source = drag.other.keep(drag.other.data.createDataSource())
      source.offer(mimeType: "text/plain")
      drag.stage.move(66, 66)
      drag.stage.press(.down)
      drag.stage.press(.up)
      _ = try drag.told()
      drag.other.keep(drag.other.data.getDataDevice(seat: drag.other.seat)).setSelection(source: source, serial: 1)
      try drag.other.roundtrip()
    } else {
      try drag.begin()
      _ = try drag.carry(66, 66)
      ear = drag.targetEar
    }
    word.say(to: try #require(ear.offers.last))
    let violation = try drag.other.violation()
    #expect(violation?.interface == WlDataOffer.name && violation?.code == word.code.rawValue)
  }

  @Test("a source is used once, and a drag's is not copied", arguments: [true, false])
  func used(_ isDragged: Bool) throws {
    let drag = try Stage()
    if isDragged {
      try drag.begin()
      drag.device.startDrag(source: drag.source, origin: drag.stage.window.surface, icon: nil, serial: 1)
    } else {
      drag.device.setSelection(source: drag.source, serial: 1)
    }
    let found = try drag.stage.program.violation()
    #expect(found?.interface == WlDataSource.name && found?.code == WlDataSource.ErrorCode.invalidSource.rawValue)
  }
}

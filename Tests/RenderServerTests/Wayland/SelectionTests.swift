import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

@Suite("Copy and paste between programs")
struct SelectionTests {
  final class SourceEar: WlDataSource.EventHandler {
    private(set) var isCancelled = false
    func target(_ proxy: Proxy<WlDataSource>, mimeType: String?) {}
    func send(_ proxy: Proxy<WlDataSource>, mimeType: String, fd: consuming FileDescriptor) {
      do { _ = try Array(mimeType.utf8).withUnsafeBytes { try fd.write($0) } } catch {}
    }
    func cancelled(_ proxy: Proxy<WlDataSource>) { isCancelled = true }
    func dndDropPerformed(_ proxy: Proxy<WlDataSource>) {}
    func dndFinished(_ proxy: Proxy<WlDataSource>) {}
    func action(_ proxy: Proxy<WlDataSource>, dndAction: WlDataDeviceManager.DndAction) {}
  }

  final class DeviceEar: WlDataDevice.EventHandler, WlDataOffer.EventHandler {
    private(set) var types: [String] = []
    private(set) var selection: Proxy<WlDataOffer>?
    private(set) var selections = 0
    private var offers: [Proxy<WlDataOffer>] = []
    func dataOffer(_ proxy: Proxy<WlDataDevice>, id: Proxy<WlDataOffer>) {
      types = []
      id.handler = self
      offers.append(id)
    }
    func selection(_ proxy: Proxy<WlDataDevice>, id: Proxy<WlDataOffer>?) {
      selection = id
      selections += 1
    }
    func offer(_ proxy: Proxy<WlDataOffer>, mimeType: String) { types.append(mimeType) }
    func sourceActions(_ proxy: Proxy<WlDataOffer>, sourceActions: WlDataDeviceManager.DndAction) {}
    func action(_ proxy: Proxy<WlDataOffer>, dndAction: WlDataDeviceManager.DndAction) {}
    func enter(
      _ proxy: Proxy<WlDataDevice>, serial: UInt32, surface: Proxy<WlSurface>?, x: WireFixed, y: WireFixed,
      id: Proxy<WlDataOffer>?
    ) {}
    func leave(_ proxy: Proxy<WlDataDevice>) {}
    func motion(_ proxy: Proxy<WlDataDevice>, time: UInt32, x: WireFixed, y: WireFixed) {}
    func drop(_ proxy: Proxy<WlDataDevice>) {}
  }

  private func window(_ program: TestProgram) throws -> TestProgram.Window {
    try program.window(try TestProgram.Picture(program, 8, 8) { _, _ in 0xFFFF_FFFF })
  }

  @Test("what one program copies, the next that gets the keyboard can paste; and nothing once the first has gone")
  func paste() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let (copier, paster) = (try TestProgram(fixture), try TestProgram(fixture))
    _ = try window(copier)
    let source = copier.keep(copier.data.createDataSource())
    let sourceEar = SourceEar()
    source.handler = sourceEar
    source.offer(mimeType: "text/plain")
    source.offer(mimeType: "text/html")
    copier.keep(copier.data.getDataDevice(seat: copier.seat)).setSelection(source: source, serial: 1)
    try copier.roundtrip()
    let ear = DeviceEar()
    paster.keep(paster.data.getDataDevice(seat: paster.seat)).handler = ear
    try paster.roundtrip()
    #expect(ear.selections == 0)
    _ = try window(paster)
    #expect(ear.types == ["text/plain", "text/html"])
    let pipe = try PipeEnds()
    let offer = try #require(ear.selection)
    offer.receive(mimeType: "text/html", fd: pipe.writer.descriptor)
    try paster.roundtrip()
    try copier.roundtrip()
    pipe.writer.close()
    #expect(try pipe.readAll { try fixture.turns(1) } == Array("text/html".utf8))
    source.destroy()
    try copier.roundtrip()
    try paster.roundtrip()
    #expect(ear.selection == nil)
  }

  @Test("who has not the keyboard can't copy, and who copies takes the place of the last")
  func copies() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let (first, second) = (try TestProgram(fixture), try TestProgram(fixture))
    _ = try window(first)
    _ = try window(second)
    func copy(_ program: TestProgram) throws -> SourceEar {
      let (source, ear) = (program.keep(program.data.createDataSource()), SourceEar())
      source.handler = ear
      source.offer(mimeType: "text/plain")
      program.keep(program.data.getDataDevice(seat: program.seat)).setSelection(source: source, serial: 1)
      try program.roundtrip()
      return ear
    }
    #expect(try copy(first).isCancelled)
    let earlier = try copy(second)
    #expect(!earlier.isCancelled)
    _ = try copy(second)
    #expect(earlier.isCancelled)
  }

  // MARK: What was marked

  final class PrimaryEar: ZwpPrimarySelectionSourceV1.EventHandler, ZwpPrimarySelectionDeviceV1.EventHandler,
    ZwpPrimarySelectionOfferV1.EventHandler
  {
    private(set) var isCancelled = false
    private(set) var types: [String] = []
    private(set) var selection: Proxy<ZwpPrimarySelectionOfferV1>?
    private(set) var selections = 0
    private var offers: [Proxy<ZwpPrimarySelectionOfferV1>] = []
    func send(_ proxy: Proxy<ZwpPrimarySelectionSourceV1>, mimeType: String, fd: consuming FileDescriptor) {
      do { _ = try Array(mimeType.utf8).withUnsafeBytes { try fd.write($0) } } catch {}
    }
    func cancelled(_ proxy: Proxy<ZwpPrimarySelectionSourceV1>) { isCancelled = true }
    func dataOffer(_ proxy: Proxy<ZwpPrimarySelectionDeviceV1>, offer: Proxy<ZwpPrimarySelectionOfferV1>) {
      types = []
      offer.handler = self
      offers.append(offer)
    }
    func selection(_ proxy: Proxy<ZwpPrimarySelectionDeviceV1>, id: Proxy<ZwpPrimarySelectionOfferV1>?) {
      selection = id
      selections += 1
    }
    func offer(_ proxy: Proxy<ZwpPrimarySelectionOfferV1>, mimeType: String) { types.append(mimeType) }
  }

  /// A program that marks and pastes.
  private struct Marker {
    let program: TestProgram
    let manager: Proxy<ZwpPrimarySelectionDeviceManagerV1>
    let device: Proxy<ZwpPrimarySelectionDeviceV1>
    let ear = PrimaryEar()

    init(_ fixture: ServerFixture) throws {
      program = try TestProgram(fixture)
      try program.roundtrip()
      manager = program.keep(program.bind(ZwpPrimarySelectionDeviceManagerV1.self, 1))
      device = program.keep(manager.getDevice(seat: program.seat))
      device.handler = ear
    }

    func mark(_ types: String...) throws -> (source: Proxy<ZwpPrimarySelectionSourceV1>, ear: PrimaryEar) {
      let (source, ear) = (program.keep(manager.createSource()), PrimaryEar())
      source.handler = ear
      for type in types { source.offer(mimeType: type) }
      device.setSelection(source: source, serial: 1)
      try program.roundtrip()
      return (source, ear)
    }
  }

  @Test("what one program marks, the next that gets the keyboard can paste, apart from what was copied")
  func marked() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let (first, second) = (try Marker(fixture), try Marker(fixture))
    let other = DeviceEar()
    second.program.keep(second.program.data.getDataDevice(seat: second.program.seat)).handler = other
    _ = try window(first.program)
    #expect(try second.mark("text/html").ear.isCancelled)
    let (source, ear) = try first.mark("text/plain", "text/html")
    #expect(first.ear.types == ["text/plain", "text/html"] && second.ear.selections == 0)
    _ = try window(second.program)
    #expect(second.ear.types == ["text/plain", "text/html"] && other.selection == nil && other.types == [])
    let pipe = try PipeEnds()
    let offer = try #require(second.ear.selection)
    offer.receive(mimeType: "text/html", fd: pipe.writer.descriptor)
    offer.receive(mimeType: "image/png", fd: pipe.writer.descriptor)
    try second.program.roundtrip()
    try first.program.roundtrip()
    pipe.writer.close()
    #expect(try pipe.readAll { try fixture.turns(1) } == Array("text/html".utf8))
    // One takes the place of another, and one that goes leaves nothing.
    _ = try second.mark("image/png")
    try first.program.roundtrip()
    #expect(ear.isCancelled && second.ear.types == ["image/png"])
    source.destroy()
    try first.program.roundtrip()
    #expect(second.ear.selection != nil)
    second.device.setSelection(source: nil, serial: 2)
    try second.program.roundtrip()
    #expect(second.ear.selection == nil)
  }
}

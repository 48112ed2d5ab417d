import Commit
import RenderServer
import Testing

@Suite("The registry of exports")
struct ExportRegistryTests {
  private let owner = ClientNumber(rawValue: 3)

  @Test("a handle is redeemed any number of times, one of a single use once")
  func redeem() throws {
    var registry = ExportRegistry()
    let (many, once) = (ExportHandle.random(), ExportHandle.random())
    let first = registry.export(owner.layer(1), owner: owner, handle: many, isSingleUse: false)
    let second = registry.export(owner.layer(2), owner: owner, handle: once, isSingleUse: true)
    var imports: [(id: ImportID, export: ExportID)] = []
    for _ in 0..<3 {
      let made = registry.redeem(many)
      imports.append(try #require(made))
    }
    #expect(Set(imports.map(\.id)).count == 3)
    #expect(imports.allSatisfy { $0.export == first })
    #expect(registry.redeem(once)?.export == second)
    #expect(registry.redeem(once) == nil)
    #expect(registry.layer(of: second) == owner.layer(2))
  }

  @Test("revoking tells which imports have nothing to show, once, and forgets the handle")
  func revoke() throws {
    var registry = ExportRegistry()
    let handle = ExportHandle.random()
    let export = registry.export(owner.layer(1), owner: owner, handle: handle, isSingleUse: false)
    let made = (registry.redeem(handle), registry.redeem(handle))
    let (kept, dropped) = (try #require(made.0), try #require(made.1))
    registry.drop(dropped.id)
    #expect(registry.revoke(export) == [kept.id])
    #expect(registry.revoke(export) == [])
    #expect(registry.redeem(handle) == nil)
    #expect(registry.layer(of: export) == nil && registry.export(of: kept.id) == nil)
    #expect(registry.exportCount == 0 && registry.importCount == 0)
    #expect(registry.exports(of: owner.layer(1)) == [])
  }

  @Test("handles are random, and their bytes make them again")
  func handles() {
    let handles = (0..<1000).map { _ in ExportHandle.random() }
    #expect(Set(handles).count == 1000)
    for handle in handles { #expect(ExportHandle(handle.bytes.span.bytes) == handle) }
    // Every bit is 0 in some and 1 in others.
    let ones = handles.reduce(ExportBits(or: 0, and: .max)) { $0.with($1.bytes[0]).with($1.bytes[1]) }
    #expect(ones.or == .max && ones.and == 0)
  }

  private struct ExportBits {
    var or: UInt64
    var and: UInt64
    func with(_ bits: UInt64) -> ExportBits { ExportBits(or: or | bits, and: and & bits) }
  }
}

extension ExportRegistryTests {
  @Test("an operator's import needs no handle, but an export")
  func operatorImport() throws {
    var registry = ExportRegistry()
    #expect(registry.redeem(exportOf: owner.layer(1)) == nil)
    let export = registry.export(owner.layer(1), owner: owner, handle: .random(), isSingleUse: true)
    #expect(registry.redeem(exportOf: owner.layer(1))?.export == export)
    #expect(registry.revoke(export).count == 1)
  }
}

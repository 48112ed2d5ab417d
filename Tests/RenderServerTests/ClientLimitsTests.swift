import RenderServer
import Testing

@Suite("The limits of a client")
struct ClientLimitsTests {
  @Test("a text changes the limits that it names, in powers of 1024, and leaves the rest")
  func change() throws {
    var limits = ClientLimits()
    let portals = limits[.portals]
    try limits.change("layers=10,texture_bytes=64M,changes=none")
    #expect(limits[.layers] == 10)
    #expect(limits[.textureBytes] == 64 << 20)
    #expect(limits[.changes] == .max)
    #expect(limits[.portals] == portals)
  }

  @Test(
    "a text that names no limit or no number is refused",
    arguments: [
      "layer=1", "layers", "layers=", "layers=-1", "layers=1T", "layers=99999999999999999999",
      "layers=99999999999999999G",
    ])
  func refused(text: String) {
    var limits = ClientLimits()
    #expect(throws: OptionError.self) { try limits.change(text) }
  }

  @Test("what is counted stops at its limit, and goes on when some of it is gone")
  func account() throws {
    var limits = ClientLimits()
    limits[.layers] = 2
    var account = ClientAccount(limits: limits)
    try account.add(.layers)
    try account.add(.layers)
    #expect(throws: LimitViolation(kind: .layers, limit: 2)) { try account.add(.layers) }
    #expect(account[.layers] == 2)
    account.remove(.layers)
    try account.add(.layers)
    #expect(throws: LimitViolation.self) { try account.add(.sharedBytes, .max) }
  }

  @Test("commits are counted over any whole second")
  func commits() throws {
    var limits = ClientLimits()
    limits[.commitsPerSecond] = 3
    var account = ClientAccount(limits: limits)
    for time: UInt64 in [900_000_000, 950_000_000, 990_000_000] { try account.addCommit(at: time) }
    #expect(throws: LimitViolation(kind: .commitsPerSecond, limit: 3)) { try account.addCommit(at: 1_899_999_999) }
    try account.addCommit(at: 1_900_000_000)
    #expect(throws: LimitViolation.self) { try account.addCommit(at: 1_949_999_999) }
    try account.addCommit(at: 1_950_000_000)
  }
}

import Commit
import Geometry

/// What few layers have, by slot, so that the others don't carry it.
struct RareProperties {
  var names: [Int32: String] = [:]
  /// Where it is not the whole.
  var contentsCenters: [Int32: Rect] = [:]
  var contentsFrames: [Int32: Rect] = [:]
  var replications: [Int32: Replication] = [:]
  /// How many of these have a delay.
  var delayCount = 0
  /// Of portals.
  var overrides: [Int32: [PortalOverride]] = [:]
  /// How many layers are secure, and the commit that last made one so.
  var secureCount = 0
  var secureVersion: UInt64 = 0

  mutating func forget(_ slot: Int32) {
    names[slot] = nil
    contentsCenters[slot] = nil
    contentsFrames[slot] = nil
    if let replication = replications.removeValue(forKey: slot), replication.instanceDelay != 0 { delayCount -= 1 }
    overrides[slot] = nil
  }
}

extension RenderTree {
  mutating func setSecure(_ isSecure: Bool, of slot: Int32) {
    guard records[Int(slot)].isSecure != isSecure else { return }
    records[Int(slot)].isSecure = isSecure
    rare.secureCount += isSecure ? 1 : -1
    if isSecure { rare.secureVersion = version }
  }
}

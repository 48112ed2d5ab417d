import Commit
import Geometry

extension FramePlanner {
  /// What of a pass must be drawn anew: where quads differ from those of the frame before, or where what they sample does.
  func damage(from old: PassMemory?, to new: PassMemory) -> Damage {
    guard options.tracksDamage, let old, old.size == new.size, old.clearColor == new.clearColor else {
      return .everything
    }
    var comparison = PassComparison(old: old, new: new)
    comparison.run()
    var damage = comparison.damage
    // What is the same quad may show something else.
    for quad in new.quads.quads {
      switch new.quads.key(of: quad).texture {
      case .none, .output: break
      case .image(let index):
        let before = comparison.oldKey[Int(quad.key)]
        // What was not there before is damaged already.
        guard before >= 0, old.revisions[Int(before)] != new.revisions[Int(quad.key)] else { continue }
        let image = plan.images[Int(index)]
        let changed = image.damage(from: old.revisions[Int(before)])
        if !changed.isEmpty { damage.add(new.quads.shown(changed, by: quad, of: image.size)) }
      case .history: damage.add(quad.bounds)
      case .target(let target):
        let changed = memory.damage[Int(target)]
        if !changed.isEmpty { damage.add(new.quads.shown(changed, by: quad, of: plan.targets[Int(target)].size)) }
      }
    }
    return damage.settled(new.size)
  }
}

/// Two passes, quad by quad. Those that are the same, in the same order, leave a pixel as it was; the bounds of all others
/// are damaged.
struct PassComparison {
  /// How far ahead one looks for a quad that is the same.
  private static let window = 16

  private let old: PassMemory
  private let new: PassMemory
  /// By the new pass's keys: the old one's key that is the same, or -1.
  private(set) var oldKey: [Int32] = []
  private(set) var damage = Damage()

  init(old: PassMemory, new: PassMemory) {
    self.old = old
    self.new = new
    var known: [RememberedKey: Int32] = [:]
    for (index, key) in old.keys.enumerated() { known[key] = Int32(index) }
    oldKey = new.keys.map { known[$0] ?? -1 }
  }

  mutating func run() {
    var (i, j) = (0, 0)
    let (oldCount, newCount) = (old.quads.quads.count, new.quads.quads.count)
    while i < oldCount, j < newCount {
      if isSame(i, j) {
        i += 1
        j += 1
        continue
      }
      var (removed, added) = (1, 1)
      for distance in 1...Self.window {
        if i + distance < oldCount, j + distance < newCount, isSame(i + distance, j + distance) {
          (removed, added) = (distance, distance)
          break
        }
        if j + distance < newCount, isSame(i, j + distance) {
          (removed, added) = (0, distance)
          break
        }
        if i + distance < oldCount, isSame(i + distance, j) {
          (removed, added) = (distance, 0)
          break
        }
      }
      for index in i..<i + removed { damage.add(old.quads.quads[index].bounds) }
      for index in j..<j + added { damage.add(new.quads.quads[index].bounds) }
      i += removed
      j += added
    }
    for index in i..<max(i, oldCount) { damage.add(old.quads.quads[index].bounds) }
    for index in j..<max(j, newCount) { damage.add(new.quads.quads[index].bounds) }
  }

  private func isSame(_ i: Int, _ j: Int) -> Bool {
    let (a, b) = (old.quads.quads[i], new.quads.quads[j])
    guard oldKey[Int(b.key)] == a.key, a.bounds == b.bounds else { return false }
    let count = new.quads.key(of: b).variant.format.stride
    let (p, q) = (Int(a.first), Int(b.first))
    for index in 0..<count where old.quads.floats[p + index] != new.quads.floats[q + index] { return false }
    return true
  }
}

extension FramePlan {
  /// The picture that a reference to one of a stream stands for; else 0.
  func revision(_ texture: TextureReference) -> UInt64 {
    guard case .image(let index) = texture, images[Int(index)].revision != nil else { return 0 }
    return images[Int(index)].identity
  }
}

extension Image {
  /// Where a picture of a stream may differ from another one of it.
  fileprivate func damage(from base: UInt64) -> Damage {
    guard let revision, revision.base == base, let rects = revision.damage else { return .everything }
    var damage = Damage()
    let whole = PixelRect(size: size)
    for rect in rects { damage.add(rect.intersection(whole)) }
    return damage
  }
}

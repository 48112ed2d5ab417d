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
    addImageDamage(to: &damage, of: new, since: old, comparison)
    addSampledDamage(to: &damage, of: new.quads)
    return damage.settled(new.size)
  }

  /// Pictures that are the same but for some of their pixels.
  private func addImageDamage(
    to damage: inout Damage, of new: PassMemory, since old: PassMemory, _ comparison: PassComparison
  ) {
    for quad in new.quads.quads {
      guard case .image(let index) = new.quads.keys[Int(quad.key)].texture else { continue }
      let before = comparison.oldKey[Int(quad.key)]
      // What was not there before is damaged already.
      guard before >= 0, old.revisions[Int(before)] != new.revisions[Int(quad.key)] else { continue }
      let image = plan.images[Int(index)]
      let changed = image.damage(from: old.revisions[Int(before)])
      if !changed.isEmpty { damage.add(new.quads.shown(changed, by: quad, of: image.size)) }
    }
  }

  /// What is the same quad may show something else.
  func addSampledDamage(to damage: inout Damage, of quads: QuadList) {
    guard quads.keys.contains(where: { samplesDamage($0.texture) }) else { return }
    for quad in quads.quads {
      switch quads.keys[Int(quad.key)].texture {
      case .none, .image, .output: break
      case .history: damage.add(quad.bounds)
      case .target(let target):
        guard !memory.damage[Int(target)].isEmpty else { continue }
        damage.add(quads.shown(memory.damage[Int(target)], by: quad, of: plan.targets[Int(target)].size))
      }
    }
  }

  private func samplesDamage(_ texture: TextureReference) -> Bool {
    switch texture {
    case .none, .image, .output: false
    case .history: true
    case .target(let target): !memory.damage[Int(target)].isEmpty
    }
  }
}

/// Two passes, quad by quad. Those that are the same, in the same order, leave a pixel as it was; the bounds of all others
/// are damaged.
struct PassComparison {
  /// How far ahead one looks for a quad that is the same.
  private static let window = 16
  /// After so many that are not, one looks far ahead only now and then: all of them may be others.
  private static let longStreak = 64

  private let oldQuads: [QuadList.Quad]
  private let newQuads: [QuadList.Quad]
  private let oldFloats: [Float]
  private let newFloats: [Float]
  /// By the new pass's keys: the old one's key that is the same, or -1; and how many floats a quad of it has.
  private(set) var oldKey: [Int32] = []
  private var strides: [Int] = []
  private(set) var damage = Damage()

  init(old: PassMemory, new: PassMemory) {
    (oldQuads, newQuads) = (old.quads.quads, new.quads.quads)
    (oldFloats, newFloats) = (old.quads.floats, new.quads.floats)
    var known: [RememberedKey: Int32] = [:]
    for (index, key) in old.keys.enumerated() { known[key] = Int32(index) }
    oldKey = new.keys.map { known[$0] ?? -1 }
    strides = new.quads.keys.map(\.variant.format.stride)
  }

  mutating func run() {
    var (i, j) = (0, 0)
    var streak = 0
    var (oldCount, newCount) = (oldQuads.count, newQuads.count)
    // What is the same at the end, first: a change in the midst, however long, then shows as one.
    while oldCount > 0, newCount > 0, isSame(oldCount - 1, newCount - 1) {
      oldCount -= 1
      newCount -= 1
    }
    while i < oldCount, j < newCount {
      if isSame(i, j) {
        i += 1
        j += 1
        streak = 0
        continue
      }
      streak += 1
      var (removed, added) = (1, 1)
      for distance in 1...(streak < Self.longStreak || streak % Self.window == 0 ? Self.window : 1) {
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
      for index in i..<i + removed { damage.add(oldQuads[index].bounds) }
      for index in j..<j + added { damage.add(newQuads[index].bounds) }
      i += removed
      j += added
    }
    for index in i..<max(i, oldCount) { damage.add(oldQuads[index].bounds) }
    for index in j..<max(j, newCount) { damage.add(newQuads[index].bounds) }
  }

  private func isSame(_ i: Int, _ j: Int) -> Bool {
    guard oldQuads[i].bounds == newQuads[j].bounds else { return false }
    let key = Int(newQuads[j].key)
    guard oldKey[key] == oldQuads[i].key else { return false }
    let (p, q) = (Int(oldQuads[i].first), Int(newQuads[j].first))
    for index in 0..<strides[key] where oldFloats[p + index] != newFloats[q + index] { return false }
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

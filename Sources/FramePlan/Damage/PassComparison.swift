import Commit
import Geometry

extension FramePlanner {
  /// What of the pass in hand must be drawn anew: where its quads differ from those of the frame before, or where what they
  /// sample does.
  mutating func damage(since old: PassMemory, size: PixelSize) -> Damage {
    guard options.tracksDamage else {
      scratch.spots.begin(size, .everything)
      return .everything
    }
    scratch.comparison.run(old, quads, keys: scratch.keys)
    var damage = scratch.comparison.damage
    let all = 0..<quads.quads.count
    addImageDamage(to: &damage, of: quads, all, scratch.revisions, since: old, scratch.comparison.oldKey)
    addSampledDamage(to: &damage, in: size)
    return damage.settled(size)
  }

  /// Adds what of a run of a pass's quads differs from a run of those that were last drawn there, by itself or by what it shows.
  func compare(
    _ comparison: inout PassComparison, _ old: PassMemory, _ oldRange: Range<Int>, _ new: PassMemory,
    _ newRange: Range<Int>
  ) {
    comparison.extend(new.quads, keys: new.keys)
    comparison.compare(old.quads, oldRange, new.quads, newRange)
    addImageDamage(to: &comparison.damage, of: new.quads, newRange, new.revisions, since: old, comparison.oldKey)
    addSampledDamage(to: &comparison.damage, of: new.quads, newRange) { _ in }
  }

  /// Pictures that are the same but for some of their pixels.
  private func addImageDamage(
    to damage: inout Damage, of quads: QuadList, _ range: Range<Int>, _ revisions: [UInt64], since old: PassMemory,
    _ oldKey: [Int32]
  ) {
    guard revisions.contains(where: { $0 != 0 }) else { return }
    for quad in quads.quads[range] {
      guard case .image(let index) = quads.keys[Int(quad.key)].texture else { continue }
      let before = oldKey[Int(quad.key)]
      // What was not there before is damaged already.
      guard before >= 0, old.revisions[Int(before)] != revisions[Int(quad.key)] else { continue }
      let image = plan.images[Int(index)]
      let changed = image.damage(from: old.revisions[Int(before)])
      if !changed.isEmpty { damage.add(quads.shown(changed, by: quad, of: image.size)) }
    }
  }

  /// What is the same quad of the pass in hand may show something else: adds where, and notes in what spots all differs.
  mutating func addSampledDamage(to damage: inout Damage, in size: PixelSize) {
    // Taken out while it is written to.
    var spots = DamageSpots()
    swap(&spots, &scratch.spots)
    spots.begin(size, damage)
    addSampledDamage(to: &damage, of: quads, 0..<quads.quads.count) { spots.add($0) }
    swap(&spots, &scratch.spots)
  }

  private func addSampledDamage(
    to damage: inout Damage, of quads: QuadList, _ range: Range<Int>, _ note: (PixelRect) -> Void
  ) {
    guard quads.keys.contains(where: { samplesDamage($0.texture) || samplesDamage($0.backdrop) }) else { return }
    for quad in quads.quads[range] {
      let key = quads.keys[Int(quad.key)]
      let shown = damaged(key.texture, shownBy: quad, of: quads, isBackdrop: false)
      if !shown.isEmpty {
        damage.add(shown)
        note(shown)
      }
      guard key.backdrop != .none else { continue }
      let behind = damaged(key.backdrop, shownBy: quad, of: quads, isBackdrop: true)
      damage.add(behind)
      note(behind)
    }
  }

  /// Where a quad shows what of its texture was drawn anew.
  private func damaged(
    _ texture: TextureReference, shownBy quad: QuadList.Quad, of quads: QuadList, isBackdrop: Bool
  ) -> PixelRect {
    switch texture {
    case .none, .image: return .empty
    case .history: return quad.bounds
    case .output:
      guard !memory.outputDamage.isEmpty else { return .empty }
      return quads.shown(memory.outputDamage, by: quad, of: plan.outputSize, isBackdrop: isBackdrop)
    case .target(let target):
      guard !memory.damage[Int(target)].isEmpty else { return .empty }
      return quads.shown(
        memory.damage[Int(target)], by: quad, of: plan.targets[Int(target)].size, isBackdrop: isBackdrop)
    }
  }

  private func samplesDamage(_ texture: TextureReference) -> Bool {
    switch texture {
    case .none, .image: false
    case .history: true
    case .output: !memory.outputDamage.isEmpty
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

  /// By the new pass's keys: the old one's key that is the same, or -1; and how many floats a quad of it has.
  private(set) var oldKey: [Int32] = []
  private var strides: [Int] = []
  private var known: [RememberedKey: Int32] = [:]
  /// What was found to differ so far.
  var damage = Damage()

  /// Compares all of a pass.
  mutating func run(_ old: PassMemory, _ new: QuadList, keys: [RememberedKey]) {
    begin(old)
    extend(new, keys: keys)
    compare(old.quads, 0..<old.quads.quads.count, new, 0..<new.quads.count)
  }

  mutating func begin(_ old: PassMemory) {
    known.removeAll(keepingCapacity: true)
    for index in old.keys.indices { known[old.keys[index]] = Int32(index) }
    oldKey.removeAll(keepingCapacity: true)
    strides.removeAll(keepingCapacity: true)
    damage = Damage()
  }

  /// Looks up the new pass's keys that came since the last time.
  mutating func extend(_ new: QuadList, keys: [RememberedKey]) {
    for index in oldKey.count..<max(oldKey.count, keys.count) {
      oldKey.append(known[keys[index]] ?? -1)
      strides.append(new.keys[index].variant.format.stride)
    }
  }

  /// Compares a run of quads.
  mutating func compare(_ old: QuadList, _ oldRange: Range<Int>, _ new: QuadList, _ newRange: Range<Int>) {
    let (oldQuads, newQuads) = (old.quads, new.quads)
    func isSame(_ i: Int, _ j: Int) -> Bool {
      guard oldQuads[i].bounds == newQuads[j].bounds else { return false }
      let key = Int(newQuads[j].key)
      guard oldKey[key] == oldQuads[i].key else { return false }
      let (p, q) = (Int(oldQuads[i].first), Int(newQuads[j].first))
      for index in 0..<strides[key] where old.floats[p + index] != new.floats[q + index] { return false }
      return true
    }
    var (i, j) = (oldRange.lowerBound, newRange.lowerBound)
    var streak = 0
    var (oldEnd, newEnd) = (oldRange.upperBound, newRange.upperBound)
    // What is the same at the end, first: a change in the midst, however long, then shows as one.
    while oldEnd > i, newEnd > j, isSame(oldEnd - 1, newEnd - 1) {
      oldEnd -= 1
      newEnd -= 1
    }
    while i < oldEnd, j < newEnd {
      if isSame(i, j) {
        i += 1
        j += 1
        streak = 0
        continue
      }
      streak += 1
      var (removed, added) = (1, 1)
      for distance in 1...(streak < Self.longStreak || streak % Self.window == 0 ? Self.window : 1) {
        if i + distance < oldEnd, j + distance < newEnd, isSame(i + distance, j + distance) {
          (removed, added) = (distance, distance)
          break
        }
        if j + distance < newEnd, isSame(i, j + distance) {
          (removed, added) = (0, distance)
          break
        }
        if i + distance < oldEnd, isSame(i + distance, j) {
          (removed, added) = (distance, 0)
          break
        }
      }
      for index in i..<i + removed { damage.add(oldQuads[index].bounds) }
      for index in j..<j + added { damage.add(newQuads[index].bounds) }
      i += removed
      j += added
    }
    for index in i..<max(i, oldEnd) { damage.add(oldQuads[index].bounds) }
    for index in j..<max(j, newEnd) { damage.add(newQuads[index].bounds) }
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

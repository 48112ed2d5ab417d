import TestSupport
import Testing
import WaylandClient

@Suite("Slots of shared memory")
struct SlotListTests {
  @Test("slots are taken from the front, in whole lines of 64 bytes, until there is no room")
  func firstFit() {
    var slots = SlotList(byteCount: 256)
    #expect(slots.isEmpty)
    #expect(slots.take(1) == 0)
    #expect(slots.take(65) == 64)
    #expect(slots.take(65) == nil)
    #expect(slots.take(64) == 192)
    #expect(slots.take(1) == nil)
    #expect(!slots.isEmpty)
  }

  @Test("neighbours that were given back are one slot again")
  func merging() {
    var slots = SlotList(byteCount: 192)
    let all = (0..<3).compactMap { _ in slots.take(64) }
    #expect(all == [0, 64, 128])
    slots.giveBack(0)
    slots.giveBack(128)
    #expect(slots.take(128) == nil)
    slots.giveBack(64)
    #expect(slots.isEmpty)
    #expect(slots.take(192) == 0)
  }

  @Test("no bytes, too many, and an offset that nobody has, do nothing")
  func nonsense() {
    var slots = SlotList(byteCount: 128)
    for count in [0, -1, Int.min, Int.max, 129] { #expect(slots.take(count) == nil, "\(count)") }
    #expect(slots.take(64) == 0)
    for offset in [64, 1, -64, .max] { slots.giveBack(offset) }
    #expect(slots.take(128) == nil)
    slots.giveBack(0)
    slots.giveBack(0)
    #expect(slots.take(128) == 0)
  }

  @Test("no two slots ever overlap, and what is given back can be had again", arguments: 1...20)
  func random(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let size = 4096
    var slots = SlotList(byteCount: size)
    var taken: [(offset: Int, length: Int)] = []
    for _ in 0..<400 {
      if taken.isEmpty || random.oneIn(2) {
        let count = Int.random(in: 1...900, using: &random)
        let length = (count + 63) / 64 * 64
        let largestGap = gaps(taken, size).max() ?? 0
        guard let offset = slots.take(count) else {
          #expect(length > largestGap, "seed \(seed): \(count) bytes fit, and were not given")
          continue
        }
        #expect(offset >= 0 && offset + length <= size && offset % 64 == 0)
        #expect(taken.allSatisfy { offset + length <= $0.offset || $0.offset + $0.length <= offset }, "seed \(seed)")
        taken.append((offset, length))
      } else {
        slots.giveBack(taken.remove(at: Int.random(in: 0..<taken.count, using: &random)).offset)
      }
    }
    for slot in taken { slots.giveBack(slot.offset) }
    #expect(slots.isEmpty && slots.take(size) == 0, "seed \(seed)")
  }

  /// What lies between the slots that are taken.
  private func gaps(_ taken: [(offset: Int, length: Int)], _ size: Int) -> [Int] {
    var (gaps, end): ([Int], Int) = ([], 0)
    for slot in taken.sorted(by: { $0.offset < $1.offset }) {
      gaps.append(slot.offset - end)
      end = slot.offset + slot.length
    }
    return gaps + [size - end]
  }
}

/// Which parts of a piece of memory are taken. First fit, by address; neighbours that are free are one.
package struct SlotList {
  /// Offsets and lengths are multiples of it.
  package static let alignment = 64

  private struct Slot {
    var offset: Int
    var length: Int
    var isFree: Bool
  }

  private var slots: [Slot]

  package init(byteCount: Int) { slots = [Slot(offset: 0, length: byteCount, isFree: true)] }

  package var isEmpty: Bool { slots.allSatisfy(\.isFree) }

  /// The offset of so many bytes that are free; nil where there are not as many in one piece.
  package mutating func take(_ byteCount: Int) -> Int? {
    guard byteCount > 0, byteCount <= Int.max - Self.alignment else { return nil }
    let length = (byteCount + Self.alignment - 1) / Self.alignment * Self.alignment
    guard let index = slots.firstIndex(where: { $0.isFree && $0.length >= length }) else { return nil }
    let offset = slots[index].offset
    let rest = slots[index].length - length
    slots[index].length = length
    slots[index].isFree = false
    if rest > 0 { slots.insert(Slot(offset: offset + length, length: rest, isFree: true), at: index + 1) }
    return offset
  }

  /// Gives back what `take` gave; any other offset does nothing.
  package mutating func giveBack(_ offset: Int) {
    guard let index = slots.firstIndex(where: { $0.offset == offset && !$0.isFree }) else { return }
    slots[index].isFree = true
    if index + 1 < slots.count, slots[index + 1].isFree {
      slots[index].length += slots[index + 1].length
      slots.remove(at: index + 1)
    }
    if index > 0, slots[index - 1].isFree {
      slots[index - 1].length += slots[index].length
      slots.remove(at: index)
    }
  }
}

import Commit
import Geometry

/// The numbers of one record that lies whole in its bytes.
/// It must not outlive the bytes.
@safe struct PropertyFields {
  let key: PropertyKey
  /// Of the record's first byte.
  let offset: Int
  let count: Int
  /// Of the numbers alone.
  let bytes: UnsafeRawBufferPointer

  func fault(_ fault: PropertyRecordError.Fault, at index: Int? = nil) -> PropertyRecordError {
    PropertyRecordError(
      fault: fault, key: key.rawValue, offset: index.map { offset + 8 + 8 * $0 } ?? offset,
      count: UInt32(truncatingIfNeeded: count))
  }

  func require(_ wanted: Int) throws(PropertyRecordError) {
    guard count == wanted else { throw fault(.wrongCount) }
  }

  /// The bits of a number; what lies past the record is 0.
  private func word(_ index: Int) -> UInt64 {
    guard index >= 0, index < count, unsafe index < bytes.count / 8 else { return 0 }
    return UInt64(littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
  }

  /// Any number, infinite ones and those that are none too: the tree refuses them by the property's name.
  subscript(_ index: Int) -> Double { Double(bitPattern: word(index)) }

  /// The nearest of single precision; one that is finite stays so.
  func float(_ index: Int) -> Float {
    let value = self[index]
    guard value.isFinite else { return Float(value) }
    let limit = Double(Float.greatestFiniteMagnitude)
    return Float(max(-limit, min(limit, value)))
  }

  /// 0 or 1, and nothing that is merely equal to them.
  func flag() throws(PropertyRecordError) -> Bool {
    try require(1)
    switch word(0) {
    case (0.0).bitPattern: return false
    case (1.0).bitPattern: return true
    default: throw fault(.wrongValue, at: 0)
    }
  }

  /// A whole number in the range.
  func whole(_ index: Int, in range: ClosedRange<Int32>) throws(PropertyRecordError) -> Int32 {
    guard let value = Int32(exactly: self[index]), range.contains(value),
      Double(value).bitPattern == word(index)
    else { throw fault(.wrongValue, at: index) }
    return value
  }

  func choice<Choice: WireChoice>(_: Choice.Type, at index: Int) throws(PropertyRecordError) -> Choice {
    let number = try whole(index, in: 0...Int32.max)
    guard let choice = Choice(wireNumber: UInt32(number)) else { throw fault(.wrongValue, at: index) }
    return choice
  }

  func point(_ index: Int) -> Point { Point(self[index], self[index + 1]) }

  func rect(_ index: Int) -> Rect {
    Rect(x: self[index], y: self[index + 1], width: self[index + 2], height: self[index + 3])
  }

  func color(_ index: Int) -> Color {
    Color(red: float(index), green: float(index + 1), blue: float(index + 2), alpha: float(index + 3))
  }

  func transform(_ first: Int) -> Transform3D {
    Transform3D((first..<(first + 16)).map { self[$0] }) ?? .identity
  }
}

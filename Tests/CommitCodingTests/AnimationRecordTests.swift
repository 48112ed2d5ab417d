import Commit
import CommitCoding
import TestSupport
import Testing

@Suite("Animations as records")
struct AnimationRecordTests {
  private func decode(_ numbers: [Double]) throws(AnimationRecordError) -> Animation {
    try AnimationRecord.decode(numbers)
  }

  @Test("an animation is itself again, but for its token, which travels apart", arguments: 0..<400)
  func roundTrip(seed: Int) throws {
    var random = RandomAnimation(seed: UInt64(seed))
    var animation = random.animation()
    while let numbers = try? AnimationRecord.encode(animation), numbers.isEmpty { animation = random.animation() }
    let read = try decode(AnimationRecord.encodeWhole(animation))
    #expect(read == withoutTokens(animation), "seed \(seed)")
  }

  private func withoutTokens(_ animation: Animation) -> Animation {
    var copy = animation
    copy.token = 0
    if case .group(let inner) = copy.content { copy.content = .group(inner.map(withoutTokens)) }
    return copy
  }

  @Test("cut short anywhere, and with more behind it, it is refused", arguments: 0..<40)
  func cutShort(seed: Int) throws {
    var random = RandomAnimation(seed: UInt64(seed))
    let numbers = AnimationRecord.encodeWhole(random.animation())
    for count in numbers.indices {
      #expect(throws: AnimationRecordError.self) { try decode(Array(numbers[..<count])) }
    }
    #expect(throws: AnimationRecordError(.tooMuch, at: numbers.count)) { try decode(numbers + [0]) }
    let bytes = numbers.flatMap { withUnsafeBytes(of: $0.bitPattern.littleEndian, Array.init) }
    #expect(throws: AnimationRecordError.self) {
      try bytes.withUnsafeBytes { try AnimationRecord.decode(UnsafeRawBufferPointer(rebasing: $0.dropLast(3))) }
    }
    let read = try bytes.withUnsafeBytes { try AnimationRecord.decode($0) }
    #expect(read == (try decode(numbers)))
  }

  @Test("any numbers at all are an animation or an error, and take no more than they are", arguments: 0..<300)
  func anything(seed: Int) throws {
    var random = RandomAnimation(seed: UInt64(seed))
    var numbers = AnimationRecord.encodeWhole(random.animation())
    for _ in 0..<3 {
      let place = Int.random(in: numbers.indices, using: &random.random)
      numbers[place] =
        [-1, 0.5, 3, 7, 250, 1e9, 1e300, .nan, .infinity, Double(numbers.count)].randomElement(
          using: &random.random) ?? 0
    }
    if let animation = try? decode(numbers) {
      // What was read is written so that it reads the same.
      let again = AnimationRecord.encodeWhole(animation)
      let twice = AnimationRecord.encodeWhole(try decode(again))
      #expect(again.count == numbers.count && again.map(\.bitPattern) == twice.map(\.bitPattern), "seed \(seed)")
    }
  }

  @Test("groups in groups end somewhere")
  func depth() throws {
    let timing: [Double] = Array(AnimationRecord.encodeWhole(Animation(content: .group([]))).dropLast())
    let deep = Array(repeatElement(timing + [1], count: 200).joined())
    #expect(throws: AnimationRecordError(.tooDeep, at: 8 * 14)) { try decode(deep) }
  }

  @Test("one that is too long for a message is not encoded")
  func length() {
    let values = (0..<500).map { AnimationValue.number(Double($0)) }
    let animation = Animation(
      PropertyAnimation(AnimationKeyPath(whole: .zPosition), .keyframes(Keyframes(values))))
    #expect(throws: AnimationRecordError.self) { try AnimationRecord.encode(animation) }
  }
}

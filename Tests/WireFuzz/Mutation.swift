import TestSupport

extension FuzzInput {
  /// Something near it: bits and words changed, steps left out, repeated, put in another order or taken from another.
  func mutated(with other: FuzzInput, _ random: inout SeededGenerator) -> FuzzInput {
    var result = self
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      guard !result.steps.isEmpty else { return other }
      let index = Int.random(in: 0..<result.steps.count, using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0: result.steps.remove(at: index)
      case 1: result.steps.insert(result.steps[index], at: index)
      case 2: result.steps.swapAt(index, Int.random(in: 0..<result.steps.count, using: &random))
      case 3:
        if let step = other.steps.randomElement(using: &random) { result.steps.insert(step, at: index) }
      case 4: result.steps.removeLast(result.steps.count - index)
      case 5: result.steps.insert(.send((0..<64).map { _ in UInt8(truncatingIfNeeded: random.next()) }, []), at: index)
      default: result.steps[index] = Self.changed(result.steps[index], &random)
      }
    }
    if result.steps.count > 400 { result.steps.removeLast(result.steps.count - 400) }
    return result
  }

  private static func changed(_ step: Step, _ random: inout SeededGenerator) -> Step {
    guard case .send(var bytes, var descriptors) = step, !bytes.isEmpty else { return .turns(2) }
    let index = Int.random(in: 0..<bytes.count, using: &random)
    switch Int.random(in: 0..<7, using: &random) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
    case 1: bytes[index] = random.pick([0, 1, 127, 128, 255])
    case 2: bytes.removeLast(bytes.count - index)
    case 3: bytes.insert(contentsOf: bytes[index...], at: index)
    case 4:
      let start = index / 4 * 4
      for offset in start..<min(bytes.count, start + 4) { bytes[offset] = random.pick([0, 255]) }
    case 5: descriptors.append(random.pick(Descriptor.allCases))
    default: descriptors = descriptors.isEmpty ? [] : Array(descriptors.dropLast())
    }
    return .send(Array(bytes.prefix(8192)), Array(descriptors.prefix(28)))
  }
}

/// Random numbers from a seed, the same on every machine and with every release of the compiler: the order of a run and
/// every interval in its report can be worked out again from the seed.
public struct SplitMix64: Sendable {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number from 0 to `bound - 1`, each as likely as the other; 0 for a bound below 2.
  public mutating func below(_ bound: Int) -> Int {
    guard bound > 1 else { return 0 }
    let bound = UInt64(bound)
    // Lemire's method: the high half of the product, redrawn in the few cases that would favour small numbers.
    let threshold = (0 &- bound) % bound
    while true {
      let product = next().multipliedFullWidth(by: bound)
      if product.low >= threshold { return Int(product.high) }
    }
  }

  /// Every order of the elements is as likely as the other.
  public mutating func shuffle<Element>(_ elements: inout [Element]) {
    var last = elements.count - 1
    while last > 0 {
      elements.swapAt(last, below(last + 1))
      last -= 1
    }
  }
}

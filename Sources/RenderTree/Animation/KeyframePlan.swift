import Commit

/// When each value of a key-frame animation has its turn.
struct KeyframePlan: Sendable {
  /// One for each value, rising from 0 to 1; with discrete values one more.
  private var times: [Double]
  private var functions: [TimingFunction]
  private var isDiscrete: Bool
  private var isCurved: Bool

  /// - Parameter keys: the values, each of `width` numbers.
  init(_ keyframes: Keyframes, keys: [Double], width: Int) {
    let mode = keyframes.calculationMode
    isDiscrete = mode == .discrete
    isCurved = mode == .cubic || mode == .cubicPaced
    functions = keyframes.functions
    let count = keyframes.values.count
    let steps = isDiscrete ? count : count - 1
    times = keyframes.keyTimes
    if mode == .paced || mode == .cubicPaced {
      functions = []
      times = Self.paced(keys, width: width)
    }
    if times.isEmpty { times = (0...max(0, steps)).map { Double($0) / Double(max(1, steps)) } }
  }

  /// Empty where all values are one.
  private static func paced(_ keys: [Double], width: Int) -> [Double] {
    guard width > 0, keys.count > width else { return [] }
    var times = [0.0]
    var length = 0.0
    for key in stride(from: width, to: keys.count, by: width) {
      var square = 0.0
      for index in key..<(key + width) {
        let step = keys[index] - keys[index - width]
        square += step * step
      }
      length += square.squareRoot()
      times.append(length)
    }
    guard length > 0, length.isFinite else { return [] }
    return times.map { $0 / length }
  }

  /// Calls `body` with the values that it lies between, and how far from the first to the second.
  func place(at progress: Double, _ body: (_ from: Int, _ to: Int, _ part: Double, _ isCurved: Bool) -> Void) {
    if isDiscrete {
      var key = times.count - 2
      while key > 0, times[key] > progress { key -= 1 }
      return body(max(0, key), max(0, key), 0, false)
    }
    guard times.count > 1 else { return body(0, 0, 0, false) }
    var step = times.count - 2
    while step > 0, times[step] > progress { step -= 1 }
    let length = times[step + 1] - times[step]
    var part = length > 0 ? (progress - times[step]) / length : 1
    if part >= 0, part <= 1, step < functions.count { part = functions[step].progress(at: part) }
    body(step, step + 1, part, isCurved)
  }
}

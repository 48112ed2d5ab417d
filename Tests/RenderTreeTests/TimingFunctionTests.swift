import Commit
import TestSupport
import Testing

@Suite("Timing functions")
struct TimingFunctionTests {
  @Test("the progress is the height of the curve over the time", arguments: 0..<8)
  func curve(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let function = TimingFunction(
      random.real(0...1), random.real(-1...2), random.real(0...1), random.real(-1...2))
    for step in 1..<200 {
      // The curve's own parameter, from which both coordinates follow.
      let t = Double(step) / 200
      func at(_ a: Double, _ b: Double) -> Double {
        3 * (1 - t) * (1 - t) * t * a + 3 * (1 - t) * t * t * b + t * t * t
      }
      let miss = abs(function.progress(at: at(function.x1, function.x2)) - at(function.y1, function.y2))
      #expect(miss < 1e-6, "seed \(seed): \(function) at \(t)")
    }
  }

  @Test("known values")
  func values() {
    #expect(abs(TimingFunction.default.progress(at: 0.5) - 0.802_403_387_7) < 1e-9)
    #expect(abs(TimingFunction.easeInEaseOut.progress(at: 0.5) - 0.5) < 1e-12)
    #expect(abs(TimingFunction.easeIn.progress(at: 0.25) - 0.093_464_64) < 1e-7)
    #expect(TimingFunction.linear.progress(at: 0.3) == 0.3)
    // Upright at its middle: Newton alone would run away.
    #expect(abs(TimingFunction(1, 0, 0, 1).progress(at: 0.5) - 0.5) < 1e-6)
  }

  @Test("before the beginning and after the end, it is there")
  func ends() {
    for function in [TimingFunction.linear, .easeIn, TimingFunction(0.1, -3, 0.2, 4)] {
      #expect(function.progress(at: -1) == 0 && function.progress(at: 0) == 0)
      #expect(function.progress(at: 1) == 1 && function.progress(at: 7) == 1)
    }
  }
}

import BenchCore
import Testing

/// Expected values come from scipy, worked out apart and written down here.
@Suite("distributions and what is made of them")
struct DistributionTests {
  private static func isNear(_ a: Double?, _ b: Double, _ tolerance: Double = 1e-11) -> Bool {
    a.map { ($0 - b).magnitude <= tolerance * max(1, b.magnitude) } ?? false
  }

  @Test("the normal distribution and its quantiles are scipy's")
  func normal() {
    #expect(Self.isNear(Normal.lowerTail(-1.96), 0.024997895148220435))
    #expect(Self.isNear(Normal.lowerTail(3), 0.9986501019683699))
    #expect(Self.isNear(Normal.quantile(0.005), -2.575829303548901))
    #expect(Self.isNear(Normal.quantile(0.5), 0))
    #expect(Self.isNear(Normal.quantile(1e-12), -7.034483825301131))
    for p in [0.0, 1, -1, .nan] { #expect(Normal.quantile(p) == nil) }
  }

  @Test("Student's distribution and its quantiles are scipy's")
  func student() {
    #expect(Self.isNear(Student.upperTail(2.5, freedom: 3.7), 0.03591101145591339))
    #expect(Self.isNear(Student.upperTail(-2.5, freedom: 3.7), 1 - 0.03591101145591339))
    #expect(Self.isNear(Student.quantile(0.975, freedom: 7), 2.364624251592784))
    #expect(Self.isNear(Student.quantile(0.005, freedom: 1), -63.656741162871576, 1e-9))
    #expect(Student.quantile(0.5, freedom: 0) == nil)
    #expect(Student.upperTail(.nan, freedom: 3) == nil)
  }

  @Test("Holm's adjustment never falls, stays below one, and leaves out what was not tested")
  func holm() {
    let adjusted = Holm.adjusted([0.01, 0.04, nil, 0.03, 0.005])
    let expected: [Double?] = [0.03, 0.06, nil, 0.06, 0.02]
    for (a, b) in zip(adjusted, expected) {
      if let b { #expect(Self.isNear(a, b)) } else { #expect(a == nil) }
    }
    #expect(Holm.adjusted([0.9, 0.8]) == [1, 1])
    #expect(Holm.adjusted([]).isEmpty)
  }

  @Test("samples beyond Tukey's fences are counted, and none where all are alike")
  func outliers() throws {
    let classes = try #require(OutlierClasses([1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 40]))
    #expect(classes.mild == 0)
    #expect(classes.severe == 1)
    #expect(try #require(OutlierClasses([1, 2, 3, 4, 5, 6, 7, 8, 9, 18])).mild == 1)
    #expect(try #require(OutlierClasses([5, 5, 5])) == #require(OutlierClasses([7])))
    #expect(OutlierClasses([]) == nil)
    #expect(OutlierClasses([1, .nan]) == nil)
  }
}

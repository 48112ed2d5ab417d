/// Estimates as a person reads them.
enum EstimateText {
  /// `0.0172 ± 3 %`, of `scale` times the estimate.
  static func plusMinus(_ estimate: Estimate, scale: Double = 1) -> String {
    let value = NumberText.significant(estimate.value * scale, 3)
    guard let interval = estimate.interval, estimate.value != 0 else { return value }
    let share = interval.halfWidth / estimate.value.magnitude * 100
    // Beyond the value itself, per cent say nothing that a person can picture.
    guard share < 100 else { return "\(value) ± \(NumberText.significant(interval.halfWidth * scale, 2))" }
    return "\(value) ± \(percent(share)) %"
  }

  static func percent(_ share: Double) -> String {
    share >= 10 ? NumberText.grouped(share) : NumberText.significant(share, share < 1 ? 1 : 2)
  }

  /// `2,310 (2,100 to 2,500)`; `4,096+ (~7,900)` where no measured N is too many.
  static func capacity(_ capacity: Capacity) -> String {
    guard capacity.isBounded else {
      let most = NumberText.grouped(capacity.observed)
      guard capacity.count.value > Double(capacity.observed) else { return "\(most)+" }
      return "\(most)+ (~\(rounded(capacity.count.value)))"
    }
    if capacity.count.value < 1 { return "none" }
    let range = capacity.count.interval.map { " (\(NumberText.grouped($0.lower)) to \(NumberText.grouped($0.upper)))" }
    return NumberText.grouped(capacity.count.value) + (range ?? "")
  }

  /// A number that is only roughly known: two digits that count.
  static func rounded(_ value: Double) -> String {
    guard let number = Double(NumberText.significant(value, 2)) else { return "-" }
    var power = 1.0
    while number / power >= 100 { power *= 10 }
    return NumberText.grouped((number / power).rounded() * power)
  }

  /// `1.12× (1.08 to 1.15)`
  static func ratio(_ estimate: Estimate) -> String {
    let value = NumberText.significant(estimate.value, 3) + "x"
    guard let interval = estimate.interval else { return value }
    return "\(value) (\(NumberText.significant(interval.lower, 3)) to \(NumberText.significant(interval.upper, 3)))"
  }
}

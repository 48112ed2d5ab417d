/// Numbers as text, the same in every locale.
public enum NumberText {
  /// With exactly so many decimals, rounded half away from zero; "-" for what is no number.
  public static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard value.isFinite else { return "-" }
    let decimals = max(0, min(decimals, 9))
    var power = 1.0
    for _ in 0..<decimals { power *= 10 }
    let scaled = (value.magnitude * power).rounded()
    guard scaled < 9e18 else { return "\(value)" }
    var digits = String(Int64(scaled))
    let sign = value < 0 && scaled > 0 ? "-" : ""
    guard decimals > 0 else { return sign + digits }
    if digits.count <= decimals { digits = String(repeating: "0", count: decimals + 1 - digits.count) + digits }
    return sign + digits.dropLast(decimals) + "." + digits.suffix(decimals)
  }

  /// With so many digits that count, never in powers of ten: 0.00123, 12.3, 1230.
  public static func significant(_ value: Double, _ digits: Int) -> String {
    guard value.isFinite else { return "-" }
    guard value != 0 else { return "0" }
    let exponent = Int(decimalLogarithm(value.magnitude).rounded(.down))
    let text = fixed(value, digits - 1 - exponent)
    // Rounding up may have made one digit more (9.996 → 10.00).
    let rounded = Double(text) ?? value
    guard rounded != 0 else { return text }
    let now = Int(decimalLogarithm(rounded.magnitude).rounded(.down))
    return now == exponent ? text : fixed(value, digits - 1 - now)
  }

  /// Without a needless fraction: 1, 1.5, 0.25.
  public static func shortest(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { return String(whole) }
    return "\(value)"
  }

  /// A whole number with commas at its thousands.
  public static func grouped(_ value: Int) -> String {
    let digits = Array(String(value.magnitude))
    var text = value < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// A double that may be beyond every integer.
  public static func grouped(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e15 else { return "-" }
    return grouped(Int(value.rounded()))
  }
}

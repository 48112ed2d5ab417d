#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The C library's functions, named here once so that no other file of the statistics imports it.
func naturalLogarithm(_ x: Double) -> Double { log(x) }
func exponential(_ x: Double) -> Double { exp(x) }
func complementOfError(_ x: Double) -> Double { erfc(x) }
func decimalLogarithm(_ x: Double) -> Double { log10(x) }
func sine(_ angle: Double) -> Double { sin(angle) }
func cosine(_ angle: Double) -> Double { cos(angle) }

/// ln Γ(x) for x > 0, by Lanczos's series.
package func logarithmOfGamma(_ x: Double) -> Double {
  let coefficients = [
    676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059, 12.507343278686905,
    -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
  ]
  let x = x - 1
  var sum = 0.99999999999980993
  for (index, coefficient) in coefficients.enumerated() { sum += coefficient / (x + Double(index + 1)) }
  let t = x + 7.5
  return 0.5 * naturalLogarithm(2 * Double.pi) + (x + 0.5) * naturalLogarithm(t) - t + naturalLogarithm(sum)
}

/// The regularised incomplete beta function I_x(a, b), for a, b > 0 and x from 0 to 1.
package func regularizedBeta(_ x: Double, _ a: Double, _ b: Double) -> Double {
  guard x > 0 else { return 0 }
  guard x < 1 else { return 1 }
  // The continued fraction converges fast only below the mean; above it, the mirrored one does.
  if x > (a + 1) / (a + b + 2) { return 1 - regularizedBeta(1 - x, b, a) }
  let front = exponential(
    logarithmOfGamma(a + b) - logarithmOfGamma(a) - logarithmOfGamma(b)
      + a * naturalLogarithm(x) + b * naturalLogarithm(1 - x))
  return front * betaFraction(x, a, b) / a
}

/// Lentz's evaluation of the continued fraction of I_x(a, b).
private func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
  let tiny = 1e-300
  var c = 1.0
  var d = 1 - (a + b) * x / (a + 1)
  d = 1 / (d.magnitude < tiny ? tiny : d)
  var result = d
  for step in 1...500 {
    let m = Double(step)
    for numerator in [
      m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
      -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
    ] {
      d = 1 + numerator * d
      d = 1 / (d.magnitude < tiny ? tiny : d)
      c = 1 + numerator / c
      if c.magnitude < tiny { c = tiny }
      result *= d * c
    }
    if (d * c - 1).magnitude < 1e-14 { break }
  }
  return result
}

/// The chance of an F-distributed number of at least `f`, or nil for degrees of freedom below one.
package func upperTailOfF(_ f: Double, _ numerator: Int, _ denominator: Int) -> Double? {
  guard f.isFinite, f >= 0, numerator > 0, denominator > 0 else { return nil }
  let (n, d) = (Double(numerator), Double(denominator))
  return regularizedBeta(d / (d + n * f), d / 2, n / 2)
}

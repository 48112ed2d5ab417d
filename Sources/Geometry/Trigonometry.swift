#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The C library's functions, named here once so that no other file of this target imports it.
/// Of an angle in radians.
public func sine(_ angle: Double) -> Double { sin(angle) }
/// Of an angle in radians.
public func cosine(_ angle: Double) -> Double { cos(angle) }

/// The length of (x, y) without overflow.
public func length(_ x: Double, _ y: Double) -> Double { hypot(x, y) }
/// e to this power.
public func exponential(_ power: Double) -> Double { exp(power) }
/// The angle of (x, y) from the x axis, from -π to π.
public func angle(x: Double, y: Double) -> Double { atan2(y, x) }
/// The angle from 0 to π of this cosine; what rounding put outside of -1…1 counts as the end.
func arccosine(_ cosine: Double) -> Double { acos(min(1, max(-1, cosine))) }
/// e to this power, less 1.
public func exponentialLess1(_ power: Double) -> Double { expm1(power) }
/// To what power 2 is this.
public func logarithm2(_ value: Double) -> Double { log2(value) }
/// `base`, which is not negative, to this power.
public func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }

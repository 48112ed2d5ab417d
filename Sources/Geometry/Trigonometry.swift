#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The C library's functions, named here once so that no other file of this target imports it.
public func sine(_ angle: Double) -> Double { sin(angle) }
public func cosine(_ angle: Double) -> Double { cos(angle) }

/// The length of (x, y) without overflow.
public func length(_ x: Double, _ y: Double) -> Double { hypot(x, y) }
/// e to this power.
public func exponential(_ power: Double) -> Double { exp(power) }
/// The angle of (x, y) from the x axis, from -π to π.
public func angle(x: Double, y: Double) -> Double { atan2(y, x) }

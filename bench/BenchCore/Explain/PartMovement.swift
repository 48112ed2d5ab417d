/// What a part of a frame takes: a stage of the CPU, or all passes into one target.
public struct PartTime: Sendable, Hashable {
  public var name: String
  /// The middle of some frames.
  public var milliseconds: Double
  /// Those frames' median distance from it, as a part of it; nil where there was one frame alone.
  public var spread: Double?
  public var frames: Int

  public init(name: String, milliseconds: Double, spread: Double? = nil, frames: Int = 1) {
    (self.name, self.milliseconds, self.spread, self.frames) = (name, milliseconds, spread, frames)
  }
}

/// By how much a part of a frame moved between two runs, and how far beyond chance.
public struct PartMovement: Sendable, Hashable {
  public var name: String
  public var base: Double
  public var head: Double
  /// In standard errors; 0 where there is no saying.
  public var surprise: Double

  /// Milliseconds.
  public var delta: Double { head - base }
  public var isSure: Bool { surprise.magnitude >= Self.sure }

  static let sure = 3.0

  /// What moved, the surest first. What all parts share, a machine that is slower as a whole, is taken away where there are
  /// enough parts to see it: `shared` is what it was.
  public static func rank(_ base: [PartTime], _ head: [PartTime]) -> (movements: [PartMovement], shared: Double) {
    var pairs: [(PartTime, PartTime)] = []
    for part in base {
      if let other = head.first(where: { $0.name == part.name }), part.milliseconds > 0, other.milliseconds > 0 {
        pairs.append((part, other))
      }
    }
    let logs = pairs.map { naturalLogarithm($1.milliseconds / $0.milliseconds) }
    let shared = pairs.count > 2 ? exponential(Quantile.median(logs) ?? 0) : 1
    let spreads = pairs.flatMap { [$0.0.spread, $0.1.spread] }.compactMap(\.self)
    // Of few frames a part's own spread is known badly; what all parts have is known better. The larger counts.
    let common = Quantile.median(spreads)
    var movements = pairs.map { old, new in
      func error(_ part: PartTime) -> Double? {
        guard let common else { return nil }
        let deviation = max(common, part.spread ?? 0) * 1.4826
        // Of a median, which is 1.25 times that of a mean.
        return deviation * 1.2533 / Double(max(1, part.frames)).squareRoot()
      }
      let distance = naturalLogarithm(new.milliseconds / old.milliseconds / shared)
      var surprise = 0.0
      if let a = error(old), let b = error(new), a + b > 0 { surprise = distance / (a * a + b * b).squareRoot() }
      return PartMovement(name: old.name, base: old.milliseconds, head: new.milliseconds / shared, surprise: surprise)
    }
    // What is on one side alone is no question of chance.
    for part in base where !head.contains(where: { $0.name == part.name }) && part.milliseconds > 0 {
      movements.append(PartMovement(name: part.name, base: part.milliseconds, head: 0, surprise: -.infinity))
    }
    for part in head where !base.contains(where: { $0.name == part.name }) && part.milliseconds > 0 {
      movements.append(
        PartMovement(name: part.name, base: 0, head: part.milliseconds / shared, surprise: .infinity))
    }
    movements.sort { a, b in
      if a.surprise.magnitude != b.surprise.magnitude { return a.surprise.magnitude > b.surprise.magnitude }
      return (a.delta.magnitude, b.name) > (b.delta.magnitude, a.name)
    }
    return (movements, shared)
  }
}

import Geometry

/// Where the N copies of a suite lie, in points of the output: the same for every strategy.
public struct SuiteLayout: Sendable, Hashable {
  /// The side of a hole of `portal-window`.
  public static let holeSide = 64.0

  /// One copy: the part of the source that shows, in the source's points, and where it shows.
  public struct Place: Sendable, Hashable {
    public var target: Rect
    public var part: Rect
  }

  public var places: [Place]
  /// Output points in a point of the source.
  public var scale: Double

  /// Places for `n` copies of a source of `source` points in an output of `output` points. Values below one count as one.
  public init(_ suite: Suite, n: Int, output: Size, source: Size) {
    let n = max(1, n)
    switch suite {
    case .portalGrid: (places, scale) = Self.grid(n, output, source)
    case .portalWindow: (places, scale) = (Self.holes(n, output, source), 1)
    }
  }

  /// Whether every copy covers whole pixels: else a picture of the source cannot be shown without being resampled.
  public func liesOnPixels(scale: Double) -> Bool {
    places.allSatisfy { place in
      [place.target.minX, place.target.minY, place.target.maxX, place.target.maxY].allSatisfy { edge in
        (edge * scale - (edge * scale).rounded()).magnitude < 1e-6
      }
    }
  }

  /// Cells of ⌈√N⌉ columns and as many rows, row by row; the source lies in the middle of each, as large as it can.
  private static func grid(_ n: Int, _ output: Size, _ source: Size) -> ([Place], Double) {
    let columns = side(n)
    let cell = Size(width: output.width / Double(columns), height: output.height / Double(columns))
    let scale = min(cell.width / max(1, source.width), cell.height / max(1, source.height))
    let size = Size(width: source.width * scale, height: source.height * scale)
    let places = (0..<n).map { index in
      let x = Double(index % columns) * cell.width + (cell.width - size.width) / 2
      let y = Double(index / columns) * cell.height + (cell.height - size.height) / 2
      return Place(target: Rect(x: x, y: y, width: size.width, height: size.height), part: Rect(size: source))
    }
    return (places, scale)
  }

  /// Holes on whole points, spread evenly over what the source covers of the output. Beyond about two hundred they
  /// overlap.
  private static func holes(_ n: Int, _ output: Size, _ source: Size) -> [Place] {
    let columns = side(n)
    let rows = (n + columns - 1) / columns
    let width = min(output.width, source.width)
    let height = min(output.height, source.height)
    return (0..<n).map { index in
      let x = (width * (Double(index % columns) + 0.5) / Double(columns) - holeSide / 2).rounded()
      let y = (height * (Double(index / columns) + 0.5) / Double(rows) - holeSide / 2).rounded()
      let hole = Rect(x: x, y: y, width: holeSide, height: holeSide)
        .intersection(Rect(x: 0, y: 0, width: width, height: height))
      return Place(target: hole, part: hole)
    }
  }

  /// The smallest whole number whose square is at least `n`.
  private static func side(_ n: Int) -> Int {
    var side = Int(Double(n).squareRoot())
    while side * side < n { side += 1 }
    return max(1, side)
  }
}

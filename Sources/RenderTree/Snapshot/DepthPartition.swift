import Geometry

/// A layer among others in one space.
struct DepthPlane: Sendable {
  typealias Vector = SIMD3<Double>

  var node: Int32
  var opacity: Float
  /// Layer space to the space that all of them stand in, before perspective divides.
  var space: Transform3D
  /// Where its place among equals is.
  var order: Int
  /// The corners of what shows, after perspective: the viewer looks along z from its positive end. None where nothing is
  /// before the eye.
  var corners: [Vector] = []
  /// Towards the viewer, of length 1; zero where the plane is seen edge on.
  var normal = Vector.zero
  var distance = 0.0

  init(node: Int32, opacity: Float, space: Transform3D, extent: Rect, order: Int) {
    self.node = node
    self.opacity = opacity
    self.space = space
    self.order = order
    let nearest = ProjectedPolygon.nearestW
    var previous = extent.corners.last.map(project) ?? .zero
    for corner in extent.corners {
      let current = project(corner)
      if (current.w >= nearest) != (previous.w >= nearest) {
        let t = (nearest - previous.w) / (current.w - previous.w)
        let point = previous + (current - previous) * t
        corners.append(Vector(point.x, point.y, point.z) / nearest)
      }
      if current.w >= nearest { corners.append(Vector(current.x, current.y, current.z) / current.w) }
      previous = current
    }
    normal = Self.normal(of: corners)
    distance = corners.first.map { -Self.dot(normal, $0) } ?? 0
  }

  /// The planes in groups that nowhere lie over each other, by their boxes: none needs to be cut for one in another group.
  /// - Complexity: O(planes²).
  static func islands(_ planes: [DepthPlane]) -> [[DepthPlane]] {
    var island = Array(planes.indices)
    let boxes = planes.map(\.box)
    for a in planes.indices {
      for b in planes.indices where b > a && island[a] != island[b] && boxes[a].overlaps(boxes[b]) {
        let (kept, gone) = (min(island[a], island[b]), max(island[a], island[b]))
        for index in island.indices where island[index] == gone { island[index] = kept }
      }
    }
    return Set(island).sorted().map { name in planes.indices.filter { island[$0] == name }.map { planes[$0] } }
  }

  /// Around what shows.
  private var box: Rect {
    guard let first = corners.first else { return .zero }
    let (low, high) = corners.reduce((first, first)) { (pointwiseMin($0.0, $1), pointwiseMax($0.1, $1)) }
    return Rect(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
  }

  /// The mean depth of what shows.
  var depth: Double { corners.isEmpty ? 0 : corners.reduce(0) { $0 + $1.z } / Double(corners.count) }

  /// On which side of the plane a point is, and how far: positive on the viewer's.
  func height(_ point: Vector) -> Double { Self.dot(normal, point) + distance }

  /// The line in which `other` cuts this plane, in this layer's space; positive where that is nearer to the viewer than
  /// `other` is.
  func line(of other: DepthPlane) -> (a: Double, b: Double, c: Double) {
    // `other.height` times w is linear in the layer's coordinates.
    let (n, d, m) = (other.normal, other.distance, space)
    return (
      a: n.x * m.m11 + n.y * m.m12 + n.z * m.m13 + d * m.m14,
      b: n.x * m.m21 + n.y * m.m22 + n.z * m.m23 + d * m.m24,
      c: n.x * m.m41 + n.y * m.m42 + n.z * m.m43 + d * m.m44
    )
  }

  private func project(_ p: Point) -> SIMD4<Double> {
    let m = space
    return SIMD4(
      p.x * m.m11 + p.y * m.m21 + m.m41, p.x * m.m12 + p.y * m.m22 + m.m42, p.x * m.m13 + p.y * m.m23 + m.m43,
      p.x * m.m14 + p.y * m.m24 + m.m44)
  }

  private static func dot(_ a: Vector, _ b: Vector) -> Double { (a * b).sum() }

  private static func normal(of corners: [Vector]) -> Vector {
    // Newell's sum: good for any polygon, however thin.
    var sum = Vector.zero
    guard var previous = corners.last, corners.count > 2 else { return .zero }
    for corner in corners {
      let (a, b) = (previous - corners[0], corner - corners[0])
      sum += Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
      previous = corner
    }
    let length = dot(sum, sum).squareRoot()
    guard length.isFinite, length > 0, sum.z.magnitude > length * 1e-9 else { return .zero }
    return sum / (sum.z < 0 ? -length : length)
  }
}

/// Divides layers in space by their own planes (a binary space partition): whatever way they lie, and even if each is in
/// front of the next in a ring, there is an order from back to front.
struct DepthPartition {
  typealias Vector = SIMD3<Double>

  /// A part of a layer.
  private struct Fragment {
    var plane: Int
    var corners: [Vector]
    var cuts: [SnapshotCut] = []
  }
  private struct Branch {
    var level: [Fragment]
    var nearer: Int = -1
    var further: Int = -1
  }

  /// In points: nearer than this counts as in the plane. What edges that meet may be apart by rounding, and less than shows.
  private static let tolerance = 0.05
  /// Parts may be so many times as many as layers; from then on nothing is cut.
  private static let mostParts = 8

  private let planes: [DepthPlane]
  private var branches: [Branch] = []
  private var partCount: Int

  init(_ planes: [DepthPlane]) {
    self.planes = planes
    partCount = planes.count
    // Edge on, nothing of a layer shows; it stands in nobody's way.
    let fragments = planes.indices.filter { planes[$0].normal != .zero }
      .map { Fragment(plane: $0, corners: planes[$0].corners) }
    guard !fragments.isEmpty else { return }
    branches.append(Branch(level: []))
    var open = [(branch: 0, fragments: fragments)]
    while let (branch, fragments) = open.popLast() {
      divide(fragments, branch, &open)
    }
  }

  private mutating func divide(
    _ fragments: [Fragment], _ branch: Int, _ open: inout [(branch: Int, fragments: [Fragment])]
  ) {
    let divider = planes[fragments[0].plane]
    var (level, nearer, further): ([Fragment], [Fragment], [Fragment]) = ([fragments[0]], [], [])
    for fragment in fragments.dropFirst() {
      let heights = fragment.corners.map(divider.height)
      let (low, high) = (heights.min() ?? 0, heights.max() ?? 0)
      if low >= -Self.tolerance, high <= Self.tolerance {
        level.append(fragment)
      } else if low >= -Self.tolerance {
        nearer.append(fragment)
      } else if high <= Self.tolerance {
        further.append(fragment)
      } else if partCount >= planes.count * Self.mostParts {
        if low + high >= 0 { nearer.append(fragment) } else { further.append(fragment) }
      } else {
        partCount += 1
        nearer.append(part(of: fragment, heights, divider, isNearer: true))
        further.append(part(of: fragment, heights, divider, isNearer: false))
      }
    }
    branches[branch].level = level
    for (side, isNearer) in [(nearer, true), (further, false)] where !side.isEmpty {
      if isNearer { branches[branch].nearer = branches.count } else { branches[branch].further = branches.count }
      open.append((branches.count, side))
      branches.append(Branch(level: []))
    }
  }

  private func part(
    of fragment: Fragment, _ heights: [Double], _ divider: DepthPlane, isNearer: Bool
  ) -> Fragment {
    var part = Fragment(plane: fragment.plane, corners: [], cuts: fragment.cuts)
    let sign: Double = isNearer ? 1 : -1
    var last = fragment.corners.count - 1
    for index in fragment.corners.indices {
      let (a, b) = (heights[last] * sign, heights[index] * sign)
      if (a >= 0) != (b >= 0) {
        part.corners.append(
          fragment.corners[last] + (fragment.corners[index] - fragment.corners[last]) * (a / (a - b)))
      }
      if b >= 0 { part.corners.append(fragment.corners[index]) }
      last = index
    }
    let line = planes[fragment.plane].line(of: divider)
    part.cuts.append(SnapshotCut(a: line.a * sign, b: line.b * sign, c: line.c * sign, isHidden: !isNearer))
    return part
  }

  /// Every part, the furthest first; of those in one plane in their order.
  mutating func forEachBackToFront(_ body: (_ plane: Int, _ cuts: [SnapshotCut]) -> Void) {
    guard !branches.isEmpty else { return }
    var stack: [(branch: Int, isPassed: Bool)] = [(0, false)]
    while let (branch, isPassed) = stack.popLast() {
      if isPassed {
        for fragment in branches[branch].level.sorted(by: { planes[$0.plane].order < planes[$1.plane].order }) {
          body(fragment.plane, fragment.cuts)
        }
        continue
      }
      if branches[branch].nearer >= 0 { stack.append((branches[branch].nearer, false)) }
      stack.append((branch, true))
      if branches[branch].further >= 0 { stack.append((branches[branch].further, false)) }
    }
  }
}

extension Rect {
  fileprivate func overlaps(_ other: Rect) -> Bool {
    minX < other.maxX && other.minX < maxX && minY < other.maxY && other.minY < maxY
  }
}
